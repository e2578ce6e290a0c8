package main

import (
	"context"
	"io"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/lint"
)

// checkTee fails where --tee and --stop-on cannot be meant.
func (o *checkFlags) checkTee(inputs []walk.Input) error {
	switch {
	case o.stopOn.value != never && !o.tee:
		return &usageError{message: "--stop-on is for --tee: it closes the pipe", command: "check"}
	case o.tee && (len(inputs) != 1 || inputs[0].Path != walk.Stdin):
		return &usageError{message: "--tee passes standard input on: its one operand is -", command: "check"}
	}
	return nil
}

// newTee makes a tee as the flags ask for.
func (c *Command) newTee(o *checkFlags, src io.Reader) *tee {
	t := &tee{src: src, dst: c.Stdout}
	if o.stopOn.value != never {
		t.stops = func(f lint.Finding) bool { return f.Severity >= failOnSeverity(o.stopOn.value) }
	}
	return t
}

// runner is what lints an input: [lint.Linter.Run].
type runner func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error)

// teeing passes on what is linted.
func (r *checkRun) teeing(run runner) runner {
	return func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error) {
		through := r.command.newTee(r.flags, src)
		result, err := run(ctx, path, through, func(f lint.Finding) error {
			if err := emit(f); err != nil {
				return err
			}
			return through.found(f)
		})
		if err != nil {
			return result, err
		}
		return result, through.finish()
	}
}
