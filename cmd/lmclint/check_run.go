package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/ordered"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/coverage"
	"github.com/lmclint/lmclint/internal/repository"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

// checkRun is one run of check over its inputs. It is the output of the jobs:
// it receives their findings and results in the order of the inputs.
type checkRun struct {
	command *Command
	flags   *checkFlags
	workDir string // absolute
	inputs  []walk.Input
	plans   []*plan // by input
	current int     // the input whose findings arrive now
	out     *outputs
	watch   *watch
	tee     *tee // nil without --tee

	spacious bool                     // findings as text and the summary are on the same terminal
	ink      ink                      // of the summary
	onResult func(*plan, report.File) // called for each input, or nil

	summary report.Summary
	counts  statistics
	covered *coverage.Builder // what was looked at
	limit   limit
	details *details

	stale         map[*baseline]int // stale findings
	currentCounts failFastStop      // counts of the current input
	stopped       *failFastStop     // where --fail-fast ended the run; nil if it did not
	stop          context.CancelCauseFunc
	roots         map[string]bool // directories that were searched: whether one of their files has a known protocol
	failed        bool            // a finding reached --fail-on
	trouble       bool            // the run failed or is incomplete
	unknownInput  bool            // a named input has an unknown protocol
	readerClosed  bool            // the report's reader closed it
	checked       bool            // an input was checked
	rulesRan      bool            // a rule applied to one
}

func newCheckRun(c *Command, o *checkFlags, inputs []walk.Input, plans []*plan, out *outputs, w *watch) *checkRun {
	return &checkRun{
		command: c, flags: o, inputs: inputs, plans: plans, out: out, watch: w,
		roots: map[string]bool{}, counts: statistics{}, covered: coverage.New(rules.All()), stale: map[*baseline]int{},
	}
}

// options returns the options for all inputs.
func (o *checkFlags) options(w *watch, list []target) []lint.Option {
	options := append(reportOptions(list), lint.WithProgress(w.meter.Judged))
	if o.noFastPath {
		options = append(options, lint.WithoutFastPath())
	}
	return options
}

// checkAll checks the inputs. An error is one of writing the report.
func (r *checkRun) checkAll(ctx context.Context) error {
	err := r.out.Begin(introduction(r.plans, r.workDir))
	if err == nil {
		err = r.checkInputs(ctx)
	}
	if err == nil {
		err = r.finish(ctx)
	}
	if isClosedPipe(err) {
		r.readerClosed = true
		return nil
	}
	return err
}

// introduction returns what reports say about a run with these plans.
func introduction(plans []*plan, workDir string) report.Run {
	return report.Run{
		Tool: name, Version: currentBuild().Version, FailOn: lowestFailOn(plans),
		Dir: workDir, Root: cmp.Or(repository.Root(workDir), workDir),
	}
}

// checkInputs checks the inputs in parallel, and flushes the reports while it waits.
func (r *checkRun) checkInputs(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.stop = stop
	defer r.watch.begin(r.out.flush, func(err error) { stop(err) })()
	return ordered.Run(ctx, len(r.inputs), r.jobs(), r.checkInput, r)
}

func (r *checkRun) finish(ctx context.Context) error {
	if err := r.out.flush(); err != nil {
		return err
	}
	if context.Cause(ctx) != nil || r.stopped != nil {
		r.summary.Incomplete = true
	} else {
		r.trouble = !r.flags.skipUnknown && r.command.printEmptyRoots(r.inputs, r.roots) || r.trouble
	}
	r.summary.Hidden = r.limit.hidden
	if r.flags.coverage {
		r.summary.Coverage = r.covered.Table()
	}
	if err := r.out.End(r.summary); err != nil {
		return err
	}
	return r.out.flush()
}

// Item implements [ordered.Output].
func (r *checkRun) Item(f lint.Finding) (err error) {
	defer recoverPanic(&err)
	if r.stopped != nil {
		return nil
	}
	r.failed = r.failed || f.Severity >= r.plans[r.current].failOn
	r.watch.meter.Findings.Add(1)
	if r.flags.statistics || r.flags.verbose {
		r.counts.add(&f)
	}
	r.currentCounts.counts.Count(&f)
	r.flags.minding.explain(&f)
	if err := r.limit.admit(f, r.out.Finding); err != nil {
		return err
	}
	if r.flags.failFast && f.Severity == lint.SeverityError {
		r.currentCounts.task, r.currentCounts.records = r.current, f.Place.Record+1
		ended := r.currentCounts
		r.stopped = &ended
		r.stop(errFailFast)
	}
	return nil
}

// Pause implements [ordered.Output].
func (r *checkRun) Pause() (err error) {
	defer recoverPanic(&err)
	return r.out.flush()
}

// checkResult is the result of checking one input.
type checkResult struct {
	result lint.Result
	err    error
}

// checkTask is the running check of one input.
type checkTask = ordered.Task[lint.Finding, checkResult]

// checkInput opens an input and emits its findings.
func (r *checkRun) checkInput(ctx context.Context, task *checkTask) (c checkResult) {
	in := r.inputs[task.Number]
	path := r.flags.nameOf(in)
	c.result.Path = path
	defer recoverPanic(&c.err)
	if in.Err != nil {
		return checkResult{lint.Result{Path: path}, in.Err}
	}
	if r.flags.skipsUnknown(in) && isEmptyText(in.Path) {
		return checkResult{lint.Result{Path: path}, &lint.UnknownInputError{Looks: "it is empty"}}
	}
	opened, err := r.command.open(ctx, in)
	if err != nil {
		return checkResult{lint.Result{Path: path}, err}
	}
	defer func() { _ = opened.Close() }()
	return r.checkOpened(ctx, task, path, opened)
}

// checkOpened checks an input, or the recording in it if it is an archive.
func (r *checkRun) checkOpened(ctx context.Context, task *checkTask, path string, opened input) checkResult {
	reader := r.watch.meter.Reader(opened)
	if opened.live {
		reader = &flushingReader{reader, task.Pause}
	}
	if r.tee == nil {
		return r.checkReader(ctx, task, path, opened, reader)
	}
	r.tee.src = reader
	c := r.checkReader(ctx, task, path, opened, r.tee)
	c.err = r.tee.finish(ctx, c.err)
	return c
}

// checkReader checks an input that is read with a reader.
func (r *checkRun) checkReader(ctx context.Context, task *checkTask, path string, opened input, reader io.Reader) checkResult {
	inside, reader, err := openArchive(opened, reader)
	switch {
	case err != nil:
		return checkResult{lint.Result{Path: path}, err}
	case inside == nil:
		return r.lintReader(ctx, task, path, reader)
	}
	defer func() { _ = inside.Close() }()
	c := r.lintReader(ctx, task, path+"!"+inside.name, r.watch.meter.Reader(inside))
	c.result.Fixable, c.result.FixableUnsafely = 0, 0 // archives are not fixed
	return c
}

// lintReader emits the findings of an input.
func (r *checkRun) lintReader(ctx context.Context, task *checkTask, path string, reader io.Reader) checkResult {
	run := r.plans[task.Number].linterOf(r.flags.skipsUnknown(r.inputs[task.Number])).Run
	if r.tee != nil {
		run = r.tee.through(run)
	}
	if r.flags.acknowledge {
		run = r.acknowledged(run, task.Pause)
	}
	emit := func(f lint.Finding) error {
		if err := task.Emit(f); err != nil {
			return err
		}
		return context.Cause(ctx)
	}
	result, err := run(ctx, path, reader, emit)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return checkResult{result, err}
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

// Done implements [ordered.Output]. It reports the result of an input.
func (r *checkRun) Done(task int, c checkResult) (err error) {
	defer recoverPanic(&err)
	in := r.inputs[task]
	r.current, r.currentCounts = task+1, failFastStop{}
	if r.stopped != nil {
		if task != r.stopped.task {
			return nil // it was checked in parallel with the input that has the error
		}
		c = r.stopped.result(c)
	}
	if c.err != nil && r.flags.skipsUnknown(in) {
		if unknown, ok := errors.AsType[*lint.UnknownInputError](c.err); ok {
			r.summary.Skipped++
			r.details.left(c.result.Path, "skipped, "+unknown.Error())
			return nil
		}
	}
	if in.Root != "" {
		r.roots[in.Root] = true
	}
	if c.err != nil || r.lacksRecords(task, c.result) {
		// The findings before the error are printed before it.
		if err := r.out.flush(); err != nil {
			return err
		}
	}
	if c.err == nil {
		c.err = r.compared(in, c.result)
	}
	r.details.input(r.plans[task], c.result)
	r.details.explainAutoRun(r.flags, r.plans[task], c.result)
	r.tee.explain(r.command, r.plans[task].dialect, c.result)
	if c.err == nil {
		r.settleBaseline(r.plans[task], c.result)
	}
	f := report.File{Result: c.result, Err: r.applyResult(task, c.result, c.err), FailOn: r.plans[task].failOn}
	r.summary.Add(f)
	r.covered.Add(c.result.Coverage, r.plans[task].selection)
	if r.onResult != nil {
		r.onResult(r.plans[task], f)
	}
	return r.out.File(f)
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

// limit shows the first findings and counts the others, which count for the
// exit status, too.
type limit struct {
	most          int // findings to show; 0 is all
	shown, hidden int
}

// admit shows a finding, unless enough were shown.
func (l *limit) admit(f lint.Finding, show func(lint.Finding) error) error {
	if l.most > 0 && l.shown == l.most {
		l.hidden++
		return nil
	}
	l.shown++
	return show(f)
}

// errFailFast ends a run of --fail-fast.
var errFailFast = errors.New("stopped at the first error")

// failFastStop is where a run of --fail-fast ended. Findings of later records
// and inputs, which were checked in parallel, are dropped: they would depend on
// the number of jobs.
type failFastStop struct {
	task    int
	records int // of that input, up to the error
	counts  lint.Result
}

// result returns the result of the input with the error.
func (f *failFastStop) result(c checkResult) checkResult {
	c.result.Errors, c.result.Warnings, c.result.Notes = f.counts.Errors, f.counts.Warnings, f.counts.Notes
	c.result.Fixable = min(c.result.Fixable, f.counts.Fixable) // none in an archive
	c.result.FixableUnsafely = min(c.result.FixableUnsafely, f.counts.FixableUnsafely)
	c.result.Records = f.records
	return checkResult{c.result, errFailFast}
}

// jobs returns how many inputs are checked in parallel.
func (r *checkRun) jobs() int {
	jobs := int(r.flags.jobs.value)
	if jobs == 0 {
		jobs = min(runtime.GOMAXPROCS(0), maxJobs)
	}
	return max(1, min(jobs, len(r.inputs)))
}
