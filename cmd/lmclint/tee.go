package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/serve/feed"
	"github.com/lmclint/lmclint/internal/source"
	srcinput "github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
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

	held     []byte // read, not copied
	whole    int    // bytes of held that may be copied: whole lines
	checked  int64  // offset up to which records were checked
	passed   int64  // bytes copied
	consumer feed.Passed
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
	t.checked = max(t.checked, end)
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

// pass writes bytes to standard output.
func (t *tee) pass(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	n, err := t.dst.Write(text)
	t.passed += int64(n)
	t.consumer.Add(text)
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
		if errors.Is(err, errStopped) && isText {
			err = cmp.Or(t.close(result), err)
		}
		return result, err
	}
}

// close copies what ends a stream well, so that no consumer waits for its end, after the
// records that were checked on the line of the one that stopped it.
func (t *tee) close(result lint.Result) error {
	if result.Form == string(source.FormJSONL) && len(result.Closing) > 0 {
		if err := t.pass(t.held[:max(0, min(t.checked-t.passed, int64(len(t.held))))]); err != nil {
			return err
		}
	}
	return t.pass(t.consumer.Closing(result.Form, result.Closing))
}

// finish copies the rest of the input after its check, which may have ended
// earlier: at an unknown protocol, or at text that cannot be decoded. With stopOn,
// nothing is copied that was not checked, unless the input is skipped.
func (t *tee) finish(ctx context.Context, in *opened, checked error) error {
	_, unwritten := errors.AsType[*passError](checked)
	_, unknown := errors.AsType[*lint.UnknownInputError](checked)
	skipped := unknown && in.skips && ctx.Err() == nil
	switch {
	case checked == nil && t.stopOn != 0:
		return t.pass(t.held)
	case skipped && t.stopOn != 0:
		if err := t.pass(t.held); err != nil {
			return err
		}
		t.held, t.stopOn = nil, 0 // nothing stops what is not checked
	case t.stopOn != 0, unwritten, errors.Is(checked, errOutputClosed), ctx.Err() != nil:
		return checked
	}
	_, err := io.Copy(io.Discard, in.reader) // reading copies
	return cmp.Or(checked, err)
}

// errPackedLines ends a run whose lines cannot be acknowledged.
var errPackedLines = errors.New("--acknowledge reads lines, and the input is compressed")

// judgment is the line of --acknowledge. docs/machine.md and
// schema/report.schema.json describe it.
type judgment struct {
	Judged int `json:"judged"` // lines whose findings so far have been printed
}

// validateAcknowledge fails if a line could not be checked, or its findings not be
// read, before the next one. Detection would wait for several records, so the
// protocol and the form are set, too.
func (o *checkFlags) validateAcknowledge(list []target) error {
	if !o.acknowledge {
		return nil
	}
	form := string(source.FormJSONL)
	if o.kind.value == "session" {
		form = string(source.FormSessionLog)
	}
	jsonl := slices.ContainsFunc(list, func(t target) bool { return t.file == "" && t.format == report.FormatJSONL })
	switch {
	case !jsonl:
		return usagef("--acknowledge needs --format jsonl on standard output")
	case o.kind.value == auto:
		return usagef("--acknowledge needs --kind: its detection would wait for several records")
	case o.form.value != auto && o.form.value != form:
		return usagef("--acknowledge reads --form %s, not %s", form, o.form.value)
	case o.tee:
		return usagef("--acknowledge and --tee cannot be combined")
	case o.failFast:
		return usagef("--acknowledge and --fail-fast cannot be combined")
	}
	if o.protocol.value != auto {
		return o.flags.Set("form", form)
	}
	return errors.Join(o.flags.Set("protocol", "lmc"), o.flags.Set("form", form))
}

// acknowledged returns a runner that passes its input to the linter line by line, and
// prints a judgment when a line was checked.
func (r *checkRun) acknowledged(linter *lint.Linter) runner {
	var head []byte // the first bytes of the input
	var now judgment
	return byLine(linter, func(f *feed.Feed, line []byte) error {
		if missing := srcinput.ZipMagicBytes - len(head); missing > 0 {
			head = append(head, line[:min(len(line), missing)]...)
			if srcinput.IsCompressed(head) || srcinput.IsZip(head) {
				return errPackedLines
			}
		}
		if err := f.Push(line); err != nil || line[len(line)-1] != '\n' {
			return err
		}
		now.Judged++
		text, err := json.Marshal(now)
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		return r.out.printLine(text)
	}, nil)
}
