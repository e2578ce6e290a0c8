package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/assemble"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// assembleRun is one run of assemble over its streams.
type assembleRun struct {
	command   *Command
	flags     *assembleFlags
	out       *array
	assembler *assemble.Assembler
	path      string // of the stream that is being read
	mishaps   int
}

func newAssembleRun(c *Command, o *assembleFlags, out *array) *assembleRun {
	r := &assembleRun{command: c, flags: o, out: out}
	r.assembler = assemble.New(o.assembly(), out.add, r.tell)
	return r
}

// tell writes a mishap to standard error. What it quotes comes from outside.
func (r *assembleRun) tell(m assemble.Deviation) {
	r.mishaps++
	at := m.Place.Span.Start
	r.command.printStderr(report.EscapeControls(fmt.Sprintf("%s:%d:%d: %s: %s", r.path, at.Line, at.Column, m.Kind, m.Message)) + "\n")
}

// all reads the streams, up to where the consumer stops.
func (r *assembleRun) all(ctx context.Context, inputs []walk.Input) error {
	for _, in := range inputs {
		err := r.input(ctx, in)
		switch {
		case errors.Is(err, assemble.ErrStopped):
			r.command.printStderr("The consumer reads no more; --go-on passes over such records.\n")
			return r.assembler.Finish()
		case err != nil && r.path != "":
			return fmt.Errorf("%s: %w", r.path, trimPathError(err))
		case err != nil:
			return err
		}
	}
	return r.assembler.Finish()
}

func (r *assembleRun) input(ctx context.Context, in walk.Input) error {
	r.path = in.Path
	if in.Path == walk.Stdin {
		r.path = r.flags.stdinFilename
	}
	switch {
	case in.Err != nil:
		return in.Err
	case !in.Named:
		return errors.New("found in a directory: name the streams one by one, in their order")
	}
	opened, err := r.command.open(ctx, in)
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
	return r.read(ctx, opened)
}

// read feeds the assembler with the records of a stream.
func (r *assembleRun) read(ctx context.Context, in io.Reader) error {
	reader := source.NewReader(in, source.Options{
		Form: source.Form(unlessAuto(r.flags.form.value)), MaxRecordBytes: int64(r.flags.maxRecordBytes),
	})
	if err := r.begin(ctx, reader); err != nil {
		return err
	}
	for {
		rec, err := next(ctx, reader)
		if rec == nil || err != nil {
			return err
		}
		if err := r.add(rec); err != nil {
			return err
		}
	}
}

// next reads a record. It returns nil at the end.
func next(ctx context.Context, reader *source.Reader) (*source.Record, error) {
	rec, err := reader.Next()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, io.EOF):
		return nil, nil
	}
	return rec, err
}

// begin reads the first records, until they are known to be chunks, and feeds
// them to the assembler.
func (r *assembleRun) begin(ctx context.Context, reader *source.Reader) error {
	var first []*source.Record
	for known := false; !known; {
		rec, err := next(ctx, reader)
		if err != nil {
			return err
		}
		if rec != nil {
			first = append(first, rec.Clone())
		}
		if known, err = r.sniff(first, reader.Form(), rec == nil); err != nil {
			return err
		}
	}
	for _, rec := range first {
		if err := r.add(rec); err != nil {
			return err
		}
	}
	return nil
}

// sniff reports whether the first records are known to be chunks; final says
// that there are no more. It fails if they are something else.
func (r *assembleRun) sniff(first []*source.Record, form source.Form, final bool) (known bool, err error) {
	v := protocol.LMC{}.Sniff(first, form, lint.Config{FormNamed: r.flags.form.value != auto}, final)
	switch {
	case v.LooksLike != "":
		return false, errors.New("not LMC: " + v.LooksLike)
	case final && len(first) == 0 && !r.flags.allowEmpty:
		return false, errors.New("there is no record in it")
	case v.Inputs == lint.Transcripts && len(first) > 0 && first[0].Pointer != "":
		return false, errors.New("this is a transcript already: whole messages, and not the chunks of a stream")
	}
	return v.Kind != "", nil
}

// add feeds one record to the assembler.
func (r *assembleRun) add(src *source.Record) error {
	switch {
	case src.Binary:
		r.assembler.Binary(src)
		return nil
	case src.IsGap:
		return nil
	}
	for _, p := range src.Problems {
		if p.Fatal() && p.Kind != source.DuplicateKey {
			r.assembler.Unreadable(src, p.Detail)
			return nil
		}
	}
	return r.assembler.Add(lmc.NewRecord(src))
}

// conclude writes what there is, and decides the exit status.
func (r *assembleRun) conclude(ctx context.Context, err error) error {
	var stopped *interrupt.Error
	switch {
	case errors.As(context.Cause(ctx), &stopped):
		r.command.printError(errors.New("interrupted: the transcript is incomplete"))
		_ = r.out.discard()
		if stopped.Signal == syscall.SIGTERM {
			return statusError(exitTerminated)
		}
		return statusError(exitInterrupted)
	case err != nil:
		return errors.Join(err, r.out.discard())
	}
	if err := r.out.close(); err != nil {
		return err
	}
	if r.mishaps > 0 {
		return statusError(exitFindings)
	}
	return nil
}
