package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/convert"
	"github.com/lmclint/lmclint/internal/quantity"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// convert converts the inputs that the operands name.
func (c *Command) convert(o *convertFlags, operands []string) error {
	if err := o.validate(); err != nil {
		return err
	}
	inputs, err := o.inputs(operands, c.details(false))
	if err != nil {
		return err
	}
	paths, err := o.outputPaths(inputs)
	if err != nil {
		return err
	}
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	r := &convertRun{command: c, flags: o, losses: map[convert.LossKind]int{}}
	for i, in := range inputs {
		if ctx.Err() != nil {
			break // printed once, at the end of the run
		}
		if err := r.input(ctx, in, paths[i]); err != nil {
			return err
		}
	}
	return r.conclude(ctx)
}

// convertRun is one run of convert over its inputs.
type convertRun struct {
	command *Command
	flags   *convertFlags
	losses  map[convert.LossKind]int
	written int  // inputs that were converted
	trouble bool // an input could not be converted
}

// input converts one input. Its error ends the run; one of the input does not.
func (r *convertRun) input(ctx context.Context, in walk.Input, path string) error {
	name := in.Path
	if in.Path == walk.Stdin {
		name = r.flags.stdinFilename
	}
	err := r.convert(ctx, in, name, path)
	var unknown *lint.UnknownInputError
	var failed *outputError
	var stopped *interrupt.Error
	switch {
	case err == nil:
		r.written++
		return nil
	case errors.As(err, &stopped):
		return nil
	case errors.As(err, &failed), isClosedPipe(err):
		return err
	case errors.As(err, &unknown):
		if !in.Named || r.flags.skipUnknown {
			return nil
		}
		err = errors.New("unknown protocol: " + unknown.Looks)
	}
	r.trouble = true
	r.command.printError(fmt.Errorf("%s: %w", name, trimPathError(err)))
	var panicked *lint.PanicError
	if errors.As(err, &panicked) {
		r.command.printStderr(string(panicked.Stack))
	}
	return nil
}

// convert converts an input to an output.
func (r *convertRun) convert(ctx context.Context, in walk.Input, name, path string) (err error) {
	defer recoverPanic(&err)
	if in.Err != nil {
		return in.Err
	}
	opened, err := r.command.open(ctx, in)
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
	inside, reader, err := openArchive(opened, opened)
	if err != nil {
		return err
	}
	if inside != nil {
		defer func() { _ = inside.Close() }()
		reader, name = inside, name+"!"+inside.name
	}
	out, err := r.command.openConverted(path)
	if err != nil {
		return err
	}
	if err := r.run(ctx, in, reader, out, name); err != nil {
		return errors.Join(err, out.discard())
	}
	return out.commit()
}

// run converts what a reader reads.
func (r *convertRun) run(ctx context.Context, in walk.Input, from io.Reader, to io.Writer, name string) (err error) {
	defer recoverPanic(&err)
	options := r.flags.options()
	options.Discovered = !in.Named || r.flags.skipUnknown
	options.Live = !r.command.isFile(in)
	result, err := convert.Run(ctx, from, to, options, func(l convert.Loss) { r.lose(name, l) })
	if err == nil && result.Upgraded && r.flags.fromVersion.value == "" {
		r.command.printStderr(report.EscapeControls(name+": records of Open Interpreter 0.1 became LMC (--from-version 0.1)") + "\n")
	}
	return err
}

// lose prints what could not be kept.
func (r *convertRun) lose(name string, l convert.Loss) {
	r.losses[l.Kind]++
	at := l.Place.Span.Start
	r.command.printStderr(report.EscapeControls(fmt.Sprintf("%s:%d:%d: %s: %s", name, at.Line, at.Column, l.Kind, l.Message)) + "\n")
}

// conclude prints the summary and returns the exit status.
func (r *convertRun) conclude(ctx context.Context) error {
	var stopped *interrupt.Error
	interrupted := errors.As(context.Cause(ctx), &stopped)
	if interrupted {
		r.command.printError(errors.New("interrupted: not everything is converted"))
	}
	var counts []string
	for _, kind := range []convert.LossKind{convert.LeftOut, convert.Changed, convert.Kept} {
		if n := r.losses[kind]; n > 0 {
			counts = append(counts, quantity.Number(n)+" "+string(kind))
		}
	}
	if len(counts) > 0 {
		r.command.printStderr(strings.Join(counts, ", ") + "\n")
	}
	switch {
	case interrupted:
		return interruptedStatus(stopped)
	case r.trouble:
		return statusError(exitTrouble)
	case r.written == 0:
		return errors.New("nothing was converted: no input is of a known protocol")
	case len(r.losses) > 0:
		return statusError(exitFindings)
	}
	return nil
}
