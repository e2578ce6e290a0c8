package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/base/repository"
	"github.com/lmclint/lmclint/internal/show/coverage"
	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

// checkRun is one run of check over its inputs.
type checkRun struct {
	inputRun
	workDir string  // absolute
	plans   []*plan // by input
	out     *outputs
	begun   time.Time
	line    *progress.Line
	tee     *tee // nil without --tee

	spacious bool                     // findings as text and the summary are on the same terminal
	ink      ink.Ink                  // of the summary
	onResult func(*plan, report.File) // called for each input, or nil

	summary report.Summary
	counts  statistics
	covered *coverage.Builder // what was looked at, with --coverage; else nil
	most    int64             // findings to show; 0 is all
	hidden  int               // findings after these, which count for the exit status, too
	stale   map[*baseline]int // stale findings
	fast    failFast
	failed  bool // a finding reached --fail-on

	checked      bool // an input was checked
	rulesRan     bool // a rule applied to one
	unknown      bool // a named input has an unknown protocol
	readerClosed bool // the report's reader closed it
}

func newCheckRun(c *Command, o *checkFlags, inputs []walk.Input, plans []*plan, out *outputs) *checkRun {
	r := &checkRun{
		inputRun: newInputRun(c, o, inputs), plans: plans, out: out, begun: time.Now(), line: &progress.Line{},
		counts: statistics{}, stale: map[*baseline]int{},
	}
	r.finding, r.flush = r.reportFinding, out.flush
	if o.coverage {
		r.covered = coverage.New(rules.All())
	}
	return r
}

// report checks the inputs, completes the reports and returns how the run ended.
func (r *checkRun) report(ctx context.Context) error {
	err := r.out.Begin(introduction(r.workDir))
	if err == nil {
		err = r.checkInputs(ctx)
	}
	if err == nil {
		err = r.finish(ctx)
	}
	r.readerClosed = isClosedPipe(err)
	if err != nil && !r.readerClosed {
		return errors.Join(err, r.out.discard())
	}
	if err := r.out.close(); err != nil {
		return err
	}
	return r.conclude(ctx)
}

// introduction returns what reports say about a run in a directory.
func introduction(workDir string) report.Run {
	return report.Run{
		Tool: name, Version: currentBuild().Version, Dir: workDir, Root: cmp.Or(repository.Root(workDir), workDir),
	}
}

// checkInputs checks the inputs in parallel, and flushes the reports while it waits.
func (r *checkRun) checkInputs(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.fast.stop = stop
	defer r.beats(stop)()
	return each(ctx, &r.inputRun, r.check, r.done)
}

func (r *checkRun) finish(ctx context.Context) error {
	if err := r.out.flush(); err != nil {
		return err
	}
	if context.Cause(ctx) != nil || r.last >= 0 {
		r.summary.Incomplete = true
	} else {
		r.printEmptyRoots()
	}
	r.summary.Hidden, r.summary.Skipped = r.hidden, r.skipped
	if r.covered != nil {
		r.summary.Coverage = r.covered.Table()
	}
	if err := r.out.End(r.summary); err != nil {
		return err
	}
	return r.out.flush()
}

// reportFinding reports a finding, unless enough were reported.
func (r *checkRun) reportFinding(f lint.Finding) error {
	r.failed = r.failed || f.Severity >= r.plans[r.current].failOn
	r.meter.Findings.Add(1)
	if r.flags.statistics || r.flags.verbose {
		r.counts.add(f.Rule, f.Severity, 1)
	}
	if r.flags.failFast {
		r.fast.counts.Count(&f)
	}
	r.flags.minding.explain(&f)
	if r.most > 0 && r.meter.Findings.Load() > r.most {
		r.hidden++
	} else if err := r.out.Finding(f); err != nil {
		return err
	}
	if r.flags.failFast && f.Severity == lint.SeverityError {
		r.last, r.fast.records = r.current, f.Place.Record+1
		r.fast.stop(errFailFast)
	}
	return nil
}

// check checks an input and emits its findings.
func (r *checkRun) check(ctx context.Context, in *opened) (lint.Result, error) {
	linter := r.plans[in.number].linter
	switch {
	case r.flags.acknowledge:
		return r.lint(ctx, in, r.acknowledged(linter))
	case r.tee == nil:
		return r.lint(ctx, in, linter.Run)
	}
	run := runner(linter.Run)
	if r.tee.stopOn != 0 {
		run = r.tee.gate(linter)
	}
	in.reader = io.TeeReader(in.reader, r.tee)
	result, err := r.lint(ctx, in, run)
	return result, r.tee.finish(ctx, in.reader, err)
}

// lint emits the findings of an input, or of the recording in it.
func (r *checkRun) lint(ctx context.Context, in *opened, run runner) (lint.Result, error) {
	reader, err := in.recording()
	if err != nil {
		return lint.Result{}, err
	}
	result, err := run(ctx, in.path, reader, func(f lint.Finding) error {
		if err := in.emit(f); err != nil {
			return err
		}
		return context.Cause(ctx)
	})
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if in.member != nil {
		result.Fixable, result.FixableUnsafely = 0, 0 // archives are not fixed
	}
	return result, err
}

// done reports the result of an input.
func (r *checkRun) done(o outcome[lint.Result]) error {
	o.result.Path = o.path
	if r.last >= 0 {
		o.err = r.fast.ended(&o.result)
	}
	r.fast.counts = lint.Result{}
	plan := r.plans[o.number]
	lacksRecords := plan.lacksRecords(o.result)
	if o.err != nil || lacksRecords {
		// The findings before the error are printed before it.
		if err := r.out.flush(); err != nil {
			return err
		}
	}
	if o.err == nil {
		o.err = r.compared(o.in, o.result)
	}
	r.explainInput(plan, o.result)
	r.explainAutoRun(plan, o.result)
	r.tee.explain(r.command, plan.input.Dialect, o.result)
	if o.err == nil {
		r.settleBaseline(plan, o.result)
		r.checked, r.rulesRan = true, r.rulesRan || o.result.RulesRan
	} else {
		o.err = r.printFailure(o.result, o.err)
	}
	if lacksRecords { // reports may not show LMC011, and the run may end at it
		r.trouble = true
		r.command.printFailure(o.path, errNoRecords)
	}
	f := report.File{Result: o.result, Err: o.err, FailOn: plan.failOn}
	r.summary.Add(f)
	if r.covered != nil {
		r.covered.Add(o.result.Coverage, plan.selection)
	}
	if r.onResult != nil {
		r.onResult(plan, f)
	}
	return r.out.File(f)
}

// errFailFast ends a run of --fail-fast.
var errFailFast = errors.New("stopped at the first error")

// failFast ends a run of --fail-fast. Findings of later records and inputs, which
// were checked in parallel, are dropped: they would depend on the number of jobs.
type failFast struct {
	stop    context.CancelCauseFunc
	counts  lint.Result // of the current input
	records int         // of the last input, up to the error
}

// ended makes the result of the input with the error that of what was checked up to
// it.
func (f *failFast) ended(r *lint.Result) error {
	r.Errors, r.Warnings, r.Notes = f.counts.Errors, f.counts.Warnings, f.counts.Notes
	r.Fixable = min(r.Fixable, f.counts.Fixable) // none in an archive
	r.FixableUnsafely = min(r.FixableUnsafely, f.counts.FixableUnsafely)
	r.Records = f.records
	return errFailFast
}
