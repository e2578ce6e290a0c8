package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/lint"
)

// judge decides what the way in which an input ended does to the exit status,
// tells the user, and returns the error for the report.
func (r *checkRun) judge(task int, result lint.Result, err error) error {
	if err == nil {
		empty := result.Records == 0 && r.inputs[task].Named && !r.plans[task].allowEmpty
		r.trouble = r.trouble || empty
		return nil
	}
	return r.tell(result, err)
}

// tell tells the user how an input ended that did not end well, and returns the
// error for the report.
func (r *checkRun) tell(result lint.Result, err error) error {
	var unknown *lint.UnknownInputError
	var panicked *lint.PanicError
	var stopped *interrupt.Error
	var unpassed *passError
	switch {
	case errors.Is(err, errFailFast):
		return err // the finding says why
	case errors.As(err, &stopped):
		return err // said once, at the end of the run
	case errors.Is(err, errOutputClosed):
		return err // who reads the pipe decides when it has enough
	case errors.Is(err, errStopped):
		r.command.printError(errors.New("stopped: " + err.Error() + "; what follows it was not checked"))
		return err
	case errors.As(err, &unpassed):
		r.trouble = true
		r.command.printError(unpassed)
		return err
	case errors.As(err, &unknown):
		r.foreign = true
		err = errors.New("neither LMC nor Semantic Workbench: " + unknown.Looks)
	case errors.As(err, &panicked):
		defer r.command.printStderr(string(panicked.Stack))
	default:
		err = trimPathError(err)
	}
	r.trouble = true
	if result.Path == "" {
		r.command.printError(err)
	} else {
		r.command.printError(fmt.Errorf("%s: %w", result.Path, err))
	}
	return err
}

// emptyRoots complains of directories in which no file was of a known protocol.
func (r *checkRun) emptyRoots() {
	for _, in := range r.inputs {
		if in.Root == "" || r.roots[in.Root] || r.flags.skipUnknown {
			continue
		}
		r.roots[in.Root] = true // once is enough
		r.trouble = true
		r.command.printError(fmt.Errorf("%s: none of the files in this directory is LMC or Semantic Workbench", in.Root))
	}
}

// conclude writes the summary line and decides the exit status.
func (r *checkRun) conclude(ctx context.Context) error {
	if p := r.out.panicked; p != nil {
		r.trouble = true
		r.command.printError(fmt.Errorf("report: %w", p))
		r.command.printStderr(string(p.Stack))
	}
	if r.gone {
		return r.status()
	}
	var stopped *interrupt.Error
	interrupted := errors.As(context.Cause(ctx), &stopped)
	if interrupted {
		r.command.printError(errors.New("interrupted: findings may be missing"))
	}
	if r.foreign {
		r.command.printStderr("To check it all the same, say what it is with --protocol.\n")
	}
	if !r.flags.quiet {
		r.command.printStderr(r.summary.String() + "\n")
	}
	r.unused()
	if err := r.concludeBaselines(!interrupted && r.stopped == nil); err != nil {
		return err
	}
	if r.flags.statistics {
		r.command.printStderr(r.counts.String())
	}
	if r.flags.stats {
		r.command.printStderr(r.stats())
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
	case r.failed && !r.flags.exitZero:
		return statusError(exitFindings)
	}
	return nil
}
