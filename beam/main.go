// Command beam runs the linter on Apache Beam, for archives of recordings that
// one machine does not check fast enough. README.md describes it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/lmclint/lmclint/beam/job"
)

// words is a flag that may be given several times.
type words []string

// String implements [flag.Value].
func (w *words) String() string { return strings.Join(*w, " ") }

// Set implements [flag.Value].
func (w *words) Set(word string) error {
	*w = append(*w, word)
	return nil
}

// flags are the flags of the job. The runners define their own.
type flags struct {
	options   job.Options
	inputs    words
	config    string
	isolated  bool
	overwrite bool
}

func (f *flags) define(set *flag.FlagSet) {
	set.Var(&f.inputs, "input", "check the files that match a `GLOB`: local, gs:// or s3:// (repeatable)")
	set.StringVar(&f.options.Output, "output", "", "write findings, summary and refused inputs to a `FOLDER`")
	set.StringVar(&f.config, "config", "", "use a configuration `FILE`")
	set.BoolVar(&f.isolated, "isolated", false, "ignore all configuration files")
	set.StringVar(&f.options.Column, "column", "", "`NAME` of the column of Parquet tables that has a conversation in each row")
	set.StringVar(&f.options.Producer, "producer", job.DefaultProducer, "`REGEXP` whose group is the producer of a path, for the summary")
	set.StringVar(&f.options.Month, "month", job.DefaultMonth, "`REGEXP` whose groups are the month of a path, for the summary")
	set.IntVar(&f.options.Shards, "shards", 4, "`NUMBER` of files of findings")
	set.IntVar(&f.options.Lanes, "workers", 0, "`NUMBER` of checks that Prism runs in parallel; 0: one per core")
	set.BoolVar(&f.overwrite, "overwrite", false, "replace the output of an earlier job in the folder")
}

func main() {
	var f flags
	f.define(flag.CommandLine)
	flag.Parse()
	beam.Init() // on a worker it does not return
	if err := run(context.Background(), &f); err != nil {
		fmt.Fprintln(os.Stderr, "lmclint:", err)
		os.Exit(2) //nolint:forbidigo // this is main
	}
}

// run runs the job, and prints the summary unless the runner does not wait.
func run(ctx context.Context, f *flags) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: inputs are given with --input", flag.Arg(0))
	}
	f.options.Inputs = f.inputs
	if f.options.Lanes == 0 {
		f.options.Lanes = 1
		if isPrism(*runners.Runner) {
			f.options.Lanes = runtime.GOMAXPROCS(0)
		}
	}
	var err error
	if f.options.Config, err = job.ReadConfig(f.config, f.isolated); err != nil {
		return err
	}
	pipeline, err := job.New(f.options)
	if err != nil {
		return err
	}
	if err := job.Clear(ctx, f.options.Output, f.overwrite); err != nil {
		return err
	}
	begin := time.Now()
	if _, err := beamx.RunWithMetrics(ctx, pipeline); err != nil {
		return err
	}
	summary, err := job.ReadSummary(ctx, f.options.Output)
	if errors.Is(err, os.ErrNotExist) {
		return nil // started with --async
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, summary.Line(time.Since(begin)))
	return nil
}

// isPrism reports whether a runner is Prism, the default.
func isPrism(name string) bool {
	return name == "" || strings.HasPrefix(strings.ToLower(name), "prism")
}
