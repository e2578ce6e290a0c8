package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/atomicfile"
	"github.com/lmclint/lmclint/internal/mutation"
	"github.com/lmclint/lmclint/internal/quantity"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/internal/suite"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

func (c *Command) mutateCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "mutate [flags] RECORDING",
		Short: "seed a mistake in a recording, for tests of other programs",
		Long: `RECORDING is a transcript or a stream, as a JSON array or JSON Lines, without
errors and warnings. The result is the same recording with one mistake; all else
stays as it is, byte for byte. The same seed gives the same result.

--expect writes the findings that a checker must report, in the form of the
conformance suite. --list lists the kinds of mistakes, and with a recording
only those that it has a place for. - is standard input.

Exit status: 0 written, 2 the recording has no place for the mistake, or failed.`,
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
	flags.StringVarP(&o.output, "output", "o", "", "write the recording to `FILE`, atomically")
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
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	in := walk.Expand(operands)
	inputs, err := withoutOutput(in, o.output)
	if err == nil {
		inputs, err = withoutOutput(inputs, o.expect)
	}
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

// maxMutated is the largest recording that is mutated, in bytes: it is held in
// memory with its records.
const maxMutated = 64 << 20

// mutator seeds mistakes in one recording.
type mutator struct {
	flags     *mutateFlags
	linter    *lint.Linter
	recording *mutation.Recording
}

// mutant is a recording with a mistake that the linter finds.
type mutant struct {
	data        []byte
	expectation mutantExpectation
}

// mutantExpectation is what a checker must report for a mutant. It is the form
// of the conformance suite for the expectation of a case.
type mutantExpectation struct {
	Note     string          `json:"note"`
	Options  suite.Options   `json:"options"`
	Findings []mutantFinding `json:"findings"`
}

type mutantFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Record   *int   `json:"record,omitempty"`
	Pointer  string `json:"pointer,omitempty"`
}

// newMutator reads a recording and checks that it is valid.
func (c *Command) newMutator(ctx context.Context, o *mutateFlags, in walk.Input) (*mutator, error) {
	data, err := c.readWhole(ctx, in, maxMutated)
	if err != nil {
		return nil, err
	}
	linter, err := lint.New(rules.All(), lint.WithConfig(lint.Config{Dialect: unlessAuto(o.dialect.value), AutoRun: o.autoRun, Partial: o.partial}))
	if err != nil {
		return nil, err
	}
	m := &mutator{flags: o, linter: linter}
	first, result, err := m.lint(ctx, data)
	switch {
	case err != nil:
		return nil, err
	case result.Protocol != "lmc" || result.Kind == "session":
		return nil, fmt.Errorf("a %s of protocol %s; mutate takes transcripts and streams of LMC", result.Kind, result.Protocol)
	case result.Form != "json" && result.Form != "jsonl":
		return nil, fmt.Errorf("form %s; mutate takes json and jsonl", result.Form)
	case result.Errors+result.Warnings > 0:
		return nil, fmt.Errorf("has %s and %s, and must have none: first %s in line %d: %s", quantity.Of(result.Errors, "error"),
			quantity.Of(result.Warnings, "warning"), first.Rule.ID, first.Place.Span.Start.Line, first.Message)
	}
	m.recording = &mutation.Recording{
		Dialect: unlessAuto(o.dialect.value), AutoRun: o.autoRun, Transcript: result.Kind == "transcript",
	}
	return m, m.recording.Read(data)
}

// readWhole reads an input of at most a number of bytes.
func (c *Command) readWhole(ctx context.Context, in walk.Input, most int64) ([]byte, error) {
	if in.Err != nil {
		return nil, in.Err
	}
	opened, err := c.open(ctx, in)
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	data, err := io.ReadAll(io.LimitReader(opened, most+1))
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	case int64(len(data)) > most:
		return nil, fmt.Errorf("larger than %d MiB", most>>20)
	}
	return data, nil
}

// lint returns the first error or warning in a recording, or the zero finding.
func (m *mutator) lint(ctx context.Context, data []byte) (first lint.Finding, result lint.Result, err error) {
	result, err = m.linter.Run(ctx, "recording", bytes.NewReader(data), func(f lint.Finding) error {
		if first.Rule == nil && f.Severity != lint.SeverityNote {
			first = f
		}
		return nil
	})
	var unknown *lint.UnknownInputError
	if errors.As(err, &unknown) {
		return first, result, fmt.Errorf("not LMC: %s", unknown.Looks)
	}
	return first, result, err
}

// kinds returns the kinds of mistakes that the recording has a place for.
func (m *mutator) kinds() []mutation.Kind {
	return slices.DeleteFunc(mutation.Kinds(), func(k mutation.Kind) bool { return m.seedKind(k, 0) == nil })
}

// maxTries is how many places and values are tried for a kind of mistake.
const maxTries = 16

func (m *mutator) seedKind(k mutation.Kind, try uint64) *mutation.Mutant {
	return k.Seed(m.recording, uint64(m.flags.seed.value)*maxTries+try)
}

// seed returns the mutant that the flags ask for. Without a kind the number
// chooses one that the recording has a place for.
func (m *mutator) seed(ctx context.Context) (*mutant, error) {
	kinds := mutation.Kinds()
	if id := string(m.flags.kind); id != "" {
		kinds = slices.DeleteFunc(kinds, func(k mutation.Kind) bool { return k.ID() != id })
	} else {
		r := rand.New(rand.NewPCG(uint64(m.flags.seed.value), 0))
		r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	}
	for _, k := range kinds {
		for try := range uint64(maxTries) {
			seeded := m.seedKind(k, try)
			if seeded == nil {
				continue
			}
			found, err := m.judge(ctx, k, seeded)
			if found != nil || err != nil {
				return found, err
			}
		}
	}
	return nil, fmt.Errorf("no place for %s; %s mutate --list RECORDING lists the kinds that it has a place for", cmp.Or(string(m.flags.kind), "any mistake"), name)
}

// judge returns a mutant with its expected findings: those of the linter, if
// they include what package mutation knows about the mistake. It returns nil if
// they do not, or if the mistake is another or more than one here, as a block
// without an end is where the recording ends.
func (m *mutator) judge(ctx context.Context, k mutation.Kind, seeded *mutation.Mutant) (*mutant, error) {
	findings := []mutantFinding{}
	loud, found := 0, false
	result, err := m.linter.Run(ctx, "recording", bytes.NewReader(seeded.Data), func(f lint.Finding) error {
		at := f.Place.Span.Start
		e := mutantFinding{Rule: f.Rule.ID, Severity: f.Severity.String(), Line: at.Line, Column: at.Column, Pointer: f.Place.Pointer}
		if f.Place.Record >= 0 {
			record := f.Place.Record
			e.Record = &record
		}
		findings = append(findings, e)
		if f.Severity != lint.SeverityNote {
			loud++
		}
		found = found || slices.Contains(seeded.Want, f.Rule.ID) && slices.Contains(seeded.At, at.Line)
		return nil
	})
	var unknown *lint.UnknownInputError
	switch {
	case errors.As(err, &unknown):
		return nil, nil
	case err != nil:
		return nil, err
	case !found || loud > 1 || (result.Kind == "transcript") != m.recording.Transcript:
		return nil, nil
	}
	slices.SortFunc(findings, func(a, b mutantFinding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Pointer, b.Pointer))
	})
	options := suite.Options{Dialect: unlessAuto(m.flags.dialect.value), AutoRun: m.flags.autoRun, Partial: m.flags.partial}
	note := fmt.Sprintf("seeded mistake: %s (kind %s, seed %d)", k.Name, k.ID(), m.flags.seed.value)
	return &mutant{seeded.Data, mutantExpectation{note, options, findings}}, nil
}

// writeMutant writes a mutant, and first its expectation.
func (c *Command) writeMutant(o *mutateFlags, found *mutant) error {
	if o.expect != "" {
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(found.expectation); err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		if err := writeAtomically(o.expect, b.Bytes()); err != nil {
			return err
		}
	}
	if o.output != "" {
		return writeAtomically(o.output, found.data)
	}
	return c.print(string(found.data))
}

// writeAtomically writes a file that is either whole or unchanged.
func writeAtomically(path string, data []byte) error {
	file, err := atomicfile.Create(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, trimPathError(err))
	}
	if _, err = file.Write(data); err != nil {
		_ = file.Discard()
	} else {
		err = file.Commit()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, trimPathError(err))
	}
	return nil
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
