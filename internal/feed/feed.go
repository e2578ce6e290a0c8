// Package feed lints an input whose program hands over one part after the other
// and wants the findings of each at once, such as a guard around a stream.
//
// A [Feed] is synchronous: the linter runs in a coroutine, which [Feed.Push]
// resumes and which returns when it has checked all that it has. No goroutine
// runs in between, so that it also works where there is one thread.
package feed

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/lmclint/lmclint/lint"
)

// Feed is one input that is being checked. It is not safe for concurrent use. A
// Feed that is not needed any more must be ended or closed, or its coroutine
// remains.
type Feed struct {
	resume func() (step, bool)
	stop   func()
	input  queue
	result lint.Result
	err    error // what the linter failed with
	ended  bool
}

// step is what the coroutine of the linter returns: a finding, or nil if it
// needs more of the input.
type step = *lint.Finding

// New starts the check of an input. Name is its path in findings. A linter with
// [lint.Config.Immediate] decides about each record at once; another one
// may wait for later records, to detect what the input is.
func New(linter *lint.Linter, name string) *Feed {
	f := &Feed{}
	f.result.Path = name
	f.resume, f.stop = iter.Pull(func(yield func(step) bool) {
		f.input.wait = func() bool { return yield(nil) }
		// Nothing cancels the run but stop, which ends the coroutine.
		f.result, f.err = linter.Run(context.Background(), name, &f.input, func(found lint.Finding) error {
			if !yield(&found) {
				return errClosed
			}
			return nil
		})
	})
	return f
}

// Push adds a part of the input, and returns the findings that are decided with
// it, in the order of lint.Lint. A record is checked once it is complete; that is
// the case for a line of JSON Lines when its line feed has arrived. An error says
// that the linter has failed, as in lint.Lint; every later call returns it, too.
// The text may be reused after the call.
func (f *Feed) Push(text []byte) ([]lint.Finding, error) {
	if err := f.failed(); err != nil {
		return nil, err
	}
	f.input.rest = text
	findings := f.run()
	f.input.rest = nil // if the linter has failed
	return findings, f.err
}

// End ends the input. It returns the findings that its end decides, and the
// result of the whole input, which is valid with an error, too.
func (f *Feed) End() ([]lint.Finding, lint.Result, error) {
	if f.ended {
		return nil, f.result, f.failed()
	}
	f.ended, f.input.ended = true, true
	findings := f.run()
	f.stop()
	return findings, f.result, f.err
}

// Close ends the check without the end of the input: nothing is reported for it.
// Close may be called several times, and after End.
func (f *Feed) Close() {
	f.ended = true
	f.stop()
	if errors.Is(f.err, errClosed) {
		f.err = nil
	}
}

// ErrEnded is returned for an input that was ended or closed before.
var ErrEnded = errors.New("the input has ended")

// errClosed ends the linter when the feed is closed.
var errClosed = errors.New("the feed was closed")

// failed returns why the feed takes no more of the input, nil if it does.
func (f *Feed) failed() error {
	if f.err == nil && f.ended {
		return ErrEnded
	}
	return f.err
}

// run resumes the linter until it needs more of the input or has ended.
func (f *Feed) run() (findings []lint.Finding) {
	for {
		found, ok := f.resume()
		if !ok || found == nil {
			return findings
		}
		findings = append(findings, *found)
	}
}

// queue is the input as the linter reads it.
type queue struct {
	rest  []byte
	ended bool
	wait  func() bool // returns to Push, until the next call; false if the feed is closed
}

// Read implements [io.Reader].
func (q *queue) Read(p []byte) (int, error) {
	for len(q.rest) == 0 {
		if q.ended {
			return 0, io.EOF
		}
		if !q.wait() {
			return 0, errClosed
		}
	}
	n := copy(p, q.rest)
	q.rest = q.rest[n:]
	return n, nil
}
