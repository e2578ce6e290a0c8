package main

import (
	"bytes"
	"context"
	"errors"
	"io"

	srcinput "github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/lint"
)

// errStopped ends a run whose output was closed at a finding.
var errStopped = errors.New("the pipe was closed at a finding")

// errOutputClosed ends a run when the reader of its output closed it.
var errOutputClosed = errors.New("the reader of standard output went away")

// passError is a failure to copy standard input.
type passError struct{ err error }

func (e *passError) Error() string { return "write standard output: " + e.err.Error() }
func (e *passError) Unwrap() error { return e.err }

// tee copies standard input to standard output, unchanged, while it is linted.
//
// With stops, it copies nothing from the first record on that has such a
// finding: bytes are held back until the linter reads more, because then it has
// checked them.
type tee struct {
	src   io.Reader
	dst   io.Writer
	stops func(lint.Finding) bool // nil: never

	held    []byte // read last, not yet copied
	passed  int64  // bytes copied
	begun   bool
	packed  bool // compressed: offsets of findings are not offsets in these bytes
	stopped bool
}

// Read copies what it returns: immediately, or with stops what the last call
// returned.
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

// found handles a finding. If it stops the run, it copies the lines before the
// finding's and returns an error.
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

// finish copies what was held back, unless the run was stopped.
func (t *tee) finish() error {
	if t.stopped {
		return nil
	}
	return t.pass(t.held)
}

// newTee returns a tee with the flags' options.
func (c *Command) newTee(o *checkFlags, src io.Reader) *tee {
	t := &tee{src: src, dst: c.Stdout}
	if o.stopOn.value != never {
		t.stops = func(f lint.Finding) bool { return f.Severity >= failOnSeverity(o.stopOn.value) }
	}
	return t
}

// runner is the type of [lint.Linter.Run].
type runner func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error)

// teeing returns a runner that copies its input.
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
