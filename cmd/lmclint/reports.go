package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/internal/base/atomicfile"
	"github.com/lmclint/lmclint/internal/show/timeline"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// target is a report and where it goes.
type target struct {
	format report.Format
	file   string // "" is standard output
}

// targets is the value of --format, which may be given several times.
type targets struct{ list []target }

// String implements [pflag.Value]: the help shows no default.
func (t *targets) String() string { return "" }

// Type implements [pflag.Value].
func (t *targets) Type() string { return "FORMAT[:FILE]" }

// Set implements [pflag.Value]. It fails on an unknown format.
func (t *targets) Set(text string) error {
	word, file, named := strings.Cut(text, ":")
	if !slices.Contains(words(report.Formats()), word) {
		return invalidChoice(word, words(report.Formats()))
	}
	if named && file == "" {
		return errors.New("missing file name after the colon")
	}
	if isStdout(file) {
		file = ""
	}
	t.list = append(t.list, target{report.Format(word), file})
	return nil
}

// resolve returns the reports, text without --format. It fails if two of them have
// the same destination.
func (t *targets) resolve() ([]target, error) {
	list := slices.Clone(t.list)
	if len(list) == 0 {
		list = []target{{format: report.Formats()[0]}}
	}
	for i, each := range list {
		for _, other := range list[:i] {
			switch {
			case each.file == "" && other.file == "":
				return nil, usagef("standard output takes one report, not %s and %s: name a file, as in --format %[2]s:FILE", other.format, each.format)
			case each.file != "" && sameFile(each.file, other.file):
				return nil, usagef("the reports %s and %s go to the same file, %s", other.format, each.format, each.file)
			}
		}
	}
	return list, nil
}

// filesOf returns the files of reports.
func filesOf(list []target) []string {
	var files []string
	for _, each := range list {
		if each.file != "" {
			files = append(files, each.file)
		}
	}
	return files
}

// sameFile reports whether two paths name one file, which need not exist.
func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	first, ok := regularFile(a)
	second, also := regularFile(b)
	if ok && also {
		return os.SameFile(first, second)
	}
	absolute, err := filepath.Abs(a)
	other, failed := filepath.Abs(b)
	return err == nil && failed == nil && atomicfile.Target(absolute) == atomicfile.Target(other)
}

// bufferBytes is the size of a report's buffer. It is flushed when it is half
// full, so that few findings are split over two writes.
const bufferBytes = 64 << 10

// output is an open report.
type output struct {
	*destination
	reporter report.Reporter
	buffer   *bufio.Writer
	format   report.Format
	gone     bool // its reader closed it
	broken   bool // the reporter panicked, so that it may lack findings
}

// openOutput opens a report to standard output or to a file, which must not be a
// recording.
func (c *Command) openOutput(ctx context.Context, o *checkFlags, at target, line *progress.Line) (*output, error) {
	if _, isOpen := descriptorAt(at.file); !isOpen && c.isRecording(ctx, at.file) {
		return nil, fmt.Errorf("the output %s would replace a recording: delete it first, or name another file", at.file)
	}
	to, err := c.openDestination(at.file)
	if err != nil {
		return nil, err
	}
	if o.tee && to.file == nil {
		to.name, to.Writer = "standard error", c.Stderr
	}
	out := &output{destination: to}
	looks := c.looks(&o.looksFlags, to.Writer, to.file != nil)
	looks.Rendered = o.rendered
	_, looks.Fixes = terminal(to.Writer)
	if at.format == report.FormatHTML || at.format == report.FormatSARIF {
		looks.RulePage = pageOfRule
	}
	return out, out.report(at.format, line.Guard(to.Writer), looks)
}

// report makes the reporter. The format is valid.
func (out *output) report(f report.Format, w io.Writer, looks report.Options) error {
	out.buffer = bufio.NewWriterSize(w, bufferBytes)
	reporter, err := report.New(f, out.buffer, looks)
	out.reporter, out.format = reporter, f
	return err
}

// call calls the reporter. A panic in it is returned as an error, so that the
// other reports are still written.
func (out *output) call(do func(*output) error) (err error) {
	defer recoverPanic(&err)
	if err := do(out); err != nil {
		return err
	}
	if out.buffer.Buffered() > bufferBytes/2 {
		return out.buffer.Flush()
	}
	return nil
}

// discard abandons the report. Standard output keeps what was reported.
func (out *output) discard() error {
	if out.file == nil {
		_ = out.buffer.Flush() // the run has failed already
	}
	return out.destination.discard()
}

// close commits the report. One that may lack findings does not replace its
// file.
func (out *output) close() error {
	if out.broken {
		return out.destination.discard()
	}
	return out.commit()
}

// outputs are the reports of a run, as one reporter. It is safe for concurrent
// use.
type outputs struct {
	mu       sync.Mutex // held while a reporter or a buffer is in use
	all      []*output
	panicked *lint.PanicError // the first panic in a reporter, nil if there was none
}

// found is the findings of an input that is being read. They are complete when it was read:
// how many places they have is known then. Reports wait for that, but of a live input those
// that show each finding as it comes.
type found struct {
	findings []lint.Finding
	live     bool
}

// reportOptions returns the options of a linter that the reports need.
func reportOptions(list []target) []lint.Option {
	needs := func(what func(report.Format) bool) bool {
		return slices.ContainsFunc(list, func(t target) bool { return what(t.format) })
	}
	var options []lint.Option
	if needs(report.Format.Observes) {
		options = append(options, lint.WithObserver(timeline.Observe))
	}
	return options
}

// openOutputs opens the reports of a run.
func (c *Command) openOutputs(ctx context.Context, o *checkFlags, list []target, line *progress.Line) (*outputs, error) {
	outs := &outputs{}
	for _, each := range list {
		out, err := c.openOutput(ctx, o, each, line)
		if err != nil {
			return nil, errors.Join(err, outs.discard())
		}
		outs.all = append(outs.all, out)
	}
	if summary := c.jobSummary(list); summary != nil {
		outs.all = append(outs.all, summary)
	}
	return outs, nil
}

// each calls a function for each report that is not closed. It fails on an
// error other than a closed pipe, or when all reports are closed.
func (o *outputs) each(do func(*output) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	gone := error(syscall.EPIPE)
	for _, out := range o.all {
		if out.gone {
			continue
		}
		err := out.call(do)
		panicked, isPanic := errors.AsType[*lint.PanicError](err)
		switch {
		case err == nil:
			gone = nil
		case isClosedPipe(err):
			out.gone = true
		case isPanic:
			gone, out.broken = nil, true
			if o.panicked == nil {
				o.panicked = panicked
			}
		default:
			return out.word(err)
		}
	}
	return gone
}

// Begin implements [report.Reporter].
func (o *outputs) Begin(r report.Run) error {
	return o.each(func(out *output) error { return out.reporter.Begin(r) })
}

// add adds a finding of an input, to be reported as soon as what is known of it allows.
func (o *outputs) add(to *found, f lint.Finding) error {
	if to.findings = append(to.findings, f); !to.live {
		return nil
	}
	return o.each(func(out *output) error {
		if out.format.Sorted() {
			return nil
		}
		return out.reporter.Finding(f)
	})
}

// complete reports the findings of an input that has ended, with their places. In the
// result remain those of a live input that came again, for the reports that have shown them.
func (o *outputs) complete(of *found, result *lint.Result) error {
	result.Complete(of.findings)
	result.Repeated = nil
	for _, f := range of.findings {
		if of.live && f.Count > 1 {
			result.Repeated = append(result.Repeated, f)
		}
		if err := o.each(func(out *output) error {
			if of.live && !out.format.Sorted() {
				return nil
			}
			return out.reporter.Finding(f)
		}); err != nil {
			return err
		}
	}
	return nil
}

// Finding implements [report.Reporter], for a finding that is complete.
func (o *outputs) Finding(f lint.Finding) error {
	return o.each(func(out *output) error { return out.reporter.Finding(f) })
}

// File implements [report.Reporter].
func (o *outputs) File(f report.File) error {
	return o.each(func(out *output) error {
		f := f
		if out.format.Sorted() {
			f.Repeated = nil
		}
		if !out.format.Observes() {
			f.Observer = nil // not kept in memory
		}
		return out.reporter.File(f)
	})
}

// End implements [report.Reporter].
func (o *outputs) End(s report.Summary) error {
	return o.each(func(out *output) error { return out.reporter.End(s) })
}

// flush writes what has been reported so far.
func (o *outputs) flush() error {
	return o.each(func(out *output) error { return out.buffer.Flush() })
}

// printLine writes a line of its own to the report on standard output, at once.
func (o *outputs) printLine(line []byte) error {
	return o.each(func(out *output) error {
		if out.file != nil {
			return nil
		}
		_, _ = out.buffer.Write(append(line, '\n')) // Flush returns the error
		return out.buffer.Flush()
	})
}

// close commits the reports.
func (o *outputs) close() error { return o.join((*output).close) }

// discard abandons the reports.
func (o *outputs) discard() error { return o.join((*output).discard) }

// join calls a function for all reports, whatever it returns for one.
func (o *outputs) join(do func(*output) error) error {
	var errs []error
	for _, out := range o.all {
		errs = append(errs, do(out))
	}
	return errors.Join(errs...)
}

// stepSummary is the variable in which GitHub Actions names the file for a job
// summary.
const stepSummary = "GITHUB_STEP_SUMMARY"

// jobSummary opens the report to the job summary of a run with --format github.
// It returns nil elsewhere.
func (c *Command) jobSummary(list []target) *output {
	path := c.env(stepSummary)
	if path == "" || !slices.ContainsFunc(list, func(t target) bool { return t.format == report.FormatGitHub }) {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	out := &output{destination: &destination{Writer: file, name: stepSummary, file: appended{file}}}
	if err == nil {
		err = out.report(report.FormatMarkdown, file, report.Options{})
	}
	if err != nil {
		// A container may have the variable but not the file. The findings are
		// also in the log.
		c.printError(fmt.Errorf("cannot write the job summary: %s %s: %w", stepSummary, path, trimPathError(err)))
		return nil
	}
	return out
}

// appended is a file that other steps write to, too.
type appended struct{ *os.File }

// Commit implements [sink].
func (a appended) Commit() error { return a.Close() }

// Discard implements [sink]. What was written stays.
func (a appended) Discard() error { return a.Close() }
