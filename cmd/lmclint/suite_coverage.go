package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"

	"github.com/lmclint/lmclint/internal/conformance"
	"github.com/lmclint/lmclint/internal/coverage"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/suite"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

// suiteCoverage says what the cases that were run exercise.
func suiteCoverage(ctx context.Context, files fs.FS, results []conformance.Result) (*coverage.Table, error) {
	covered := coverage.New(rules.All())
	linters := map[suite.Options]*lint.Linter{}
	for _, r := range results {
		if r.Outcome == conformance.Skipped {
			continue
		}
		linter := linters[r.Case.Options]
		if linter == nil || r.Case.Against() != "" {
			var err error
			if linter, err = caseLinter(files, r.Case); err != nil {
				return nil, fmt.Errorf("case %s: %w", r.Case.ID, err)
			}
			linters[r.Case.Options] = linter
		}
		text, err := fs.ReadFile(files, r.Case.File)
		if err != nil {
			return nil, err
		}
		// An input that cannot be read to its end counts as far as it was read.
		result, _ := linter.Run(ctx, r.Case.File, bytes.NewReader(text), func(lint.Finding) error { return nil })
		covered.Add(result.Coverage, nil)
	}
	return covered.Table(), nil
}

// printCoverage writes what was looked at to standard error, unless that was not wanted.
func (c *Command) printCoverage(table *coverage.Table) {
	if table == nil {
		return
	}
	for _, line := range table.Lines() {
		c.printStderr(wrapTo(report.EscapeControls(line), "", "  ", helpColumns))
	}
}

// caseLinter returns a linter for a case.
func caseLinter(files fs.FS, c *suite.Case) (*lint.Linter, error) {
	o := c.Options
	config := lint.Config{
		Protocol: o.Protocol, Kind: o.Kind, Form: o.Form, Dialect: o.Dialect,
		AutoRun: o.AutoRun, Partial: o.Partial, AllowEmpty: o.AllowEmpty, Coverage: true,
	}
	if path := c.Against(); path != "" {
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return nil, err
		}
		if config.Against, err = protocol.ReadConversation(path, bytes.NewReader(text), source.Options{}); err != nil {
			return nil, err
		}
	}
	return lint.New(rules.All(), lint.WithConfig(config))
}
