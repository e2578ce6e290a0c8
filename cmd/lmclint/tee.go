package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

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
// at once, or with stopOn only what was checked, in whole lines. The linter gets a
// line at a time, so that it has nothing else when it reads on: what it has said is
// checked may go out then. A JSON document goes out at its end, as compressed input
// does, because the places of records are not places in it.
type tee struct {
	lines  lineReader
	dst    io.Writer
	stopOn lint.Severity // 0: never
	hard   bool          // nothing ends the stream after a stop

	held    []byte // handed to the linter, not copied
	whole   int    // bytes of held that may be copied: whole lines
	passed  int64  // bytes copied
	checked int64  // the last argument of checkedTo
	event   []byte // the last line that was copied with the name of a server-sent event
}

// Read copies what it returns, or what was checked since the last call.
func (t *tee) Read(p []byte) (int, error) {
	if t.stopOn == 0 {
		n, err := t.lines.src.Read(p)
		if gone := t.pass(p[:n]); gone != nil {
			return n, gone
		}
		return n, err
	}
	if !t.lines.packed {
		t.settle(t.checked)
		if err := t.release(); err != nil {
			return 0, err
		}
	}
	if len(t.held) >= maxHeldBytes {
		return 0, errHeld
	}
	n, err := t.lines.Read(p)
	t.held = append(t.held, p[:n]...)
	return n, err
}

// lineReader reads lines as they arrive: at most the rest of one at a time.
type lineReader struct {
	src    io.Reader
	packed bool // src is compressed, and read as a whole

	head   []byte // its first bytes
	buffer []byte
	ahead  []byte // of buffer: read, not returned
	err    error  // of src, after ahead
}

// magicBytes is how many bytes identify a compression.
const magicBytes = 4

func (l *lineReader) Read(p []byte) (int, error) {
	for len(l.ahead) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		if l.buffer == nil {
			l.buffer = make([]byte, bufferBytes)
		}
		var n int
		n, l.err = l.src.Read(l.buffer)
		l.ahead = l.buffer[:n]
		if missing := magicBytes - len(l.head); missing > 0 {
			l.head = append(l.head, l.ahead[:min(n, missing)]...)
			l.packed = srcinput.IsCompressed(l.head) || srcinput.IsZip(l.head)
		}
	}
	line := l.ahead
	if i := bytes.IndexByte(line, '\n'); i >= 0 && !l.packed {
		line = line[:i+1]
	}
	n := copy(p, line)
	l.ahead = l.ahead[n:]
	return n, nil
}

// checkedTo notes that the input was checked up to an offset. If the linter has read
// on since, no other record that it read with this one is left. Of what is packed,
// which another goroutine may be reading, nothing is copied before the end.
func (t *tee) checkedTo(end int64) {
	if t.lines.packed {
		return
	}
	t.checked = end
	if from := end - t.passed; from >= 0 && from <= int64(len(t.held)) && len(bytes.TrimSpace(t.held[from:])) > 0 {
		t.settle(end)
	}
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
		return nil
	}
	err := t.pass(t.held[:t.whole])
	t.held, t.whole = append(t.held[:0], t.held[t.whole:]...), 0
	return err
}

// pass writes bytes to standard output.
func (t *tee) pass(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	n, err := t.dst.Write(text)
	t.passed += int64(n)
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

// found handles a finding. If it stops the run, what was checked before it is
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

// through returns a runner that reads its input through the tee, reports to the tee
// how far the input was checked, and stops at the first finding for which t.found
// returns an error.
func (t *tee) through(run runner) runner {
	return func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error) {
		result, err := run(ctx, path, teed{src, t}, func(f lint.Finding) error {
			if err := emit(f); err != nil {
				return err
			}
			return t.found(f)
		})
		if errors.Is(err, errStopped) && !t.hard && !t.lines.packed {
			err = cmp.Or(t.close(result), err)
		}
		return result, err
	}
}

// close copies what ends a stream well, so that no consumer waits for its end.
func (t *tee) close(result lint.Result) error {
	var text []byte
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

// teed is what is checked of an input that is read through a tee: all of it, or a
// member of the archive that it is.
type teed struct {
	io.Reader
	tee *tee
}

// Checked implements [lint.CheckedReader].
func (t teed) Checked(end int64) { t.tee.checkedTo(end) }

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
