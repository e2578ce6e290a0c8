package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/ordered"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/model/workbench"
	srcinput "github.com/lmclint/lmclint/internal/source/input"
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

// open opens an input. Reading one that is live, such as a pipe, may block until its
// writer writes, and ends with the context. With skips, one of unknown protocol is skipped.
func (c *Command) open(ctx context.Context, in walk.Input, skips bool) (file io.ReadCloser, live bool, err error) {
	open := func() (io.ReadCloser, error) { return os.Open(in.Path) }
	switch live = c.isLive(in); {
	case in.Path == walk.Stdin && !live:
		return io.NopCloser(c.Stdin), false, nil
	case in.Path == walk.Stdin:
		if _, ok := terminal(c.Stdin); ok {
			c.printStderr(name + ": reading standard input, which is a terminal; Ctrl-D ends it\n")
		}
		open = func() (io.ReadCloser, error) { return io.NopCloser(c.Stdin), nil }
	case !live:
		file, err := os.Open(in.Path)
		if err != nil {
			return nil, false, err
		}
		if err := rejectOther(file, skips); err != nil {
			return nil, false, errors.Join(err, file.Close())
		}
		return file, false, nil
	}
	return interrupt.NewReader(ctx, open), true, nil
}

// isLive reports whether reading an input may block until its writer writes.
func (c *Command) isLive(in walk.Input) bool {
	if in.Path != walk.Stdin {
		return !in.Regular
	}
	f, ok := c.Stdin.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err != nil || !info.Mode().IsRegular()
}

// regularFile returns the regular file at a path, if there is one.
func regularFile(path string) (os.FileInfo, bool) {
	if path == "" || path == walk.Stdin {
		return nil, false
	}
	info, err := os.Stat(path)
	return info, err == nil && info.Mode().IsRegular()
}

// maxPipedArchive is the maximum size in bytes of an archive from a pipe. The
// list of its files is at its end, so that it is read as a whole.
const maxPipedArchive = 256 << 20

// openArchive opens the recording in an input that is an archive. Otherwise it
// returns a reader of the input from its beginning, and no recording.
func openArchive(in io.ReadCloser, reader io.Reader) (recording io.ReadCloser, whole io.Reader, err error) {
	if file, ok := in.(*os.File); ok {
		head := make([]byte, srcinput.ZipMagicBytes)
		if n, _ := file.ReadAt(head, 0); !srcinput.IsZip(head[:n]) {
			return nil, reader, nil
		}
		info, err := file.Stat()
		if err != nil {
			return nil, reader, err
		}
		recording, err = openMember(file, info.Size())
		return recording, reader, err
	}
	buffered := bufio.NewReaderSize(reader, bufferBytes)
	first, _ := buffered.Peek(1)
	if !bytes.HasPrefix(first, []byte("P")) {
		return nil, buffered, nil // the writer may wait for an answer before it writes more
	}
	if head, _ := buffered.Peek(srcinput.ZipMagicBytes); !srcinput.IsZip(head) {
		return nil, buffered, nil
	}
	data, err := io.ReadAll(io.LimitReader(buffered, maxPipedArchive+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) > maxPipedArchive {
		return nil, nil, fmt.Errorf("a zip archive from a pipe exceeds %d bytes: save it as a file first", maxPipedArchive)
	}
	recording, err = openMember(bytes.NewReader(data), int64(len(data)))
	return recording, nil, err
}

func openMember(archive io.ReaderAt, size int64) (io.ReadCloser, error) {
	recording, err := srcinput.OpenMember(archive, size, workbench.ExportMember, srcinput.DefaultMaxUnpackedBytes)
	if errors.Is(err, srcinput.ErrNoMember) {
		err = &lint.UnknownInputError{Looks: "a zip archive without " + workbench.ExportMember + ", so not a Semantic Workbench export", Other: true}
	}
	return recording, err
}

// headBytes is how much of a file shows whether it is a report or an archive.
const headBytes = 2 << 10

// ownReport matches the start of a text that quotes records: a report of
// lmclint as text, concise, github or jsonl, what it prints to standard error, and
// a unified diff.
var ownReport = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:error|warning|note)\[(?:LMC|WB)\d{3}\]: |::(?:error|warning|notice) title=(?:LMC|WB)\d{3} |` +
		`\{"rule":"(?:LMC|WB)\d{3}","name":"|lmclint: |` +
		`[^\n]*:\d+:\d+: (?:error|warning|note): [^\n]* \[(?:LMC|WB)\d{3} [a-z0-9-]+\]|--- [^\n]+\n\+\+\+ [^\n]+\n@@ -)`)
})

// colorCode matches what a terminal shows as colors and links.
var colorCode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\`)
})

// rejectOther fails if a file is something that has records in it and is no
// recording: a report that is kept beside recordings is not checked with them. Nor
// is, of what is skipped if its protocol is unknown, a text in UTF-16 that names no role.
func rejectOther(file io.ReaderAt, skips bool) error {
	buffer := make([]byte, headBytes)
	n, _ := file.ReadAt(buffer, 0) // what cannot be read is an error later
	head := buffer[:n]
	isWide := bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.IndexByte(head[:min(n, 2)], 0) >= 0
	if skips && isWide && !bytes.Contains(bytes.ReplaceAll(head, []byte{0}, nil), []byte("role")) {
		return &lint.UnknownInputError{Looks: "it is UTF-16, and names no role", Other: true}
	}
	const object = `{"rule":"`
	if n == 0 || head[0] == '[' || head[0] == '{' && !bytes.HasPrefix(head, []byte(object)) {
		return nil
	}
	if head = colorCode().ReplaceAll(head, nil); !ownReport().Match(head) {
		return nil
	}
	if bytes.HasPrefix(head, []byte("---")) {
		return &lint.UnknownInputError{Looks: "it is a unified diff", Other: true}
	}
	return &lint.UnknownInputError{Looks: "it is a report of lmclint", Other: true}
}
