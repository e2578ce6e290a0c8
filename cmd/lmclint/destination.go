package main

import (
	"errors"
	"io"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/atomicfile"
)

// destination is where a command writes: standard output, or a file that
// replaces another one when it is complete. Its errors name it.
type destination struct {
	io.Writer
	name string // for messages
	file sink   // nil if it is standard output
}

// sink is the file of a destination.
type sink interface {
	io.Writer
	Commit() error
	Discard() error
}

// outputPath is the path of an output in a flag. "-" is standard output, as "" is.
type outputPath string

// Set implements [pflag.Value].
func (p *outputPath) Set(path string) error {
	if path == walk.Stdin {
		path = ""
	}
	*p = outputPath(path)
	return nil
}

// String implements [pflag.Value].
func (p *outputPath) String() string { return string(*p) }

// Type implements [pflag.Value].
func (p *outputPath) Type() string { return "path" }

// outputFlag defines the flag --output.
func outputFlag(flags *pflag.FlagSet, path *string, short, usage string) {
	flags.VarP((*outputPath)(path), "output", short, usage)
}

// stdout returns standard output.
func (c *Command) stdout() *destination {
	return &destination{Writer: c.Stdout, name: "standard output"}
}

// openDestination opens the file at a path, or standard output for "".
func (c *Command) openDestination(path string) (*destination, error) {
	if path == "" {
		return c.stdout(), nil
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return nil, &outputError{path, err}
	}
	return &destination{Writer: file, name: path, file: file}, nil
}

// Write implements [io.Writer].
func (d *destination) Write(b []byte) (int, error) {
	n, err := d.Writer.Write(b)
	return n, d.word(err)
}

// commit completes the output.
func (d *destination) commit() error {
	if d.file == nil {
		return nil
	}
	return d.word(d.file.Commit())
}

// discard abandons the output. Standard output keeps what was written.
func (d *destination) discard() error {
	if d.file == nil {
		return nil
	}
	return d.word(d.file.Discard())
}

// word names the destination in an error, if there is one.
func (d *destination) word(err error) error {
	var named *outputError
	if err == nil || errors.As(err, &named) {
		return err
	}
	return &outputError{d.name, err}
}

// outputError is an error of an output, rather than of an input.
type outputError struct {
	name string
	err  error
}

func (e *outputError) Error() string { return "write " + e.name + ": " + trimPathError(e.err).Error() }

func (e *outputError) Unwrap() error { return e.err }

// write writes a whole file, or to standard output for "".
func (c *Command) write(path string, text []byte) error {
	out, err := c.openDestination(path)
	if err != nil {
		return err
	}
	return out.whole(text)
}

// whole writes all of the output.
func (d *destination) whole(text []byte) error {
	if _, err := d.Write(text); err != nil {
		return errors.Join(err, d.discard())
	}
	return d.commit()
}
