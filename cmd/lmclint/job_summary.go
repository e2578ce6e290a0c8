package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/lmclint/lmclint/report"
)

// stepSummary is the variable in which GitHub Actions names the file for the
// summary of a job.
const stepSummary = "GITHUB_STEP_SUMMARY"

// jobSummary is a report to the summary of the job, for a run that reports to
// GitHub. There is none elsewhere.
func (c *Command) jobSummary(list []target) *output {
	path := c.env(stepSummary)
	if path == "" || !slices.ContainsFunc(list, func(t target) bool { return t.format == report.FormatGitHub }) {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	out := &output{name: stepSummary, file: appended{file}}
	if err == nil {
		err = out.report(report.FormatMarkdown, file, report.Options{})
	}
	if err != nil {
		// A container may have the variable and not the file. The findings are
		// in the log all the same.
		c.printError(fmt.Errorf("no summary of the job: %s %s: %w", stepSummary, path, trimPathError(err)))
		return nil
	}
	return out
}

// appended is a file that other steps write to as well.
type appended struct{ *os.File }

// Commit implements [sink].
func (a appended) Commit() error { return a.Close() }

// Discard implements [sink]. What was written stays.
func (a appended) Discard() error { return a.Close() }
