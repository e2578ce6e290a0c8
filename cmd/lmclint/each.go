package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/ordered"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/lint"
)

// inputRun is a command's run over its inputs: what check, fix, convert, timeline and
// diff have in common.
type inputRun struct {
	command     *Command
	inputs      []walk.Input
	stdin       string          // name of standard input
	skipUnknown bool            // named inputs of unknown protocol are skipped, too
	regularOnly bool            // pipes and devices are refused, unless they are standard input
	workers     int             // inputs at a time; 0 is one for each core
	meter       *progress.Meter // counts what is read, or nil
	details     *details

	current int             // the input whose results arrive now
	last    int             // the input with which the run ended early, or -1
	roots   map[string]bool // directories that were searched: whether one of their files has a known protocol
	skipped int             // inputs of unknown protocol
	trouble bool            // the run failed or is incomplete
}

func newInputRun(c *Command, inputs []walk.Input, stdin string, skipUnknown bool, d *details) inputRun {
	return inputRun{command: c, inputs: inputs, stdin: stdin, skipUnknown: skipUnknown, details: d, last: -1, roots: map[string]bool{}}
}

// outcome is what a command did with an input.
type outcome[Result any] struct {
	in     walk.Input
	path   string // of the input, or of the recording in it
	result Result
	err    error
}

// receiver receives what a command found, in the order of the inputs. Its methods
// are never called concurrently. An error ends the run.
type receiver[Item, Result any] interface {
	item(Item) error
	pause() error // no item may follow for long
	done(number int, o outcome[Result]) error
}

// task is the work on one input.
type task[Item, Result any] = ordered.Task[Item, outcome[Result]]

// each opens the inputs of a run and calls do for each of them, for several at a
// time. What do emits and returns goes to the receiver in the order of the inputs.
// A panic is an error of its input, and so is what interrupts it. Inputs of unknown
// protocol that need not be known are skipped. The error is one of the receiver.
func each[Item, Result any](
	ctx context.Context, r *inputRun, do func(context.Context, *opened, *task[Item, Result]) (Result, error), to receiver[Item, Result],
) error {
	work := func(ctx context.Context, t *task[Item, Result]) (o outcome[Result]) {
		in := &opened{in: r.inputs[t.Number], number: t.Number, meter: r.meter}
		in.name = nameOf(in.in, r.stdin)
		in.path = in.name
		defer func() { o.in, o.path = in.in, in.path }()
		defer recoverPanic(&o.err)
		defer in.close()
		if o.err = r.open(ctx, in, t.Pause); o.err == nil {
			o.result, o.err = do(ctx, in, t)
		}
		if o.err != nil && ctx.Err() != nil {
			o.err = context.Cause(ctx)
		}
		return o
	}
	return ordered.Run(ctx, len(r.inputs), r.jobs(), work, &turns[Item, Result]{r, to})
}

// open opens an input. It returns an error without opening it if the search failed for
// it, if it may be skipped and is an empty text or log, or if it is not a regular file
// where one is required.
func (r *inputRun) open(ctx context.Context, in *opened, pause func() error) error {
	switch {
	case in.in.Err != nil:
		return in.in.Err
	case r.skips(in.in) && isEmptyText(in.in.Path):
		return &lint.UnknownInputError{Looks: "it is empty"}
	case r.regularOnly && in.in.Path != walk.Stdin && !in.in.Regular:
		return errors.New("not a regular file: pass it as standard input, with -")
	}
	return in.open(ctx, r.command, pause)
}

// skips reports whether an input of unknown protocol is skipped rather than an
// error.
func (r *inputRun) skips(in walk.Input) bool { return !in.Named || r.skipUnknown }

// jobs returns how many inputs are worked on in parallel.
func (r *inputRun) jobs() int {
	jobs := r.workers
	if jobs == 0 {
		jobs = min(runtime.GOMAXPROCS(0), maxJobs)
	}
	return max(1, min(jobs, len(r.inputs)))
}

// interrupted prints that a signal ended the run, and returns its exit status.
func (r *inputRun) interrupted(ctx context.Context, what string) (status statusError, ok bool) {
	if status, ok = interruption(context.Cause(ctx)); ok {
		r.command.printError(errors.New("interrupted: " + what))
	}
	return status, ok
}

// printEmptyRoots reports the directories that were searched and have no file of
// a known protocol: the run is incomplete then.
func (r *inputRun) printEmptyRoots() {
	if !r.skipUnknown && r.command.printEmptyRoots(r.inputs, r.roots) {
		r.trouble = true
	}
}

// turns passes what is found in the inputs to a receiver. It implements
// [ordered.Output].
type turns[Item, Result any] struct {
	run *inputRun
	to  receiver[Item, Result]
}

// Item implements [ordered.Output].
func (t *turns[Item, Result]) Item(i Item) (err error) {
	defer recoverPanic(&err)
	if t.run.last >= 0 {
		return nil
	}
	return t.to.item(i)
}

// Pause implements [ordered.Output].
func (t *turns[Item, Result]) Pause() (err error) {
	defer recoverPanic(&err)
	return t.to.pause()
}

// Done implements [ordered.Output].
func (t *turns[Item, Result]) Done(number int, o outcome[Result]) (err error) {
	defer recoverPanic(&err)
	t.run.current = number + 1
	if t.run.last >= 0 && number != t.run.last {
		return nil // it was worked on in parallel with the input that ended the run
	}
	if unknown, ok := errors.AsType[*lint.UnknownInputError](o.err); ok && t.run.skips(o.in) && t.run.last < 0 {
		t.run.skipped++
		t.run.details.left(o.path, "skipped, "+unknown.Error())
		return nil
	}
	if o.in.Root != "" {
		t.run.roots[o.in.Root] = true
	}
	return t.to.done(number, o)
}

// opened is an input that a command works on.
type opened struct {
	input
	in         walk.Input
	number     int
	name, path string    // path is that of the recording in an archive, once that was opened
	reader     io.Reader // of all of the input, counted
	member     *archiveMember
	meter      *progress.Meter // or nil
}

func (o *opened) open(ctx context.Context, c *Command, pause func() error) (err error) {
	if o.input, err = c.open(ctx, o.in); err != nil {
		return err
	}
	o.reader = o.counted(o.input)
	if o.live && pause != nil {
		o.reader = &flushingReader{o.reader, pause}
	}
	return nil
}

func (o *opened) counted(r io.Reader) io.Reader {
	if o.meter == nil {
		return r
	}
	return o.meter.Reader(r)
}

// recording returns a reader of the recording in the input, which is read with
// another reader: the input itself unless it is an archive.
func (o *opened) recording(reader io.Reader) (io.Reader, error) {
	member, reader, err := openArchive(o.input, reader)
	if member == nil {
		return reader, err
	}
	o.member, o.path = member, o.path+"!"+member.name
	return o.counted(member), err
}

// close closes the input, which was only read.
func (o *opened) close() {
	if o.member != nil {
		_ = o.member.Close()
	}
	if o.ReadCloser != nil {
		_ = o.Close()
	}
}

// flushingReader calls pause before each read, which may block.
type flushingReader struct {
	io.Reader
	pause func() error
}

func (p *flushingReader) Read(b []byte) (int, error) {
	if err := p.pause(); err != nil {
		return 0, err
	}
	return p.Reader.Read(b)
}

// maxBlankBytes is the maximum size of a file that counts as blank.
const maxBlankBytes = 16

// isEmptyText reports whether a file is blank and has the extension of a log or
// a text, which many programs leave empty.
func isEmptyText(path string) bool {
	if extension := strings.ToLower(filepath.Ext(path)); extension != ".txt" && extension != ".log" {
		return false
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxBlankBytes {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && len(bytes.TrimSpace(text)) == 0
}
