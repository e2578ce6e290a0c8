package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/atomicfile"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/gather"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/report"
)

// output is where a report goes.
type output struct {
	reporter report.Reporter
	name     string           // for messages
	file     *atomicfile.File // nil if it is standard output
	gathered *gather.Writer
}

// openOutput makes a reporter to standard output or to a file. What it writes
// is written when it is much, and when the output is told to.
func (c *Command) openOutput(o *checkFlags, line *progress.Line) (*output, error) {
	out := &output{name: "standard output"}
	w := c.Stdout
	if o.output != "" {
		file, err := atomicfile.Create(o.output)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.output, plain(err))
		}
		out.name, out.file = o.output, file
		w = file
	}
	out.gathered = gather.NewWriter(line.Guard(w))
	reporter, err := report.New(report.Format(o.format.value), out.gathered, c.looks(o, w))
	if err != nil {
		return nil, out.fail(err)
	}
	out.reporter = reporter
	return out, nil
}

// looks decides on colours and width. A file is no terminal.
func (c *Command) looks(o *checkFlags, w io.Writer) report.Options {
	return report.Options{Color: c.colorFor(o.color.value, w), Width: widthOf(w)}
}

// flush writes what has been reported so far.
func (out *output) flush() error { return out.gathered.Flush() }

// close makes the report final.
func (out *output) close() error {
	if out.file == nil {
		return nil
	}
	if err := out.file.Commit(); err != nil {
		return out.word(err)
	}
	return nil
}

// fail gives the report up because of an error, and returns it with the name
// of the output.
func (out *output) fail(err error) error {
	if out.file != nil {
		err = errors.Join(err, out.file.Discard())
	}
	return out.word(err)
}

func (out *output) word(err error) error {
	return fmt.Errorf("write %s: %w", out.name, plain(err))
}
