package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/source"
)

// input is an input that was opened.
type input struct {
	io.ReadCloser
	live bool // reading may wait for whoever writes
}

// Ready implements [source.Ready].
func (in input) Ready() int {
	if in.live {
		return source.AvailableBytes(in.ReadCloser)
	}
	return math.MaxInt
}

// open opens an input. What may block for ever, such as a pipe, is read so
// that an interrupt ends it.
func (c *Command) open(ctx context.Context, in walk.Input) (input, error) {
	switch {
	case in.Path == walk.Stdin:
		return c.openStdin(ctx), nil
	case in.Regular:
		file, err := openRegular(in.Path)
		return input{ReadCloser: file}, err
	}
	return live(ctx, func() (io.ReadCloser, error) { return os.Open(in.Path) }), nil
}

func (c *Command) openStdin(ctx context.Context) input {
	if f, ok := c.Stdin.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return input{ReadCloser: io.NopCloser(f)}
		}
	}
	return live(ctx, func() (io.ReadCloser, error) { return io.NopCloser(c.Stdin), nil })
}

func live(ctx context.Context, open func() (io.ReadCloser, error)) input {
	return input{interrupt.NewReader(ctx, open), true}
}

// withoutOutput leaves out the file that is to be written, where a walk found
// it. It fails where the user named it: what is written would replace it.
func withoutOutput(inputs []walk.Input, output string) ([]walk.Input, error) {
	target, ok := regularFile(output)
	if !ok {
		return inputs, nil
	}
	var kept []walk.Input
	for _, in := range inputs {
		info, ok := regularFile(in.Path)
		switch {
		case !ok || !os.SameFile(info, target):
			kept = append(kept, in)
		case in.Named:
			return nil, fmt.Errorf("the output %s would replace the input %s", output, in.Path)
		}
	}
	return kept, nil
}

// withoutReports is withoutOutput for several files.
func withoutReports(inputs []walk.Input, list []target) ([]walk.Input, error) {
	for _, to := range list {
		rest, err := withoutOutput(inputs, to.file)
		if err != nil {
			return nil, err
		}
		inputs = rest
	}
	return inputs, nil
}

func regularFile(path string) (os.FileInfo, bool) {
	if path == "" || path == walk.Stdin {
		return nil, false
	}
	info, err := os.Stat(path)
	return info, err == nil && info.Mode().IsRegular()
}
