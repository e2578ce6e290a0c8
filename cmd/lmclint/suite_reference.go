package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/internal/assemble"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/internal/suite"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// reference is what suite run compares consumers and producers with: the linter,
// and its assembler without what only Open Interpreter does, such as truncated
// output and rewritten code. It implements [conformance.Reference].
type reference struct{}

// Assemble implements [conformance.Reference].
func (reference) Assemble(ctx context.Context, dialectName string, autoRun bool, stream []byte) (transcript []byte, faithful bool, err error) {
	dialect, ok := schema.Lookup(dialectName)
	if !ok {
		return nil, false, fmt.Errorf("unknown dialect %q", dialectName)
	}
	options := assemble.Options{As: assemble.Interpreter, AutoRun: autoRun, ContinueAfterCrash: true}
	if dialect.ServerFrames {
		options.As = assemble.Server
	}
	var messages [][]byte
	faithful = true
	a := assemble.New(options, func(message []byte) {
		messages = append(messages, bytes.Clone(message))
	}, func(assemble.Deviation) { faithful = false })
	reader := text.NewReader(bytes.NewReader(stream), source.Options{Form: source.FormJSONL})
	for {
		record, err := next(ctx, reader)
		if err != nil {
			return nil, false, err
		}
		if record == nil {
			break
		}
		if len(record.Problems) > 0 || record.IsGap {
			faithful = false
			continue
		}
		a.Add(lmc.NewRecord(record))
	}
	a.Finish()
	return fmt.Appendf(nil, "[%s]", bytes.Join(messages, []byte(", "))), faithful, nil
}

// Check implements [conformance.Reference].
func (reference) Check(ctx context.Context, dialect string, autoRun bool, stream []byte) ([]suite.Finding, error) {
	linter, err := lint.New(rules.All(), lint.WithConfig(lint.Config{Protocol: "lmc", Kind: "stream", Form: "jsonl", Dialect: dialect, AutoRun: autoRun}))
	if err != nil {
		return nil, err
	}
	var findings []suite.Finding
	_, err = linter.Run(ctx, "answer", bytes.NewReader(stream), func(f lint.Finding) error {
		found := suiteFinding(&f)
		found.Level = suite.LevelOf(found.Severity)
		findings = append(findings, found)
		return nil
	})
	if unknown, ok := errors.AsType[*lint.UnknownInputError](err); ok {
		return nil, errors.New(unknown.Looks)
	}
	return findings, err
}

// suiteFinding returns a finding as the conformance suite has it, without a
// level.
func suiteFinding(f *lint.Finding) suite.Finding {
	start := f.Place.Span.Start
	found := suite.Finding{Rule: f.Rule.ID, Severity: f.Severity.String(), Line: start.Line, Column: start.Column, Pointer: f.Place.Pointer}
	if f.Place.Record >= 0 {
		record := f.Place.Record
		found.Record = &record
	}
	return found
}

// next reads a record. It returns nil at the end.
func next(ctx context.Context, reader *source.Reader) (*source.Record, error) {
	rec, err := reader.Next()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, io.EOF):
		return nil, nil
	}
	return rec, err
}
