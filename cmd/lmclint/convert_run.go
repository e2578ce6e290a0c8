package main

import (
	"context"
	"errors"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/internal/convert"
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
	r := &convertRun{
		inputRun: newInputRun(c, inputs, o.stdinFilename, o.skipUnknown, c.details(false)),
		flags:    o, paths: paths, losses: map[convert.LossKind]int{},
	}
	r.workers = 1 // losses are printed as they occur
	if err := each(ctx, &r.inputRun, r.convert, r.done); err != nil {
		return err
	}
	return r.conclude(ctx)
}

// convertRun is one run of convert over its inputs.
type convertRun struct {
	inputRun
	flags   *convertFlags
	paths   []string // of the outputs, by input
	losses  map[convert.LossKind]int
	written int // inputs that were converted
}

// convert converts an input to its output.
func (r *convertRun) convert(ctx context.Context, in *opened) (_ struct{}, err error) {
	reader, err := in.recording(in.reader)
	if err != nil {
		return struct{}{}, err
	}
	out, err := r.command.openConverted(r.paths[in.number])
	if err != nil {
		return struct{}{}, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, out.discard())
		}
	}()
	defer recoverPanic(&err)
	options := r.flags.options()
	options.Discovered = r.skips(in.in)
	options.Live = !r.command.isFile(in.in)
	options.Source.Name = in.path
	result, err := convert.Run(ctx, reader, out, options, func(l convert.Loss) { r.lose(in.path, l) })
	if err != nil {
		return struct{}{}, err
	}
	if result.Upgraded && r.flags.fromVersion.value == "" {
		r.command.printLine("%s: records of Open Interpreter 0.1 became LMC (--from-version 0.1)", in.path)
	}
	return struct{}{}, out.commit()
}

// done counts an input. An error of the output ends the run.
func (r *convertRun) done(o outcome[struct{}]) error {
	var failed *outputError
	_, interrupted := interruption(o.err)
	switch {
	case o.err == nil:
		r.written++
	case interrupted: // printed once, at the end of the run
	case errors.As(o.err, &failed), isClosedPipe(o.err):
		return o.err
	default:
		r.trouble = true
		r.command.printFailure(nameOf(o.in, r.stdin), o.err)
	}
	return nil
}

// lose prints what could not be kept.
func (r *convertRun) lose(name string, l convert.Loss) {
	r.losses[l.Kind]++
	r.command.printAt(name, l.Place.Span.Start, "%s: %s", l.Kind, l.Message)
}

// conclude prints the summary and returns the exit status.
func (r *convertRun) conclude(ctx context.Context) error {
	status, interrupted := r.interrupted(ctx, "not everything is converted")
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
