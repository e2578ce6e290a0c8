package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/ordered"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// inputRun is a command's run over its inputs: what check, fix, convert, timeline and
// diff have in common.
type inputRun struct {
	command     *Command
	flags       *checkFlags
	inputs      []walk.Input
	regularOnly bool                     // pipes and devices are refused, unless they are standard input
	inTurn      bool                     // one input at a time
	meter       *progress.Meter          // counts what is read
	explain     func(path, why string)   // says why an input was skipped
	finding     func(lint.Finding) error // receives what is found in the inputs, in their order, or nil
	flush       func() error             // called, in any goroutine, before reading may block; or nil

	current int             // the input whose results arrive now
	last    int             // the input with which the run ended early, or -1
	autoRun map[string]bool // dialects for which a note said that --auto-run changes nothing
	roots   map[string]bool // directories that were searched: whether one of their files has a known protocol
	skipped report.Unread   // inputs of unknown protocol
	links   report.Unread   // symbolic links in directories
	trouble bool            // the run failed or is incomplete
}

func newInputRun(c *Command, o *checkFlags, inputs []walk.Input) inputRun {
	return inputRun{
		command: c, flags: o, inputs: inputs, meter: &progress.Meter{}, explain: c.explainer(o.verbose),
		last: -1, roots: map[string]bool{}, autoRun: map[string]bool{},
	}
}

// outcome is what a command did with an input.
type outcome[Result any] struct {
	*opened
	result Result
	err    error
}

// each opens the inputs of a run and calls do for each of them, for several at a
// time. What do emits and returns is passed on in the order of the inputs, to the run's
// functions and to done, which are never called concurrently. A panic is an error of
// its input, and so is what interrupts it. Inputs of unknown protocol that need not be
// known are skipped. The error is one of these functions: it ends the run.
func each[Result any](
	ctx context.Context, r *inputRun, do func(context.Context, *opened) (Result, error), done func(outcome[Result]) error,
) error {
	work := func(ctx context.Context, number int, emit func(lint.Finding) error) (o outcome[Result]) {
		name := r.flags.nameOf(r.inputs[number])
		o.opened = &opened{in: r.inputs[number], skips: r.flags.skips(r.inputs[number]), number: number, name: name, path: name, meter: r.meter, emit: emit, flush: r.flush}
		defer recoverPanic(&o.err)
		defer o.close()
		if o.err = r.open(ctx, o.opened); o.err == nil {
			o.result, o.err = do(ctx, o.opened)
		}
		if o.err != nil && ctx.Err() != nil {
			o.err = context.Cause(ctx)
		}
		return o
	}
	found := func(f lint.Finding) (err error) {
		defer recoverPanic(&err)
		if r.last >= 0 {
			return nil
		}
		return r.finding(f)
	}
	ended := func(number int, o outcome[Result]) (err error) {
		defer recoverPanic(&err)
		r.current = number + 1
		if r.last >= 0 && number != r.last {
			return nil // it was worked on in parallel with the input that ended the run
		}
		if o.in.IsLink {
			r.links.Add(o.path)
			r.explain(o.path, "skipped, a symbolic link")
			return nil
		}
		if unknown, ok := errors.AsType[*lint.UnknownInputError](o.err); ok && o.skips && r.last < 0 {
			r.skipped.Add(o.path)
			r.explain(o.path, "skipped, "+unknown.Error())
			return nil
		}
		if o.in.Root != "" {
			r.roots[o.in.Root] = true
		}
		return done(o)
	}
	return ordered.Run(ctx, len(r.inputs), r.jobs(), work, ordered.Output[lint.Finding, outcome[Result]]{Item: found, Done: ended})
}

// errLink is the error of a symbolic link that was found in a directory: links are not
// followed.
var errLink = errors.New("a symbolic link")

// open opens an input. It returns an error without opening it if the search failed for
// it, if it may be skipped and is an empty text or log, or if it is not a regular file
// where one is required.
func (r *inputRun) open(ctx context.Context, in *opened) error {
	switch {
	case in.in.Err != nil:
		return in.in.Err
	case in.in.IsLink:
		return errLink
	case in.skips && (r.flags.skipUnknown || isText(in.in.Path)) && isBlank(in.in.Path):
		return &lint.UnknownInputError{Looks: "it is empty", Other: true}
	case r.regularOnly && in.in.Path != walk.Stdin && !in.in.Regular:
		return errors.New("not a regular file: pass it as standard input, with -")
	}
	return in.open(ctx, r.command)
}

// skips reports whether an input of unknown protocol is skipped rather than an
// error.
func (o *checkFlags) skips(in walk.Input) bool { return !in.Named || o.skipUnknown }

// jobs returns how many inputs are worked on in parallel.
func (r *inputRun) jobs() int {
	jobs := cmp.Or(int(r.flags.jobs.value), min(runtime.GOMAXPROCS(0), maxJobs))
	if r.inTurn {
		jobs = 1
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
	for _, in := range r.inputs {
		if in.Root != "" && !r.roots[in.Root] && !r.flags.skipUnknown {
			r.roots[in.Root], r.trouble = true, true // it is reported once
			r.command.printError(fmt.Errorf("%s: no LMC or Semantic Workbench files in this directory", in.Root))
		}
	}
}

// unread says which files and links a search left out, on a line, or nothing.
func (r *inputRun) unread() string {
	s := report.Summary{Skipped: r.skipped.Count, SkippedFiles: r.skipped, Links: r.links}
	if unread := s.Unread(); unread != "" {
		return unread + "\n"
	}
	return ""
}

// opened is an input that a command works on.
type opened struct {
	in         walk.Input
	skips      bool // it is skipped if its protocol is unknown
	number     int
	name, path string        // path is that of the recording in an archive, once that was opened
	file       io.ReadCloser // or nil
	live       bool          // reading may block until its writer writes
	reader     io.Reader     // of all of the input, counted
	member     io.ReadCloser // the recording in an archive, or nil
	meter      *progress.Meter

	emit  func(lint.Finding) error // passes on a finding, in its turn
	flush func() error             // called before reading may block, or nil
}

func (o *opened) open(ctx context.Context, c *Command) (err error) {
	if o.file, o.live, err = c.open(ctx, o.in, o.skips); err != nil {
		return err
	}
	o.reader = o.meter.Reader(o.file)
	if o.live && o.flush != nil {
		o.reader = &flushingReader{o.reader, o.flush}
	}
	return nil
}

// recording returns a reader of the recording in the input: of the input itself unless
// it is an archive.
func (o *opened) recording() (reader io.Reader, err error) {
	if o.member, reader, err = openArchive(o.file, o.reader); o.member == nil {
		return reader, err
	}
	o.path += "!" + workbench.ExportMember
	return o.meter.Reader(o.member), err
}

// close closes the input, which was only read.
func (o *opened) close() {
	for _, file := range []io.Closer{o.member, o.file} {
		if file != nil {
			_ = file.Close()
		}
	}
}

// flushingReader calls flush before each read, which may block.
type flushingReader struct {
	io.Reader
	flush func() error
}

func (f *flushingReader) Read(b []byte) (int, error) {
	if err := f.flush(); err != nil {
		return 0, err
	}
	return f.Reader.Read(b)
}

// isText reports whether a file has the extension of a log or a text, which many programs leave empty.
func isText(path string) bool {
	extension := strings.ToLower(filepath.Ext(path))
	return extension == ".txt" || extension == ".log"
}

// maxBlankBytes is the maximum size of a file that counts as blank.
const maxBlankBytes = 64 << 10

// isBlank reports whether a file has nothing but whitespace, and maybe a byte order mark.
func isBlank(path string) bool {
	info, ok := regularFile(path)
	if !ok || info.Size() > maxBlankBytes {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, 16)) // most have something there
	if err == nil && len(bytes.TrimSpace(text)) == 0 {
		text, err = io.ReadAll(file)
	}
	for _, mark := range []string{"\ufeff", "\xff\xfe", "\xfe\xff"} {
		text = bytes.TrimPrefix(text, []byte(mark))
	}
	return err == nil && len(bytes.TrimSpace(text)) == 0
}
