package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/internal/atomicfile"
	"github.com/lmclint/lmclint/report"
)

// bufferBytes is the size of a report's buffer. It is flushed when it is half
// full, so that few findings are split over two writes.
const bufferBytes = 64 << 10

// output is where a report goes.
type output struct {
	reporter report.Reporter
	name     string // for messages
	file     sink   // nil if it is standard output
	buffer   *bufio.Writer
	gone     bool // its reader went away
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
	out.buffer = bufio.NewWriterSize(w, bufferBytes)
	reporter, err := report.New(f, out.buffer, looks)
	out.reporter = reporter
	return err
}

// call calls the reporter. A panic in it is returned as an error, so that the
// other reports are still written.
func (out *output) call(do func(*output) error) (err error) {
	defer recoverPanic(&err)
	if err := do(out); err != nil {
		return err
	}
	if out.buffer.Buffered() > bufferBytes/2 {
		return out.buffer.Flush()
	}
	return nil
}

// discard abandons the report. Standard output keeps what was reported.
func (out *output) discard() error {
	if out.file == nil {
		_ = out.buffer.Flush() // the run has failed already
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
