// Bench compares lmclint with other programs and writes Markdown tables.
//
//	go run ./bench
//
// It builds all programs, makes the data, and runs the programs in turn.
// README.md explains the numbers.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

func main() {
	log.SetFlags(log.Ltime)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		log.Fatal(err) //nolint:gocritic // the process ends here; no deferred call matters
	}
}

// legend says what the columns of the tables are.
const legend = "Whole processes, all output to /dev/null, page cache warm, programs run in turn. Times are medians of wall and of user plus system time; the peak is the largest\n" +
	"resident set of all runs, in 1,000,000 bytes. Times of a program that got a part of the data are multiplied, start-up included. The columns with ÷ say how many times the\n" +
	"CPU and wall time of the first row a program takes; the floor is a bound for that of the wall time."

// run measures the sections that the arguments name.
func run(ctx context.Context, args []string) error {
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = os.TempDir()
	}
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	flags := pflag.NewFlagSet("bench", pflag.ContinueOnError)
	cache := flags.String("cache", filepath.Join(folder, "lmclint-bench"), "`FOLDER` of peers, programs and data; a full run needs 1 GB")
	only := flags.StringSlice("only", names, "sections to run")
	rounds := flags.Int("rounds", 5, "how often each program runs")
	quick := flags.Bool("quick", false, "little data, to see that all works; the ratios mean nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, name := range append(*only, flags.Args()...) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("unknown section %q; there are %v", name, names)
		}
	}
	w, err := prepare(ctx, *cache, *quick)
	if err != nil {
		return err
	}
	fmt.Fprintf(&w.out, "`%s`, %s, %d processors, %s %s, %s.\n\n%s\n", strings.Join(append([]string{"go run ./bench"}, args...), " "), time.Now().Format("2006-01-02"),
		runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), legend)
	for _, s := range sections {
		if slices.Contains(*only, s.name) {
			if err := w.section(ctx, s, *rounds); err != nil {
				return fmt.Errorf("section %s: %w", s.name, err)
			}
		}
	}
	_, err = os.Stdout.WriteString(w.out.String())
	return err
}
