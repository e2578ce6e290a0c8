package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
)

func checkCommand() command {
	return command{
		name:     "check",
		operands: "[flags] PATH|GLOB|-...",
		summary:  "check transcripts and streams (the default command)",
		about: `A directory is searched for recordings; - is standard input. What an input is,
its content says, unless --kind, --form or --dialect does.

Formats: text, concise, json, jsonl, sarif, github, gitlab, junit, tap,
checkstyle, rdjsonl and markdown. FORMAT:FILE writes to a file.
` + strings.TrimSpace(exitHelp),
		examples: []string{
			name + " --format sarif:out.sarif --format text recordings/",
			"producer | " + name + " check --tee --stop-on error - | consumer",
		},
		group: groupCheckFlags,
		setup: func(flags *pflag.FlagSet) action {
			o := defineCheckFlags(flags)
			return func(c *Command, operands []string) error {
				if err := checkable(operands); err != nil {
					return err
				}
				return profiled(o, func() error { return c.check(o, operands) })
			}
		},
	}
}

// check runs the linter over what the operands name.
func (c *Command) check(o *checkFlags, operands []string) error {
	begun := time.Now()
	if err := o.validate(); err != nil {
		return err
	}
	plans, err := newPlans(o)
	if err != nil {
		return err
	}
	list, err := o.format.resolve(o.output)
	if err != nil {
		return err
	}
	details := c.details(o.verbose)
	inputs, err := plans.inputs(operands, list, details)
	if err != nil {
		return err
	}
	if err := o.checkTee(inputs); err != nil {
		return err
	}
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	watch := newWatch(begun, inputs, c.progressLine(o))
	if err := c.readAgainst(ctx, o, inputs); err != nil {
		return err
	}
	plans.options = o.options(watch, fingerprinted(list))
	planned, err := plans.all(inputs)
	if err != nil {
		return err
	}
	out, err := c.openOutputs(o, list, watch.line)
	if err != nil {
		return err
	}
	run := newCheckRun(c.withProgressLine(watch.line), o, inputs, planned, out, watch)
	run.workDir, run.details = plans.workDir, details
	run.limit = limit{most: int(o.maxFindings), sorted: documents(list)}
	return run.report(ctx)
}

// report checks the inputs, writes the reports to their ends, and says how the
// run ended.
func (r *checkRun) report(ctx context.Context) error {
	if err := r.all(ctx); err != nil {
		return r.out.fail(err)
	}
	if err := r.out.close(); err != nil {
		return err
	}
	return r.conclude(ctx)
}

// checkable fails where the operands cannot be meant: there are none, or a
// command stands behind flags, where it is taken for a file.
func checkable(operands []string) error {
	if len(operands) == 0 {
		return &usageError{message: "nothing to check: name a file, a directory, or - for standard input", command: "check"}
	}
	if _, ok := lookup(operands[0]); ok && !exists(operands[0]) {
		return &usageError{message: "the command goes first, its flags behind it: " + name + " " + operands[0] + " [flags]"}
	}
	return nil
}
