package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	srcinput "github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
)

// errStopped ends a run whose output was closed at a finding.
var errStopped = errors.New("the pipe was closed at a finding")

// errOutputClosed ends a run when the reader of its output closed it.
var errOutputClosed = errors.New("the reader of standard output went away")

// maxHeldBytes is the maximum size in bytes of what a tee holds back.
const maxHeldBytes = 256 << 20

// errHeld ends a run that would have to hold back more than maxHeldBytes.
var errHeld = fmt.Errorf("--stop-on would have to hold back more than %d MiB of undecided input", maxHeldBytes>>20)

// passError is a failure to copy standard input.
type passError struct{ err error }

func (e *passError) Error() string { return "write standard output: " + e.err.Error() }
func (e *passError) Unwrap() error { return e.err }

// tee copies standard input to standard output, unchanged, while it is linted:
// at once, or with stopOn only what is decided, in whole lines. Compressed input
// is decided at its end, because the places of findings are not places in it.
type tee struct {
	src    io.Reader
	dst    io.Writer
	stopOn lint.Severity // 0: never

	held    []byte // read, not yet copied
	passed  int64  // bytes copied
	packed  bool   // the input is compressed
	settled int    // bytes of held that may be copied: whole lines
	decided int64  // offset up to which no finding stops the copy
}

// Read copies what it returns, or what was decided since the last call.
func (t *tee) Read(p []byte) (int, error) {
	if t.stopOn == 0 {
		n, err := t.src.Read(p)
		if gone := t.pass(p[:n]); gone != nil {
			return n, gone
		}
		return n, err
	}
	if err := t.release(); err != nil {
		return 0, err
	}
	room := maxHeldBytes - len(t.held)
	if room == 0 {
		return 0, errHeld
	}
	n, err := t.src.Read(p[:min(len(p), room)])
	t.held = append(t.held, p[:n]...)
	if t.passed == 0 && !t.packed {
		t.packed = srcinput.IsCompressed(t.held) || srcinput.IsZip(t.held)
	}
	return n, err
}

// decide sets the offset up to which no finding stops the copy.
func (t *tee) decide(offset int64) {
	t.decided = offset
	t.settle()
}

// settle adds the lines that are decided to what may be copied, and blank lines
// after them.
func (t *tee) settle() {
	if t.packed || t.decided == 0 {
		return // another goroutine may be reading what is packed
	}
	size := min(int(t.decided-t.passed), len(t.held))
	t.settled = max(t.settled, value.WholeLines(t.held, max(size, t.settled)))
}

// release copies the lines that are decided.
func (t *tee) release() error {
	t.settle()
	if t.settled == 0 {
		return nil
	}
	err := t.pass(t.held[:t.settled])
	t.held, t.settled = t.held[t.settled:], 0
	return err
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

// found handles a finding. If it stops the run, what was decided before it is
// copied, and the result is an error.
func (t *tee) found(f lint.Finding) error {
	if t.stopOn == 0 || f.Severity < t.stopOn {
		return nil
	}
	if err := t.release(); err != nil {
		return err
	}
	return errStopped
}

// newTee returns a tee with the flags' options, nil without --tee.
func (c *Command) newTee(o *checkFlags) *tee {
	if !o.tee {
		return nil
	}
	t := &tee{dst: c.Stdout}
	if o.stopOn.value != never {
		t.stopOn = failOnSeverity(o.stopOn.value)
	}
	return t
}

// options returns the options of a linter for the tee.
func (t *tee) options() []lint.Option {
	if t == nil || t.stopOn == 0 {
		return nil
	}
	return []lint.Option{lint.WithStopOn(t.stopOn)}
}

// assumedDialect is the dialect of a stream for [lint.WithStopOn] until another one
// shows.
const assumedDialect = "interpreter"

// explain says which dialect a stream was checked as, if none was named: with
// stopOn the linter does not wait until it is detected.
func (t *tee) explain(c *Command, named string, result lint.Result) {
	if t == nil || t.stopOn == 0 || named != "" && named != auto || result.Kind != "stream" || result.Dialect == "" {
		return
	}
	if result.Dialect != assumedDialect {
		c.printStderr(fmt.Sprintf("%s: --stop-on does not wait to detect the dialect: up to the first record of dialect %[2]s, the stream was checked as dialect %[3]s; pass --dialect %[2]s\n", name, result.Dialect, assumedDialect))
		return
	}
	c.printStderr(fmt.Sprintf("%s: --stop-on does not wait to detect the dialect: the stream was checked as dialect %s; if it is from the server, pass --dialect server\n", name, result.Dialect))
}

// runner is the type of [lint.Linter.Run].
type runner func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error)

// through returns a runner that tells the tee what is decided, and stops at a
// finding. Its input is read through the tee.
func (t *tee) through(run runner) runner {
	return func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error) {
		return run(ctx, path, teed{src, t}, func(f lint.Finding) error {
			if err := emit(f); err != nil {
				return err
			}
			return t.found(f)
		})
	}
}

// teed is what is checked of an input that is read through a tee: all of it, or a
// member of the archive that it is.
type teed struct {
	io.Reader
	tee *tee
}

// Decided implements [lint.Gate].
func (t teed) Decided(offset int64) { t.tee.decide(offset) }

// finish copies the rest of the input after its check, which may have ended
// earlier: at an unknown protocol, or at text that cannot be decoded. With stopOn,
// nothing is copied that was not checked.
func (t *tee) finish(ctx context.Context, checked error) error {
	_, unwritten := errors.AsType[*passError](checked)
	switch {
	case checked == nil && t.stopOn != 0:
		return t.pass(t.held)
	case t.stopOn != 0, unwritten, errors.Is(checked, errOutputClosed), ctx.Err() != nil:
		return checked
	}
	_, err := io.Copy(io.Discard, t) // Read copies
	return cmp.Or(checked, err)
}
