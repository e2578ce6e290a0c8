// Bench compares lmclint with other programs and writes Markdown tables.
//
//	go run ./bench
//
// It installs missing peers, builds all programs, generates the data, and runs
// the programs alternately. README.md explains the numbers.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

func main() {
	log.SetFlags(log.Ltime)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(ctx, o)
	}
	if err != nil {
		log.Fatal(err) //nolint:gocritic // the process ends here; no deferred call matters
	}
}

// options are the command-line flags.
type options struct {
	cache, output string
	only          []string
	rounds        int
	quick         bool
	offline       bool
}

func parse(args []string) (options, error) {
	var o options
	flags := pflag.NewFlagSet("bench", pflag.ContinueOnError)
	flags.StringVar(&o.cache, "cache", defaultCache(), "`FOLDER` of peers, programs and data; a full run needs 1 GB")
	flags.StringVarP(&o.output, "output", "o", "-", "`FILE` for the table")
	flags.StringSliceVar(&o.only, "only", sectionNames(), "sections to run")
	flags.IntVar(&o.rounds, "rounds", 0, "how often each program runs (5, or 1 with --quick)")
	flags.BoolVar(&o.quick, "quick", false, "little data, to see that all works")
	flags.BoolVar(&o.offline, "offline", false, "install nothing; what is missing is reported as absent")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return o, o.resolve()
}

func (o *options) resolve() error {
	for _, name := range o.only {
		if !slices.Contains(sectionNames(), name) {
			return fmt.Errorf("unknown section %q; there are %s", name, strings.Join(sectionNames(), ", "))
		}
	}
	if o.rounds < 0 {
		return errors.New("--rounds is below zero")
	}
	if o.rounds == 0 {
		o.rounds = 5
		if o.quick {
			o.rounds = 1
		}
	}
	var err error
	o.cache, err = filepath.Abs(o.cache)
	return err
}

func defaultCache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = os.TempDir()
	}
	return filepath.Join(folder, "lmclint-bench")
}
