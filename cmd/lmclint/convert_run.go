package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/convert"
	"github.com/lmclint/lmclint/lint"
)

// convert converts the inputs that the operands name.
func (c *Command) convert(o *convertFlags, operands []string) error {
	if err := o.validate(); err != nil {
		return err
	}
	inputs, err := o.inputs(c, operands)
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
	name := nameOf(in, r.flags.stdinFilename)
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
	}
	r.trouble = true
	r.command.printFailure(name, err)
	return nil
}

// convert converts an input to an output.
func (r *convertRun) convert(ctx context.Context, in walk.Input, name, path string) (err error) {
	defer recoverPanic(&err)
	opened, err := r.command.openRecording(ctx, in, name)
	if err != nil {
		return err
	}
	defer opened.close()
	out, err := r.command.openConverted(path)
	if err != nil {
		return err
	}
	if err := r.run(ctx, in, opened, out); err != nil {
		return errors.Join(err, out.discard())
	}
	return out.commit()
}

// run converts a recording.
func (r *convertRun) run(ctx context.Context, in walk.Input, from *recording, to io.Writer) (err error) {
	defer recoverPanic(&err)
	options := r.flags.options()
	options.Discovered = !in.Named || r.flags.skipUnknown
	options.Live = !r.command.isFile(in)
	options.Source.Name = from.name
	result, err := convert.Run(ctx, from.reader, to, options, func(l convert.Loss) { r.lose(from.name, l) })
	if err == nil && result.Upgraded && r.flags.fromVersion.value == "" {
		r.command.printLine("%s: records of Open Interpreter 0.1 became LMC (--from-version 0.1)", from.name)
	}
	return err
}

// lose prints what could not be kept.
func (r *convertRun) lose(name string, l convert.Loss) {
	r.losses[l.Kind]++
	r.command.printAt(name, l.Place.Span.Start, "%s: %s", l.Kind, l.Message)
}

// conclude prints the summary and returns the exit status.
func (r *convertRun) conclude(ctx context.Context) error {
	status, interrupted := interruption(context.Cause(ctx))
	if interrupted {
		r.command.printError(errors.New("interrupted: not everything is converted"))
	}
	var counts []string
	for _, kind := range []convert.LossKind{convert.LeftOut, convert.Changed, convert.Kept} {
		if n := r.losses[kind]; n > 0 {
			counts = append(counts, humanize.Comma(int64(n))+" "+string(kind))
		}
	}
	if len(counts) > 0 {
		r.command.printStderr(strings.Join(counts, ", ") + "\n")
	}
	switch {
	case interrupted:
		return status
	case r.trouble:
		return statusError(exitTrouble)
	case r.written == 0:
		return errors.New("nothing was converted: no input has a known protocol")
	case len(r.losses) > 0:
		return statusError(exitFindings)
	}
	return nil
}
