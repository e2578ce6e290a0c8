package main

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/fix/apply"
	"github.com/lmclint/lmclint/lint"
)

func (c *Command) fixCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "fix " + checkOperands,
		Short: "fix mistakes in transcripts and streams",
		Long: `Fix changes files in place. It applies only safe fixes: those after which
consumers get the same data as before, or what was clearly intended. The rest is
unchanged, byte for byte. Compressed files are compressed again; archives are
not changed. With -, standard input is fixed and written to standard output.

Exit status: 0 no findings at or above --fail-on remain, 1 some remain, 2 an
input could not be fixed. With --diff and --check: 1 something would change.
To a terminal, --diff shows each change in its record; else it prints a patch.`,
		Example: name + " fix --diff recordings/\n" +
			name + " fix --select LMC120,LMC008 stream.jsonl",
		Args: fixable,
	}
	o := defineFixFlags(command.Flags())
	command.RunE = func(_ *cobra.Command, operands []string) error { return c.fix(o, operands) }
	return command
}

// fixable fails without operands.
func fixable(_ *cobra.Command, operands []string) error {
	if len(operands) == 0 {
		return usagef("nothing to fix: name a file, a directory, or - for standard input")
	}
	return nil
}

// fixFlags are the flags of fix: those of check that say what the inputs are and
// which rules are on, and its own.
type fixFlags struct {
	*checkFlags
	unsafe, diff, check bool
}

func defineFixFlags(flags *pflag.FlagSet) *fixFlags {
	o := &fixFlags{}
	flags.BoolVar(&o.unsafe, "unsafe", false, "also apply fixes that may guess wrong")
	flags.BoolVar(&o.diff, "diff", false, "print what would change; change nothing")
	flags.BoolVar(&o.check, "check", false, "only report whether something would change")
	o.checkFlags = defineCheckFlagsBut(flags,
		"against", "write-baseline", "prune-baseline", "format", "for", "coverage", "max-findings", "max-repeats", "hyperlinks", "width",
		"timing", "statistics", "fail-fast", "tee", "stop-on", "stop-hard", "acknowledge", "rendered")
	flags.Lookup("quiet").Usage = "omit the summary"
	flags.Lookup("verbose").Usage = "list inputs and skips, with reasons"
	flags.Lookup("fail-on").Usage = "fail if SEVERITY or above remains"
	flags.Lookup("jobs").Usage = "inputs fixed in parallel (default all cores)"
	group(flags, "Fixes", []string{"unsafe", "diff", "check", "quiet"}, []string{"verbose", "fail-on", "color", "jobs"})
	return o
}

// fix fixes the inputs that the operands name.
func (c *Command) fix(o *fixFlags, operands []string) error {
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	run, err := c.prepareFix(o, operands)
	if o.changes() && slices.Contains(operands, walk.Stdin) && (err != nil || !run.readsStdin()) {
		if err := c.copyStdin(ctx); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	return run.all(ctx)
}

// prepareFix plans a fix of the inputs that the operands name.
func (c *Command) prepareFix(o *fixFlags, operands []string) (*fixRun, error) {
	plans, err := c.newPlans(o.checkFlags)
	if err != nil {
		return nil, err
	}
	details := c.details(o.verbose)
	inputs, err := plans.inputs(operands, nil, details)
	if err != nil {
		return nil, err
	}
	run := &fixRun{inputRun: newInputRun(c, inputs, o.stdinFilename, o.skipUnknown, details), flags: o, fixed: map[*lint.Rule]int{}, linters: map[linterKey]apply.Linters{}}
	run.workers, run.regularOnly = int(o.jobs.value), true
	run.plans, err = plans.all(run.inputs)
	return run, err
}

// readsStdin reports whether standard input is one of the inputs.
func (r *fixRun) readsStdin() bool {
	return slices.ContainsFunc(r.inputs, func(in walk.Input) bool { return in.Path == walk.Stdin })
}

// copyStdin copies standard input that is not fixed: an editor replaces its text
// with the output.
func (c *Command) copyStdin(ctx context.Context) error {
	in := c.openStdin(ctx)
	defer func() { _ = in.Close() }()
	if _, err := io.Copy(c.Stdout, in); err != nil && !isClosedPipe(err) {
		return c.stdout().word(err)
	}
	return nil
}

// changes reports whether fix changes files.
func (o *fixFlags) changes() bool { return !o.diff && !o.check }
