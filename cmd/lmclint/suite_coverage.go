package main

import (
	"context"
	"io/fs"

	"github.com/lmclint/lmclint/internal/show/coverage"
	"github.com/lmclint/lmclint/internal/verify/conformance"
	"github.com/lmclint/lmclint/internal/verify/suite/caselint"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

// suiteCoverage says what the cases that were run exercise.
func suiteCoverage(ctx context.Context, files fs.FS, results []conformance.Result) *coverage.Table {
	covered := coverage.New(rules.All())
	cases := caselint.Suite{Files: files}
	for _, r := range results {
		if r.Outcome == conformance.Skipped {
			continue
		}
		// An input that cannot be read to its end counts as far as it was read.
		result, _ := cases.Run(ctx, r.Case.File, r.Case.Options, func(lint.Finding) error { return nil })
		covered.Add(result.Coverage, nil)
	}
	return covered.Table()
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
