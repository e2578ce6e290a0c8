package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/atomicfile"
	"github.com/lmclint/lmclint/report"
)

// output is where a report goes.
type output struct {
	reporter report.Reporter
	name     string // for messages
	file     *atomicfile.File
	buffer   *bufio.Writer // of the file
}

// openOutput makes a reporter to standard output or to a file.
func (c *Command) openOutput(o *checkFlags) (*output, error) {
	out := &output{name: "standard output"}
	w := c.Stdout
	if o.output != "" {
		file, err := atomicfile.Create(o.output)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.output, plain(err))
		}
		out.name, out.file, out.buffer = o.output, file, bufio.NewWriter(file)
		w = out.buffer
	}
	reporter, err := report.New(report.Format(o.format.value), w, c.looks(o, w))
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

// close makes the report final.
func (out *output) close() error {
	if out.file == nil {
		return nil
	}
	if err := out.buffer.Flush(); err != nil {
		return out.fail(err)
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
