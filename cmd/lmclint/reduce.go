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
	"github.com/lmclint/lmclint/internal/change/redact"
	"github.com/lmclint/lmclint/internal/change/reduce"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

func (c *Command) reduceCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "reduce [flags] FILE|-",
		Short: "write a recording that can be shared: small, without its content",
		Long: `Reduce removes conversations, turns, blocks, records, keys and text, as long as
the findings remain: the first error, or the first finding of each rule of
RULES. No other finding comes. It lints what is left again and again, at most
--max-runs times; a run counts once more for every 64 KiB.

With --redact, content, names, ids, times and unknown values become other text
of the same shape. All records stay, unless --keep says what to keep. Findings
that differ then are listed.

The form stays. Nothing is written over what is read.

Exit status: 0 written, 1 written, and findings differ after --redact, 2 failed,
or nothing to keep was found.`,
		Example: name + " reduce stream.jsonl -o small.jsonl\n" +
			name + " reduce --redact --keep first stream.jsonl -o issue.jsonl",
		Args: operands(1, 1, "reduce takes one recording: name a file, or - for standard input"),
	}
	flags := command.Flags()
	o := &reduceFlags{maxRuns: number{value: reduce.DefaultMaxRuns, least: 1, shown: "N", expected: "a whole number above zero"}}
	flags.StringSliceVar(&o.keep, "keep", nil, "keep the first finding of each of these `RULES`")
	flags.BoolVar(&o.redact, "redact", false, "replace all content")
	flags.StringVarP(&o.output, "output", "o", "", "write to `FILE`, atomically (default stdout)")
	flags.BoolVar(&o.overwrite, "overwrite", false, "replace a file that differs, too")
	flags.Var(&o.maxRuns, "max-runs", "lint at most N times")
	o.checkFlags = shareCheckFlags(flags,
		"protocol", "kind", "form", "dialect", "after", "auto-run", "partial", "allow-empty", "stdin-filename", "max-record-bytes",
		"config", "isolated", "quiet")
	flags.Lookup("quiet").Usage = "omit the summary and the progress line"
	group(flags, "Output", []string{"keep", "redact", "output"}, []string{"overwrite", "max-runs", "quiet"})
	command.RunE = interruptible(func(ctx context.Context, operands []string) error { return c.reduce(ctx, o, operands) })
	return command
}

// reduceFlags are the flags of reduce: its own, and those of check that say what the input is.
type reduceFlags struct {
	*checkFlags
	keep              []string
	redact, overwrite bool
	output            string
	maxRuns           number
}

// keepFirst is the value of --keep for what reduce keeps without it.
const keepFirst = "first"

// keeps returns what tells whether --keep names a rule, nil for the first error.
func (o *reduceFlags) keeps() (func(*lint.Rule) bool, error) {
	if len(o.keep) == 0 || slices.Equal(o.keep, []string{keepFirst}) {
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

// reduce reduces and redacts the recording that the operand names.
func (c *Command) reduce(ctx context.Context, o *reduceFlags, operands []string) error {
	line := c.progressLine(o.checkFlags)
	c = c.withProgressLine(line)
	defer line.Erase()
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
	run, begun := newInputRun(c, o.checkFlags, inputs), time.Now()
	tried := func(runs, size int) {
		if time.Since(begun) >= showAfter {
			line.Show(fmt.Sprintf("%s after %s", humanize.Bytes(uint64(size)), english.Plural(runs, "run", "")))
		}
	}
	work := func(ctx context.Context, in *opened) (differs bool, err error) {
		_, content, err := apply.Read(in.reader)
		text := content.Text
		if err == nil && (!o.redact || o.flags.Changed("keep")) {
			text, err = c.reduced(ctx, o, reduce.Options{Name: in.name, New: plan.newLinter, Keep: isKept, MaxRuns: int(o.maxRuns.value), Tried: tried}, text)
		}
		if err == nil && o.redact {
			text, differs, err = c.redacted(ctx, redact.Options{Name: in.name, New: plan.newLinter, After: o.after}, text)
		}
		if err == nil {
			err = c.writeReduced(o, text, content)
		}
		return differs, err
	}
	return each(ctx, &run, work, func(r outcome[bool]) error {
		var failed *outputError
		switch _, interrupted := interruption(r.err); {
		case r.err == nil:
			return exitStatus(false, r.result)
		case interrupted, errors.As(r.err, &failed):
			return r.err
		}
		c.printFailure(r.path, r.err)
		return statusError(exitTrouble)
	})
}

// reduced returns the smallest text that still has the findings, and says what it became.
func (c *Command) reduced(ctx context.Context, o *reduceFlags, options reduce.Options, text []byte) ([]byte, error) {
	r, err := reduce.Text(ctx, options, text)
	switch {
	case errors.Is(err, reduce.ErrNothing) && options.Keep == nil:
		return nil, errors.New("nothing to keep: there is no error; --keep RULES keeps other findings")
	case errors.Is(err, reduce.ErrNothing):
		return nil, errors.New("nothing to keep: no rule of --keep found something")
	case err != nil:
		return nil, err
	case o.quiet:
		return r.Text, nil
	}
	for i := range r.Kept {
		c.printAt(options.Name, r.Kept[i].Place.Span.Start, "kept %s: %s", r.Kept[i].Rule.ID, r.Kept[i].Message)
	}
	more := ""
	if r.Ended {
		more = "; more --max-runs may give less"
	}
	c.printLine("%s of %s after %s%s", humanize.Comma(int64(r.Records[1])), english.Plural(r.Records[0], "record", ""), english.Plural(r.Runs, "run", ""), more)
	return r.Text, nil
}

// redacted returns a text without its content, and lists the findings that differ.
func (c *Command) redacted(ctx context.Context, options redact.Options, text []byte) (_ []byte, differs bool, err error) {
	r, err := redact.Text(ctx, options, text)
	if err != nil {
		return nil, false, err
	}
	for _, f := range r.Lost {
		c.printAt(options.Name, f.Place.Span.Start, "%s is not found after the redaction", f.Rule.ID)
	}
	for _, f := range r.Added {
		c.printAt(options.Name, f.Place.Span.Start, "%s is found only after the redaction", f.Rule.ID)
	}
	return r.Text, len(r.Lost)+len(r.Added) > 0, nil
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
