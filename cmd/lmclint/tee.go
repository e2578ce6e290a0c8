package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/internal/serve/feed"
	"github.com/lmclint/lmclint/internal/source"
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
var errHeld = fmt.Errorf("--stop-on would have to hold back more than %d MiB of unchecked input", maxHeldBytes>>20)

// passError is a failure to copy standard input.
type passError struct{ err error }

func (e *passError) Error() string { return "write standard output: " + e.err.Error() }
func (e *passError) Unwrap() error { return e.err }

// tee copies standard input to standard output, unchanged, while it is linted:
// at once, or with stopOn only what was checked, in whole lines. A JSON document goes out
// at its end, as compressed input does, because the places of records are not places in it.
type tee struct {
	dst    io.Writer
	stopOn lint.Severity // 0: never
	hard   bool          // nothing ends the stream after a stop

	held   []byte // read, not copied
	whole  int    // bytes of held that may be copied: whole lines
	passed int64  // bytes copied
	event  []byte // the last line that was copied with the name of a server-sent event
	end    []byte // the last bytes that were copied, up to endBytes
}

// Write receives what is read.
func (t *tee) Write(p []byte) (int, error) {
	switch {
	case t.stopOn == 0:
		return len(p), t.pass(p)
	case len(t.held) >= maxHeldBytes:
		return 0, errHeld
	}
	t.held = append(t.held, p...)
	return len(p), nil
}

// settle adds the lines up to an offset to what may be copied, and blank lines
// after them.
func (t *tee) settle(end int64) {
	size := min(int(max(0, end-t.passed)), len(t.held))
	t.whole = max(t.whole, value.WholeLines(t.held, max(size, t.whole)))
}

// release copies the lines that were checked.
func (t *tee) release() error {
	if t.whole == 0 {
		return nil // held may be a long document
	}
	err := t.pass(t.held[:t.whole])
	t.held, t.whole = append(t.held[:0], t.held[t.whole:]...), 0
	return err
}

// endBytes is the length of the longest empty line after a line.
const endBytes = len("\r\n\r\n")

// pass writes bytes to standard output.
func (t *tee) pass(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	n, err := t.dst.Write(text)
	t.passed += int64(n)
	t.end = append(t.end, text[max(0, len(text)-endBytes):]...)
	t.end = t.end[max(0, len(t.end)-endBytes):]
	if i := bytes.LastIndex(text, []byte("event:")); t.stopOn != 0 && (i == 0 || i > 0 && text[i-1] == '\n') {
		line, _, _ := bytes.Cut(text[i:], []byte("\n"))
		t.event = bytes.Clone(line)
	}
	switch {
	case isClosedPipe(err):
		return errOutputClosed
	case err != nil:
		return &passError{trimPathError(err)}
	}
	return nil
}

// assumedDialect is the dialect of a stream for [lint.Config.Immediate] until
// another one shows.
const assumedDialect = "interpreter"

// explain says which dialect a stream was checked as, if none was named: with
// stopOn the linter does not wait until it is detected.
func (t *tee) explain(c *Command, named string, result lint.Result) {
	if t == nil || t.stopOn == 0 || named != "" && named != auto || result.Kind != "stream" || result.Dialect == "" {
		return
	}
	checked := fmt.Sprintf("the stream was checked as dialect %s; if it is from the server, pass --dialect server", assumedDialect)
	if d := result.Dialect; d != assumedDialect {
		checked = fmt.Sprintf("up to the first record of dialect %[1]s, the stream was checked as dialect %[2]s; pass --dialect %[1]s", d, assumedDialect)
	}
	c.printStderr(name + ": --stop-on does not wait to detect the dialect: " + checked + "\n")
}

// runner is the type of [lint.Linter.Run].
type runner func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error)

// byLine returns a runner that reads its input a line at a time. Push receives each line,
// or as much of it as has arrived, and passes it to the linter; checked receives the offset
// up to which the input was checked.
func byLine(linter *lint.Linter, push func(f *feed.Feed, line []byte) error, checked func(end int64)) runner {
	return func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error) {
		f := feed.New(ctx, linter, path, emit, checked)
		lines := bufio.NewReaderSize(src, bufferBytes)
		for {
			_, err := lines.Peek(1)
			if errors.Is(err, io.EOF) {
				return f.End()
			}
			if err == nil {
				line, _ := lines.Peek(lines.Buffered())
				if i := bytes.IndexByte(line, '\n'); i >= 0 {
					line = line[:i+1]
				}
				err = push(f, line)
				_, _ = lines.Discard(len(line)) // it is buffered
			}
			if err != nil {
				result, failed := f.Close()
				return result, cmp.Or(failed, err)
			}
		}
	}
}

// gate returns a runner for what is read through the tee. It copies each line when the
// linter has checked it, and stops before the first record with a finding of stopOn.
func (t *tee) gate(linter *lint.Linter) runner {
	isText := false
	push := func(f *feed.Feed, line []byte) error {
		if t.passed == 0 {
			head := t.held[:min(len(t.held), srcinput.ZipMagicBytes)]
			isText = !srcinput.IsCompressed(head) && !srcinput.IsZip(head)
		}
		if err := f.Push(line); err != nil {
			return err
		}
		return t.release()
	}
	checked := func(end int64) {
		if isText {
			t.settle(end)
		}
	}
	run := byLine(linter, push, checked)
	return func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error) {
		result, err := run(ctx, path, src, func(f lint.Finding) error {
			if err := emit(f); err != nil || f.Severity < t.stopOn {
				return err
			}
			return cmp.Or(t.release(), errStopped)
		})
		if errors.Is(err, errStopped) && !t.hard && isText {
			err = cmp.Or(t.close(result), err)
		}
		return result, err
	}
}

// close copies what ends a stream well, so that no consumer waits for its end.
func (t *tee) close(result lint.Result) error {
	var text []byte
	if result.Form == string(source.FormSSE) && len(result.Closing) > 0 && !endsEvent(t.end) {
		text = append(text, '\n') // a field follows the data of the last event
	}
	for _, record := range result.Closing {
		switch result.Form {
		case string(source.FormJSONL):
			text = fmt.Appendf(text, "%s\n", record)
		case string(source.FormSSE):
			if t.event != nil {
				text = fmt.Appendf(text, "%s\n", t.event)
			}
			text = fmt.Appendf(text, "data: %s\n\n", record)
		}
	}
	return t.pass(text)
}

// endsEvent reports whether a text of server-sent events ends with an empty line.
func endsEvent(text []byte) bool {
	return bytes.HasSuffix(text, []byte("\n\n")) || bytes.HasSuffix(text, []byte("\r\n\r\n")) || bytes.HasSuffix(text, []byte("\r\r"))
}

// finish copies the rest of the input after its check, which may have ended
// earlier: at an unknown protocol, or at text that cannot be decoded. With stopOn,
// nothing is copied that was not checked.
func (t *tee) finish(ctx context.Context, rest io.Reader, checked error) error {
	_, unwritten := errors.AsType[*passError](checked)
	switch {
	case checked == nil && t.stopOn != 0:
		return t.pass(t.held)
	case t.stopOn != 0, unwritten, errors.Is(checked, errOutputClosed), ctx.Err() != nil:
		return checked
	}
	_, err := io.Copy(io.Discard, rest) // reading copies
	return cmp.Or(checked, err)
}
