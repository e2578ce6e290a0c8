package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/mutation"
	"github.com/lmclint/lmclint/internal/suite"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

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
	expectation suite.Expectation // what a checker must report for it
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
		return nil, fmt.Errorf("has %s and %s; mutate needs a recording without any. First: %s in line %d: %s", english.Plural(result.Errors, "error", ""),
			english.Plural(result.Warnings, "warning", ""), first.Rule.ID, first.Place.Span.Start.Line, first.Message)
	}
	dialect, ok := schema.Lookup(result.Dialect)
	m.recording = &mutation.Recording{
		Dialect: unlessAuto(o.dialect.value), AutoRun: o.autoRun, Transcript: result.Kind == "transcript",
		Unconfirmed: o.autoRun && ok && dialect.Confirmation == schema.ConfirmUnlessAutoRun,
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
	if unknown, ok := errors.AsType[*lint.UnknownInputError](err); ok {
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
	findings := []suite.Finding{}
	loud, found := 0, false
	result, err := m.linter.Run(ctx, "recording", bytes.NewReader(seeded.Data), func(f lint.Finding) error {
		findings = append(findings, suiteFinding(&f))
		if f.Severity != lint.SeverityNote {
			loud++
		}
		found = found || slices.Contains(seeded.Want, f.Rule.ID) && slices.Contains(seeded.At, f.Place.Span.Start.Line)
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
	slices.SortFunc(findings, suite.Compare)
	options := suite.Options{Dialect: unlessAuto(m.flags.dialect.value), AutoRun: m.flags.autoRun, Partial: m.flags.partial}
	note := fmt.Sprintf("seeded mistake: %s (kind %s, seed %d)", k.Name, k.ID(), m.flags.seed.value)
	return &mutant{seeded.Data, suite.Expectation{Note: note, Options: options, Findings: findings}}, nil
}
