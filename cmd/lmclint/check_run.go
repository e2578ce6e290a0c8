package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
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

// judge decides what the way in which an input ended does to the exit status,
// tells the user, and returns the error for the report.
func (r *checkRun) judge(in walk.Input, result lint.Result, err error) error {
	var unknown *lint.UnknownInputError
	var panicked *lint.PanicError
	var stopped *interrupt.Error
	switch {
	case err == nil:
		empty := result.Records == 0 && in.Named && !r.flags.allowEmpty
		r.trouble = r.trouble || empty
		return nil
	case errors.As(err, &stopped):
		return err // said once, at the end of the run
	case errors.As(err, &unknown):
		r.foreign = true
		err = errors.New("not LMC: " + unknown.Looks)
	case errors.As(err, &panicked):
		defer r.command.say(string(panicked.Stack))
	default:
		err = plain(err)
	}
	r.trouble = true
	if result.Path == "" {
		r.command.complain(err)
	} else {
		r.command.complain(fmt.Errorf("%s: %w", result.Path, err))
	}
	return err
}

// emptyRoots complains of directories in which no file was LMC.
func (r *checkRun) emptyRoots(inputs []walk.Input) {
	for _, in := range inputs {
		if in.Root == "" || r.roots[in.Root] {
			continue
		}
		r.roots[in.Root] = true // once is enough
		r.trouble = true
		r.command.complain(fmt.Errorf("%s: none of the files in this directory is LMC", in.Root))
	}
}

// conclude writes the summary line and decides the exit status.
func (r *checkRun) conclude(ctx context.Context) error {
	if r.gone {
		return r.status()
	}
	var stopped *interrupt.Error
	interrupted := errors.As(context.Cause(ctx), &stopped)
	if interrupted {
		r.command.complain(errors.New("interrupted: findings may be missing"))
	}
	if r.foreign {
		r.command.say("To check it as LMC all the same, say what it is with --kind or --dialect.\n")
	}
	if !r.flags.quiet {
		r.command.say(r.summary.String() + "\n")
	}
	switch {
	case interrupted && stopped.Signal == syscall.SIGTERM:
		return statusError(exitTerminated)
	case interrupted:
		return statusError(exitInterrupted)
	}
	return r.status()
}

func (r *checkRun) status() error {
	switch {
	case r.trouble:
		return statusError(exitTrouble)
	case r.failed:
		return statusError(exitFindings)
	}
	return nil
}

// reportError is an error of the report, which ends the run, in the disguise
// of an error of the linter.
type reportError struct{ err error }

func (e *reportError) Error() string { return e.err.Error() }
