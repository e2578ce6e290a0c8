package main

import (
	"cmp"
	"context"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/inorder"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/repository"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// checkRun is one run of check over its inputs. It is the output of the jobs:
// what they find and how they end reaches it in the order of the inputs.
type checkRun struct {
	command *Command
	flags   *checkFlags
	workDir string // absolute
	inputs  []walk.Input
	plans   []*plan // of the inputs
	turn    int     // the input whose findings come
	out     *outputs
	watch   *watch

	summary report.Summary
	counts  statistics
	limit   limit
	details *details
	ignores ignoreUsage

	outdated map[*baseline]int // known findings that were not found again
	begun    failFastStop      // what was counted of the input at hand
	stopped  *failFastStop     // where --fail-fast ended the run, nil if it did not
	stop     context.CancelCauseFunc
	roots    map[string]bool // directories that were walked: whether a file in them was of a known protocol
	failed   bool            // a finding reached --fail-on
	trouble  bool            // the result cannot be trusted
	foreign  bool            // an input that was named is of no known protocol
	gone     bool            // the reader of the report went away
	broken   bool            // an input was not read to its end
}

func newCheckRun(c *Command, o *checkFlags, inputs []walk.Input, plans []*plan, out *outputs, w *watch) *checkRun {
	return &checkRun{
		command: c, flags: o, inputs: inputs, plans: plans, out: out, watch: w,
		roots: map[string]bool{}, counts: statistics{}, outdated: map[*baseline]int{}, ignores: newIgnores(),
	}
}

// options are what holds for all inputs.
func (o *checkFlags) options(w *watch, fingerprints bool) []lint.Option {
	options := []lint.Option{lint.WithProgress(w.meter.Judged)}
	if fingerprints {
		options = append(options, lint.WithFingerprints())
	}
	if o.noSkim {
		options = append(options, lint.WithoutFastPath())
	}
	return options
}

// all checks the inputs. An error is one of the report.
func (r *checkRun) all(ctx context.Context) error {
	err := r.out.Begin(r.introduction())
	if err == nil {
		err = r.work(ctx)
	}
	if err == nil {
		err = r.end(ctx)
	}
	if isClosedPipe(err) {
		r.gone = true
		return nil
	}
	return err
}

// introduction says what reports tell of the run itself.
func (r *checkRun) introduction() report.Run {
	applied, failOn := inAll(r.plans)
	return report.Run{
		Tool: name, Version: currentBuild().Version, Rules: applied, FailOn: failOn,
		Dir: r.workDir, Root: cmp.Or(repository.Root(r.workDir), r.workDir),
	}
}

// work has the inputs checked, and what is known shown in time.
func (r *checkRun) work(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.stop = stop
	defer r.watch.begin(r.out.flush, func(err error) { stop(err) })()
	return inorder.Run(ctx, len(r.inputs), r.flags.jobs.of(len(r.inputs)), r.check, r)
}

func (r *checkRun) end(ctx context.Context) error {
	if err := r.out.flush(); err != nil {
		return err
	}
	if ctx.Err() != nil || r.stopped != nil {
		r.summary.Incomplete = true
	} else {
		r.emptyRoots()
	}
	r.summary.Hidden = r.limit.hidden
	if err := r.out.End(r.summary); err != nil {
		return err
	}
	return r.out.flush()
}

// Item implements [inorder.Output].
func (r *checkRun) Item(f lint.Finding) (err error) {
	defer recoverPanic(&err)
	if r.stopped != nil {
		return nil
	}
	r.failed = r.failed || f.Severity >= r.plans[r.turn].failOn
	r.watch.meter.Findings.Add(1)
	if r.flags.statistics {
		r.counts.add(&f)
	}
	r.begun.count(f.Severity)
	if err := r.limit.admit(f, r.out.Finding); err != nil {
		return err
	}
	if r.flags.failFast && f.Severity == lint.SeverityError {
		r.begun.task, r.begun.records = r.turn, f.Place.Record+1
		ended := r.begun
		r.stopped = &ended
		r.stop(errFailFast)
	}
	return nil
}

// Pause implements [inorder.Output].
func (r *checkRun) Pause() error { return r.out.flush() }
