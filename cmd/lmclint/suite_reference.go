package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/internal/verify/conformance"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/internal/verify/suite/caselint"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// reference is what suite run compares consumers and producers with: the linter,
// and its assembler without what only Open Interpreter does, such as truncated
// output and rewritten code. It implements [conformance.Reference].
type reference struct{}

// each passes the records of a stream as JSON Lines to do.
func (reference) each(ctx context.Context, stream []byte, do func(*source.Record)) error {
	reader := text.NewReader(bytes.NewReader(stream), source.Options{Form: source.FormJSONL, Detect: protocol.MeaningOf})
	for {
		record, err := reader.Next()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		do(record)
	}
}

// Records implements [conformance.Reference].
func (r reference) Records(ctx context.Context, stream []byte) (records []conformance.Record, err error) {
	err = r.each(ctx, stream, func(record *source.Record) {
		if data := bytes.Trim(record.Data, conformance.Blanks); len(data) > 0 {
			records = append(records, conformance.Record{Data: bytes.Clone(data), Line: record.Start.Line, Column: record.Start.Column})
		}
	})
	return records, err
}

// Assemble implements [conformance.Reference].
func (r reference) Assemble(ctx context.Context, dialectName string, autoRun bool, stream []byte) (transcript []byte, faithful bool, err error) {
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
	err = r.each(ctx, stream, func(record *source.Record) {
		if len(record.Problems) > 0 || record.IsGap {
			faithful = false
			return
		}
		a.Add(lmc.NewRecord(record))
	})
	a.Finish()
	return fmt.Appendf(nil, "[%s]", bytes.Join(messages, []byte(", "))), faithful, err
}

// Check implements [conformance.Reference].
func (reference) Check(ctx context.Context, dialect string, autoRun bool, stream []byte) ([]suite.Finding, error) {
	linter, err := lint.New(rules.All(), lint.WithConfig(lint.Config{Protocol: "lmc", Kind: "stream", Form: "jsonl", Dialect: dialect, AutoRun: autoRun}))
	if err != nil {
		return nil, err
	}
	var findings []suite.Finding
	_, err = linter.Run(ctx, "answer", bytes.NewReader(stream), func(f lint.Finding) error {
		found := caselint.FindingOf(&f, f.Path)
		found.Level = suite.LevelOf(found.Severity)
		findings = append(findings, found)
		return nil
	})
	if unknown, ok := errors.AsType[*lint.UnknownInputError](err); ok {
		return nil, errors.New(unknown.Looks)
	}
	return findings, err
}
