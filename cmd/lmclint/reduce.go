package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/change/reduce"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

func (c *Command) reduceCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "reduce [flags] FILE|-",
		Short: "write the smallest recording that still has a finding",
		Long: `Reduce removes conversations, turns, blocks, records, keys and text, as long as
the findings remain: the first error, or with --keep the first finding of each
rule of RULES. No other finding comes. The form stays. It lints what is left
again and again, at most --max-runs times; a run counts once more for every
64 KiB.

Exit status: 0 written, 2 failed, or nothing to keep was found.`,
		Example: name + " reduce stream.jsonl -o small.jsonl\n" + name + " reduce --keep all stream.jsonl > small.jsonl",
		Args:    operands(1, 1, "reduce takes one recording: name a file, or - for standard input"),
	}
	flags := command.Flags()
	o := &reduceFlags{maxRuns: number{value: reduce.DefaultMaxRuns, least: 1, shown: "N", expected: "a whole number above zero"}}
	flags.StringSliceVar(&o.keep, "keep", nil, "keep the first finding of each of these `RULES`")
	flags.StringVarP(&o.output, "output", "o", "", "write to `FILE`, atomically (default stdout)")
	flags.BoolVar(&o.overwrite, "overwrite", false, "replace a file that differs, too")
	flags.Var(&o.maxRuns, "max-runs", "lint at most N times")
	o.checkFlags = shareCheckFlags(flags,
		"protocol", "kind", "form", "dialect", "after", "auto-run", "partial", "allow-empty", "stdin-filename", "max-record-bytes",
		"config", "isolated", "quiet")
	flags.Lookup("quiet").Usage = "omit the summary and the progress line"
	group(flags, "Output", []string{"keep", "output"}, []string{"overwrite", "max-runs", "quiet"})
	command.RunE = interruptible(func(ctx context.Context, operands []string) error { return c.reduce(ctx, o, operands) })
	return command
}

// reduceFlags are the flags of reduce: its own, and those of check that say what the input is.
type reduceFlags struct {
	*checkFlags
	keep      []string
	output    string
	overwrite bool
	maxRuns   number
}

// reduce reduces the recording that the operand names.
func (c *Command) reduce(ctx context.Context, o *reduceFlags, operands []string) error {
	begun, line := time.Now(), c.progressLine(o.checkFlags)
	c = c.withProgressLine(line)
	if isStdout(o.output) {
		o.output = ""
	}
	isKept, err := o.keeps()
	if err != nil {
		return err
	}
	plans, inputs, err := c.planInputs(o.checkFlags, operands, nil)
	if err == nil && (len(inputs) != 1 || !inputs[0].Named) {
		err = usagef("reduce takes one recording, not a directory or several files")
	}
	if err == nil {
		err = replacesNone(append(plans.sources(), pathsOf(inputs)...), []string{o.output})
	}
	if err != nil {
		return err
	}
	plan, err := plans.of(inputs[0])
	if err != nil {
		return err
	}
	run := newInputRun(c, o.checkFlags, inputs)
	work := func(ctx context.Context, in *opened) (*reduce.Result, error) {
		_, content, err := apply.Read(in.reader)
		if err != nil {
			return nil, err
		}
		result, err := reduce.Text(ctx, reduce.Options{
			Name: in.name, New: plan.newLinter, Keep: isKept, MaxRuns: int(o.maxRuns.value),
			Tried: func(runs, size int) {
				if time.Since(begun) >= showAfter {
					line.Show(fmt.Sprintf("%s after %s", humanize.Bytes(uint64(size)), english.Plural(runs, "run", "")))
				}
			},
		}, content.Text)
		if errors.Is(err, reduce.ErrNothing) {
			err = errors.New("nothing to keep: no rule of --keep found something")
			if isKept == nil {
				err = errors.New("nothing to keep: there is no error; --keep RULES keeps other findings")
			}
		}
		if err != nil {
			return nil, err
		}
		if !o.quiet {
			c.printReduced(in.name, result)
		}
		return result, c.writeReduced(o, result.Text, content)
	}
	err = each(ctx, &run, work, func(r outcome[*reduce.Result]) error {
		var failed *outputError
		switch _, interrupted := interruption(r.err); {
		case r.err == nil:
			return nil
		case interrupted, errors.As(r.err, &failed):
			return r.err
		}
		c.printFailure(r.path, r.err)
		return statusError(exitTrouble)
	})
	line.Erase()
	return err
}

// keeps returns what tells whether --keep names a rule, nil without it.
func (o *reduceFlags) keeps() (func(*lint.Rule) bool, error) {
	if !o.flags.Changed("keep") {
		return nil, nil
	}
	var kept []*lint.Rule
	for _, word := range o.keep {
		selected := rules.Catalog().Select(word)
		if len(selected) == 0 {
			return nil, fmt.Errorf("--keep: %w", unknownWord("rule", word, rules.Catalog().Words(), "rules"))
		}
		kept = append(kept, selected...)
	}
	return func(r *lint.Rule) bool { return slices.Contains(kept, r) }, nil
}

// printReduced says what a recording became.
func (c *Command) printReduced(path string, r *reduce.Result) {
	for i := range r.Kept {
		c.printAt(path, r.Kept[i].Place.Span.Start, "kept %s: %s", r.Kept[i].Rule.ID, r.Kept[i].Message)
	}
	more := ""
	if r.Ended {
		more = "; more --max-runs may give less"
	}
	c.printLine("%s of %s after %s%s", humanize.Comma(int64(r.Records[1])), english.Plural(r.Records[0], "record", ""), english.Plural(r.Runs, "run", ""), more)
}

// writeReduced writes a text: to standard output compressed as it was, and to a file as the
// name of that says.
func (c *Command) writeReduced(o *reduceFlags, text []byte, content apply.Content) error {
	var err error
	if o.output == "" {
		if text, err = content.Pack(text); err != nil {
			return err
		}
	}
	out, err := c.openConverted(o.output, o.overwrite)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return errors.Join(err, out.discard())
	}
	return out.commit()
}
