package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/mutation"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/schema"
)

func (c *Command) mutateCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "mutate [flags] RECORDING",
		Short: "insert a mistake into a recording, for tests of other programs",
		Long: `RECORDING is a transcript or a stream, as a JSON array or JSON Lines, without
errors or warnings. The result is the same recording with one mistake; the rest
is unchanged, byte for byte. The same seed gives the same result.

--expect writes the findings that a checker must report, in the format of the
conformance suite. --list lists the kinds of mistakes; with a recording, only
those that it has a place for. - is standard input.

Exit status: 0 written, 2 failed, or the recording has no place for the mistake.`,
		Example: name + " mutate --kind lost-end --seed 1 healthy.jsonl > broken.jsonl\n" +
			name + " mutate --output broken.jsonl --expect broken.expect.json healthy.jsonl\n" +
			name + " mutate --list",
		Args: operands(0, 1, "mutate takes one recording"),
	}
	o := defineMutateFlags(command.Flags())
	command.RunE = func(_ *cobra.Command, operands []string) error { return c.mutate(o, operands) }
	return command
}

// mutateFlags are the flags of mutate.
type mutateFlags struct {
	kind                   mutationKind
	dialect, format        *choice
	seed                   number
	output, expect         string
	list, autoRun, partial bool
}

func defineMutateFlags(flags *pflag.FlagSet) *mutateFlags {
	o := &mutateFlags{seed: number{value: 1, shown: "N", expected: "a whole number, not negative"}}
	flags.Var(&o.kind, "kind", "kind of mistake (default: the seed chooses)")
	flags.Var(&o.seed, "seed", "choose the place and the values")
	outputFlag(flags, &o.output, "o", "write the recording to `FILE`, atomically")
	flags.StringVar(&o.expect, "expect", "", "write the expected findings to `FILE`, atomically")
	flags.BoolVar(&o.list, "list", false, "list the kinds of mistakes")
	o.format = choiceFlag(flags, "format", "FORMAT", "text or json, for --list", []string{"text", "json"})
	o.dialect = choiceFlag(flags, "dialect", "NAME", "dialect of the recording", append([]string{auto}, schema.Names()...))
	flags.BoolVar(&o.autoRun, "auto-run", false, "the recording has no confirmations")
	flags.BoolVar(&o.partial, "partial", false, "the recording is a part of a conversation")
	return o
}

// mutationKind is the id of a kind of mistake, "" for any. It is checked when it
// is used: flags are defined whenever the program starts, and the list is long.
type mutationKind string

// String implements [pflag.Value].
func (k *mutationKind) String() string { return string(*k) }

// Type implements [pflag.Value].
func (k *mutationKind) Type() string { return "KIND" }

// Set implements [pflag.Value].
func (k *mutationKind) Set(id string) error {
	*k = mutationKind(id)
	return nil
}

func mutationIDs() []string {
	var ids []string
	for _, k := range mutation.Kinds() {
		ids = append(ids, k.ID())
	}
	return ids
}

// mutate writes a mutant, or lists the kinds of mistakes.
func (c *Command) mutate(o *mutateFlags, operands []string) error {
	if kind := string(o.kind); kind != "" && !slices.Contains(mutationIDs(), kind) {
		return unknownWord("kind", kind, mutationIDs(), "mutate --list")
	}
	if len(operands) == 0 {
		if o.list {
			return c.listMistakes(o, mutation.Kinds())
		}
		return usagef("nothing to mutate: name a recording, or - for standard input")
	}
	if o.output != "" && filepath.Clean(o.output) == filepath.Clean(o.expect) {
		return usagef("--output and --expect are the same file")
	}
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	in := walk.Expand(operands)
	inputs, err := c.withoutOutputs(in, []string{o.output, o.expect})
	switch {
	case err != nil:
		return err
	case len(inputs) != 1 || !inputs[0].Named:
		return usagef("mutate takes one recording: %s is not one", operands[0])
	}
	m, err := c.newMutator(ctx, o, inputs[0])
	if err != nil {
		return fmt.Errorf("%s: %w", operands[0], trimPathError(err))
	}
	if o.list {
		return c.listMistakes(o, m.kinds())
	}
	found, err := m.seed(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", operands[0], err)
	}
	return c.writeMutant(o, found)
}

// writeMutant writes a mutant, and first its expectation.
func (c *Command) writeMutant(o *mutateFlags, found *mutant) error {
	if o.expect != "" {
		text, err := found.expectation.Encode()
		if err != nil {
			return err
		}
		if err := c.write(o.expect, text); err != nil {
			return err
		}
	}
	return c.write(o.output, found.data)
}

// listMistakes prints kinds of mistakes.
func (c *Command) listMistakes(o *mutateFlags, kinds []mutation.Kind) error {
	type listed struct {
		ID    string   `json:"id"`
		Name  string   `json:"name"`
		In    string   `json:"in"`
		Rules []string `json:"rules"` // one of them finds the mistake
	}
	list := []listed{}
	for _, k := range kinds {
		in := "stream"
		if k.Transcripts {
			in = "transcript"
		}
		list = append(list, listed{k.ID(), k.Name, in, k.Rules})
	}
	if o.format.value == "json" {
		return c.printJSON(list)
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "KIND\tIN\tFOUND BY")
	for _, k := range list {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", k.ID, k.In, spelling.AnyOf(k.Rules))
	}
	_ = w.Flush() // a bytes.Buffer does not fail
	return c.print(b.String())
}
