// Package feed lints an input whose program hands over one part after the other
// and wants the findings of each at once, such as a guard around a stream.
//
// A [Feed] is synchronous: the linter runs in a coroutine, which [Feed.Push]
// resumes and which returns when it has checked all that it has. No goroutine
// runs in between, so that it also works where there is one thread.
package feed

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Feed is one input that is being checked. It is not safe for concurrent use. A
// Feed that is not needed any more must be ended or closed, or its coroutine
// remains.
type Feed struct {
	resume func() (struct{}, bool)
	stop   func()
	input  input
	result lint.Result
	err    error // what the linter ended with
	ended  bool
}

// New starts the check of an input. Name is its path in findings. Emit receives the
// findings; an error of it ends the linter. A linter with
// [lint.Config.Immediate] decides about each record at once, and calls checked, if that is
// not nil, with the offset up to which all records were checked; another one
// may wait for later records, to detect what the input is.
func New(ctx context.Context, linter *lint.Linter, name string, emit func(lint.Finding) error, checked func(end int64)) *Feed {
	f := &Feed{}
	f.result.Path = name
	f.input.checked = checked
	f.resume, f.stop = iter.Pull(func(yield func(struct{}) bool) {
		f.input.wait = func() bool { return yield(struct{}{}) }
		f.result, f.err = linter.Run(ctx, name, &f.input, emit)
	})
	return f
}

// Push adds a part of the input, and returns when the findings that are decided with
// it were emitted, in the order of lint.Lint. A record is checked once it is complete;
// that is the case for a line of JSON Lines when its line feed has arrived. An error says
// that the linter has ended, as in lint.Lint; every later call returns it, too.
// The text may be reused after the call.
func (f *Feed) Push(text []byte) error {
	if f.err != nil || f.ended {
		return cmp.Or(f.err, ErrEnded)
	}
	f.input.rest = text
	f.resume()
	f.input.rest = nil // if the linter has failed
	return f.err
}

// End ends the input, and returns when the findings that its end decides were emitted.
// The result is that of the whole input, and valid with an error, too.
func (f *Feed) End() (lint.Result, error) {
	if f.ended {
		return f.result, cmp.Or(f.err, ErrEnded)
	}
	f.ended, f.input.ended = true, true
	f.resume()
	f.stop()
	return f.result, f.err
}

// Close ends the check without the end of the input: nothing is reported for it.
// Close may be called several times, and after End. The result is that of what was
// pushed.
func (f *Feed) Close() (lint.Result, error) {
	f.ended = true
	f.stop()
	if errors.Is(f.err, errClosed) {
		f.err = nil
	}
	return f.result, f.err
}

// ErrEnded is returned for an input that was ended or closed before.
var ErrEnded = errors.New("the input has ended")

// errClosed ends the linter when the feed is closed.
var errClosed = errors.New("the feed was closed")

// input is the input as the linter reads it, a line at a time: when it reads on, it has
// checked all records of the one before.
type input struct {
	rest    []byte
	read    int64 // bytes that the linter has
	text    int64 // offset after the last of these that is not white space
	latest  int64 // the last argument of Checked
	checked func(end int64)
	ended   bool
	readAll bool        // the linter knows that it ended, and has read all records
	wait    func() bool // returns to Push, until the next call; false if the feed is closed
}

// Read implements [io.Reader].
func (in *input) Read(p []byte) (int, error) {
	if in.checked != nil {
		in.checked(in.latest)
	}
	for len(in.rest) == 0 {
		if in.ended {
			in.readAll = true
			return 0, io.EOF
		}
		if !in.wait() {
			return 0, errClosed
		}
	}
	line := in.rest
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i+1]
	}
	n := copy(p, line)
	if size := len(bytes.TrimRight(line[:n], " \t\r\n")); size > 0 {
		in.text = in.read + int64(size)
	}
	in.rest, in.read = in.rest[n:], in.read+int64(n)
	return n, nil
}

// Checked implements [lint.CheckedReader]. If the linter has read on, no other record
// that it read with this one is left.
func (in *input) Checked(end int64) {
	if in.latest = end; (in.text > end || in.readAll) && in.checked != nil {
		in.checked(end)
	}
}

// Passed is what a consumer got of a text, as far as its proper end depends on it.
type Passed struct {
	event []byte // the last line with the name of a server-sent event
	end   []byte // the last bytes, up to endBytes
}

// endBytes is the length of the longest empty line after a line.
const endBytes = len("\r\n\r\n")

// Add adds a part of the text, which begins where a line does or continues one.
func (p *Passed) Add(text []byte) {
	p.end = append(p.end, text[max(0, len(text)-endBytes):]...)
	p.end = p.end[max(0, len(p.end)-endBytes):]
	if i := bytes.LastIndex(text, []byte("event:")); i == 0 || i > 0 && text[i-1] == '\n' {
		line, _, _ := bytes.Cut(text[i:], []byte("\n"))
		p.event = bytes.Clone(line)
	}
}

// Closing returns the text that ends a text of a form with some records, so that no
// consumer waits for its end.
func (p *Passed) Closing(form string, records []string) (text []byte) {
	isEvents := form == string(source.FormSSE)
	endsLine := len(p.end) == 0 || p.end[len(p.end)-1] == '\n'
	if len(records) > 0 && (isEvents && !endsEvent(p.end) || !endsLine) {
		text = append(text, '\n') // a field follows the data of the last event, or another record a record
	}
	for _, record := range records {
		switch {
		case form == string(source.FormJSONL):
			text = fmt.Appendf(text, "%s\n", record)
		case isEvents:
			if p.event != nil {
				text = fmt.Appendf(text, "%s\n", p.event)
			}
			text = fmt.Appendf(text, "data: %s\n\n", record)
		}
	}
	return text
}

// endsEvent reports whether a text of server-sent events ends with an empty line.
func endsEvent(text []byte) bool {
	return bytes.HasSuffix(text, []byte("\n\n")) || bytes.HasSuffix(text, []byte("\r\n\r\n")) || bytes.HasSuffix(text, []byte("\r\r"))
}
