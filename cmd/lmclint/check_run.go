package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/dustin/go-humanize/english"

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
	found   found // of the current input
	causes  causeCounts
	covered *coverage.Builder       // what was looked at, with --coverage; else nil
	most    int64                   // findings to show; 0 is all
	hidden  int                     // the others, which count for the exit status, too
	held    []heldFile              // with most, unless an input is live: the most severe findings are shown, in order
	shown   map[lint.Severity]int64 // the findings in held
	stale   map[*baseline]int       // stale findings
	fast    failFast
	failed  bool // a finding reached --fail-on

	checked      bool // an input was checked
	rulesRan     bool // a rule was run on one
	unknown      bool // a named input has an unknown protocol
	undecided    bool // --protocol may settle that
	readerClosed bool // the report's reader closed it
}

func newCheckRun(c *Command, o *checkFlags, inputs []walk.Input, plans []*plan, out *outputs) *checkRun {
	r := &checkRun{
		inputRun: newInputRun(c, o, inputs), plans: plans, out: out, begun: time.Now(), line: &progress.Line{},
		counts: statistics{}, causes: causeCounts{}, shown: map[lint.Severity]int64{}, stale: map[*baseline]int{},
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
	if err := r.reportHeld(); err != nil {
		return err
	}
	if err := r.out.complete(&r.found, &lint.Result{}); err != nil { // of an input that was interrupted
		return err
	}
	r.summary.Causes = r.causes.most()
	r.summary.Hidden, r.summary.Skipped, r.summary.SkippedFiles, r.summary.Links = r.hidden, r.skipped.Count, r.skipped, r.links
	if n := r.skipped.Count + r.links.Count; r.flags.failOnSkipped && n > 0 {
		r.trouble = true
		r.command.printError(fmt.Errorf("--fail-on-skipped: %s skipped", english.Plural(n, "input", "")))
	}
	if r.checked && !r.rulesRan {
		r.trouble = true
		r.command.printError(errors.New("no rule was run: none of the selected rules applies to what was checked"))
	}
	r.summary.Trouble = r.trouble
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
	if r.most > 0 && !r.holds() && r.meter.Findings.Load() > r.most {
		r.hidden++
	} else if err := r.show(f); err != nil {
		return err
	}
	if r.flags.failFast && f.Severity == lint.SeverityError {
		r.last, r.fast.records = r.current, f.Place.Record+1
		r.fast.stop(errFailFast)
	}
	return nil
}

// heldFile is the result of an input that is not reported yet.
type heldFile struct {
	findings []lint.Finding
	file     report.File
}

// holds reports whether all inputs are checked before findings are shown: the most severe ones are to be shown, and
// nothing waits for them.
func (r *checkRun) holds() bool {
	return r.most > 0 && !r.flags.failFast && !slices.ContainsFunc(r.inputs, r.command.isLive)
}

// hold holds the result of an input, and drops findings beyond the limit: the least severe ones, of these the last.
func (r *checkRun) hold(findings []lint.Finding, f report.File) {
	r.held = append(r.held, heldFile{findings, f})
	excess := -r.most
	for i := range findings {
		r.shown[findings[i].Severity]++
	}
	for _, n := range r.shown {
		excess += n
	}
	for _, severity := range []lint.Severity{lint.SeverityNote, lint.SeverityWarning, lint.SeverityError} {
		for i := len(r.held) - 1; i >= 0 && excess > 0 && r.shown[severity] > 0; i-- {
			h := &r.held[i]
			for j := len(h.findings) - 1; j >= 0 && excess > 0; j-- {
				if h.findings[j].Severity == severity {
					h.findings = slices.Delete(h.findings, j, j+1)
					r.shown[severity]--
					excess--
					r.hidden++
				}
			}
		}
	}
}

// reportHeld reports what was held.
func (r *checkRun) reportHeld() error {
	for _, h := range r.held {
		for _, f := range h.findings {
			if err := r.out.Finding(f); err != nil {
				return err
			}
		}
		if err := r.out.File(h.file); err != nil {
			return err
		}
	}
	r.held = nil
	return nil
}

// show reports a finding at once if each place is one, or if it waits for none.
func (r *checkRun) show(f lint.Finding) error {
	switch {
	case r.holds():
		r.found.findings = append(r.found.findings, f)
		return nil
	case r.flags.isEach():
		return r.out.Finding(f)
	}
	r.found.live = r.flags.failFast || r.command.isLive(r.inputs[r.current])
	return r.out.add(&r.found, f)
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
	return result, r.tee.finish(ctx, in, err)
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
	if r.flags.failFast {
		o.result.Repeated = nil // how far the check came depends on the number of jobs
	}
	holds := r.holds()
	if holds && !r.flags.isEach() {
		o.result.Complete(r.found.findings)
	} else if !holds {
		if err := r.out.complete(&r.found, &o.result); err != nil {
			return err
		}
	}
	findings := r.found.findings
	r.causes.add(findings)
	r.found = found{}
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
		r.checked, r.rulesRan = true, r.rulesRan || len(o.result.RulesRun) > 0
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
	if holds {
		f.Repeated = nil
		r.hold(findings, f)
		return nil
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
	r.ErrorPlaces, r.WarningPlaces, r.NotePlaces = f.counts.ErrorPlaces, f.counts.WarningPlaces, f.counts.NotePlaces
	r.Fixable = min(r.Fixable, f.counts.Fixable) // none in an archive
	r.FixableUnsafely = min(r.FixableUnsafely, f.counts.FixableUnsafely)
	r.Records = f.records
	return errFailFast
}
