package main

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/aside"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/gather"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/internal/atomicfile"
	"github.com/lmclint/lmclint/report"
)

// output is where a report goes.
type output struct {
	reporter *aside.Reporter
	name     string // for messages
	file     sink   // nil if it is standard output
	gathered *gather.Writer
	gone     atomic.Bool // its reader went away
}

// sink is a file that a report goes to.
type sink interface {
	io.Writer
	Commit() error
	Discard() error
}

// openOutput makes a reporter to standard output or to a file. What it writes
// is written when it is much, and when the output is told to.
func (c *Command) openOutput(o *checkFlags, to target, line *progress.Line) (*output, error) {
	out := &output{name: "standard output"}
	w := c.Stdout
	if o.tee {
		out.name, w = "standard error", c.Stderr
	}
	if to.file != "" {
		file, err := atomicfile.Create(to.file)
		if err != nil {
			out.name = to.file
			return nil, out.word(err)
		}
		out.name, out.file = to.file, file
		w = file
	}
	return out, out.report(to.format, line.Guard(w), c.looks(o, w))
}

// report makes the reporter. The formats are known to exist.
func (out *output) report(f report.Format, w io.Writer, looks report.Options) error {
	out.gathered = gather.NewWriter(w)
	reporter, err := report.New(f, out.gathered, looks)
	out.reporter = aside.NewReporter(reporter)
	return err
}

// flush writes what has been reported so far.
func (out *output) flush() error {
	if err := out.reporter.Flush(); err != nil {
		return err
	}
	return out.gathered.Flush()
}

// discard gives the report up.
func (out *output) discard() error {
	_ = out.reporter.Flush() // so that nobody writes any more
	if out.file == nil {
		return nil
	}
	return out.file.Discard()
}

// looks decides on colours and width. A file is no terminal.
func (c *Command) looks(o *checkFlags, w io.Writer) report.Options {
	return report.Options{Color: c.colorFor(o.color.value, w), Width: widthOf(w)}
}

// close makes the report final.
func (out *output) close() error {
	if out.file == nil {
		return nil
	}
	return out.file.Commit()
}

func (out *output) word(err error) error {
	return fmt.Errorf("write %s: %w", out.name, trimPathError(err))
}
