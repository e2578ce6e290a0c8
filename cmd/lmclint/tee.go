package main

import (
	"bytes"
	"context"
	"errors"
	"io"

	srcinput "github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/lint"
)

// errStopped ends a run whose pipe was closed at a finding.
var errStopped = errors.New("the pipe was closed at a finding")

// errNobodyListens ends a run when the reader of what is passed on went away.
var errOutputClosed = errors.New("the reader of standard output went away")

// passError is why standard input could not be passed on.
type passError struct{ err error }

func (e *passError) Error() string { return "write standard output: " + e.err.Error() }
func (e *passError) Unwrap() error { return e.err }

// tee passes standard input on, byte by byte as it is, while it is linted.
//
// With stops, it passes on nothing of the first record in which one of them is
// found, and nothing behind it: what was read is held back until the linter
// asks for more, because then it has judged it.
type tee struct {
	src   io.Reader
	dst   io.Writer
	stops func(lint.Finding) bool // nil: never

	held    []byte // read last, and not passed on yet
	passed  int64  // bytes that were passed on
	begun   bool
	packed  bool // compressed, so that places in the text are none in these bytes
	stopped bool
}

// Read passes on what it reads: at once, or what it gave before.
func (t *tee) Read(p []byte) (int, error) {
	if err := t.pass(t.held); err != nil {
		return 0, err
	}
	t.held = t.held[:0]
	n, err := t.src.Read(p)
	if !t.begun && n > 0 {
		t.begun = true
		t.packed = srcinput.IsCompressed(p[:n])
	}
	if t.stops != nil {
		t.held = append(t.held, p[:n]...)
		return n, err
	}
	if gone := t.pass(p[:n]); gone != nil {
		return n, gone
	}
	return n, err
}

// pass writes bytes to standard output.
func (t *tee) pass(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	n, err := t.dst.Write(text)
	t.passed += int64(n)
	switch {
	case isClosedPipe(err):
		return errOutputClosed
	case err != nil:
		return &passError{trimPathError(err)}
	}
	return nil
}

// found hears of a finding. With an error it ends the run, after what stands
// before the finding's line was passed on.
func (t *tee) found(f lint.Finding) error {
	if t.stops == nil || t.stopped || !t.stops(f) {
		return nil
	}
	t.stopped = true
	sound := t.held
	if at := f.Place.Span.Start.Offset - t.passed; t.packed || at < 0 {
		sound = nil
	} else if at < int64(len(sound)) {
		sound = sound[:at]
	}
	sound = sound[:bytes.LastIndexByte(sound, '\n')+1]
	t.held = nil
	if err := t.pass(sound); err != nil {
		return err
	}
	return errStopped
}

// finish passes on what was held back, unless the pipe was closed.
func (t *tee) finish() error {
	if t.stopped {
		return nil
	}
	return t.pass(t.held)
}

// newTee makes a tee as the flags ask for.
func (c *Command) newTee(o *checkFlags, src io.Reader) *tee {
	t := &tee{src: src, dst: c.Stdout}
	if o.stopOn.value != never {
		t.stops = func(f lint.Finding) bool { return f.Severity >= failOnSeverity(o.stopOn.value) }
	}
	return t
}

// runner is what lints an input: [lint.Linter.Run].
type runner func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error)

// teeing passes on what is linted.
func (r *checkRun) teeing(run runner) runner {
	return func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error) {
		through := r.command.newTee(r.flags, src)
		result, err := run(ctx, path, through, func(f lint.Finding) error {
			if err := emit(f); err != nil {
				return err
			}
			return through.found(f)
		})
		if err != nil {
			return result, err
		}
		return result, through.finish()
	}
}
