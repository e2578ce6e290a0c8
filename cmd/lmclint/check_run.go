package main

import (
	"context"
	"errors"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// checkRun is one run of check over its inputs.
type checkRun struct {
	command  *Command
	flags    *checkFlags
	linter   *lint.Linter
	reporter report.Reporter

	summary report.Summary
	roots   map[string]bool // directories that were walked: whether a file in them was LMC
	failed  bool            // a finding reached --fail-on
	trouble bool            // the result cannot be trusted
	foreign bool            // an input that was named is no LMC
	gone    bool            // the reader of the report went away
}

// all checks the inputs in their order. An error is one of the report.
func (r *checkRun) all(ctx context.Context, inputs []walk.Input) error {
	err := r.reporter.Begin(report.Run{Tool: name, Version: currentBuild().Version})
	for _, in := range inputs {
		if err != nil || ctx.Err() != nil {
			break
		}
		err = r.input(ctx, in)
	}
	if isClosedPipe(err) {
		r.gone = true
		return nil
	}
	if err != nil {
		return err
	}
	r.emptyRoots(inputs)
	r.summary.Incomplete = r.summary.Incomplete || ctx.Err() != nil
	return r.end()
}

func (r *checkRun) end() error {
	err := r.reporter.End(r.summary)
	if isClosedPipe(err) {
		r.gone = true
		return nil
	}
	return err
}

// input checks one input and reports how that went.
func (r *checkRun) input(ctx context.Context, in walk.Input) error {
	result, err := r.lint(ctx, in)
	var broken *reportError
	if errors.As(err, &broken) {
		return broken.err
	}
	var unknown *lint.UnknownInputError
	if errors.As(err, &unknown) && !in.Named {
		r.summary.Skipped++
		return nil
	}
	if in.Root != "" {
		r.roots[in.Root] = true
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	f := report.File{Result: result, Err: r.judge(in, result, err)}
	r.summary.Add(f)
	return r.reporter.File(f)
}

// lint opens an input and passes its findings on as they come.
func (r *checkRun) lint(ctx context.Context, in walk.Input) (lint.Result, error) {
	path := r.nameOf(in)
	if in.Err != nil {
		return lint.Result{Path: path}, in.Err
	}
	file, err := r.command.open(ctx, in.Path)
	if err != nil {
		return lint.Result{Path: path}, err
	}
	defer func() { _ = file.Close() }()
	return r.linter.Run(ctx, path, file, r.finding)
}

func (r *checkRun) finding(f lint.Finding) error {
	r.failed = r.failed || r.flags.fails(f.Severity)
	if err := r.reporter.Finding(f); err != nil {
		return &reportError{err}
	}
	return nil
}

func (r *checkRun) nameOf(in walk.Input) string {
	if in.Path == walk.Stdin {
		return r.flags.stdinFilename
	}
	return in.Path
}

// reportError is an error of the report, which ends the run, in the disguise
// of an error of the linter.
type reportError struct{ err error }

func (e *reportError) Error() string { return e.err.Error() }
