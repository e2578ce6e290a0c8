package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/schema"
)

// printFailure prints why an input was not checked to its end, and returns the
// error for the report.
func (r *checkRun) printFailure(result lint.Result, err error) error {
	var unknown *lint.UnknownInputError
	var stopped *interrupt.Error
	var unpassed *passError
	switch {
	case errors.Is(err, errFailFast), errors.Is(err, errOutputClosed), errors.As(err, &stopped):
		return err // it is not a failure, or a finding or the end of the run explains it
	case errors.Is(err, errStopped):
		r.command.printError(errors.New("stopped at a finding: standard output was closed, the rest was not checked"))
		return err
	case errors.As(err, &unpassed):
		r.trouble = true
		r.command.printError(unpassed)
		return err
	case errors.As(err, &unknown):
		r.unknown = r.unknown || !unknown.Named
		r.undecided = r.undecided || !unknown.Named && !unknown.Other
	}
	r.trouble = true
	r.command.printFailure(result.Path, err)
	return trimPathError(err)
}

// conclude prints the summary line and returns the exit status.
func (r *checkRun) conclude(ctx context.Context) error {
	if p := r.out.panicked; p != nil {
		r.trouble = true
		r.command.printError(fmt.Errorf("report: %w", p))
		r.command.printStderr(string(p.Stack))
	}
	if r.readerClosed {
		return exitStatus(r.trouble, r.failed)
	}
	status, interrupted := r.interrupted(ctx, "findings may be missing")
	if ways := r.flags.forUnknown(r.undecided); r.unknown && len(ways) > 0 {
		r.command.printStderr("Pass " + strings.Join(ways, ", or ") + ".\n")
	}
	if !r.flags.quiet {
		if r.spacious && r.summary.Flagged > 0 {
			r.command.printStderr("\n")
		}
		r.command.printStderr(summaryText(r.ink, &r.summary) + "\n")
		if r.summary.Flagged > minFlaggedFiles {
			for _, cause := range r.summary.Causes {
				r.command.printStderr("  " + cause.String() + "\n")
			}
		}
		r.command.printCoverage(r.summary.Coverage)
		if fixes := r.summary.Fixes(name); fixes != "" {
			r.command.printStderr(fixes + "\n")
		}
	}
	if err := r.concludeBaselines(!interrupted && r.last < 0); err != nil {
		return err
	}
	if r.flags.verbose {
		r.command.printStderr(strings.Join(r.flags.minding.untried(r.counts), ""))
	}
	if r.flags.statistics {
		r.command.printStderr(r.counts.String())
	}
	if r.flags.timing {
		r.command.printStderr(r.timing())
	}
	if interrupted {
		return status
	}
	return exitStatus(r.trouble, r.failed)
}

// exitStatus returns the exit status of a run: whether it had trouble, and whether a
// finding reached --fail-on.
func exitStatus(trouble, failed bool) error {
	switch {
	case trouble:
		return statusError(exitTrouble)
	case failed:
		return statusError(exitFindings)
	}
	return nil
}

// explainer returns what prints why an input or a directory was skipped, if that is wanted.
func (c *Command) explainer(wanted bool) func(path, why string) {
	return func(path, why string) {
		if wanted {
			c.printLine("%s: %s", path, why)
		}
	}
}

// explainInput prints, with --verbose, the detected properties of an input and its
// configuration.
func (r *inputRun) explainInput(p *plan, result lint.Result) {
	if !r.flags.verbose {
		return
	}
	var words []string
	if result.Protocol != "" {
		words = append(words, strings.TrimSuffix(result.Protocol+" "+result.Kind, " "))
	}
	if result.Form != "" {
		words = append(words, result.Form)
	}
	if result.Dialect != "" {
		words = append(words, "dialect "+result.Dialect)
	}
	line := result.Path + ": " + strings.Join(append(words, english.Plural(result.Records, "record", "")), ", ")
	if s := p.settings; s.Config.Path != "" {
		line += "; configured by " + s.Config.Path
		for _, o := range s.Overrides {
			line += ", " + o.String()
		}
	}
	r.command.printLine("%s", line)
}

// statistics counts findings by rule.
type statistics map[*lint.Rule]*ruleCount

type ruleCount struct {
	findings int
	worst    lint.Severity
}

// add counts findings of a rule.
func (s statistics) add(r *lint.Rule, severity lint.Severity, findings int) {
	if s[r] == nil {
		s[r] = &ruleCount{}
	}
	s[r].findings += findings
	s[r].worst = max(s[r].worst, severity)
}

// String returns a line per rule, those with the most findings first.
func (s statistics) String() string {
	found := make([]*lint.Rule, 0, len(s))
	for r := range s {
		found = append(found, r)
	}
	slices.SortFunc(found, func(a, b *lint.Rule) int {
		return cmp.Or(cmp.Compare(s[b].findings, s[a].findings), cmp.Compare(a.ID, b.ID))
	})
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range found {
		_, _ = fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", s[r].findings, s[r].worst, r.ID, r.Name)
	}
	_ = w.Flush() // a bytes.Buffer does not fail
	return b.String()
}

// timing returns the numbers of the run, one per line.
func (r *checkRun) timing() string {
	seconds := max(time.Since(r.begun).Seconds(), 1e-6)
	bytes, records := r.meter.Bytes.Load(), r.summary.Records
	return fmt.Sprintf("inputs: %d\njobs: %d\nbytes: %d\nrecords: %d\nfindings: %d\nseconds: %.3f\nMB/s: %.1f\nrecords/s: %.0f\n",
		r.summary.Files+r.summary.Skipped, r.jobs(), bytes, records, r.summary.Errors+r.summary.Warnings+r.summary.Notes,
		seconds, float64(bytes)/1e6/seconds, float64(records)/seconds)
}

// explainAutoRun says, with or without --verbose and once for each dialect, that
// --auto-run has no effect on an input.
func (r *inputRun) explainAutoRun(p *plan, result lint.Result) {
	if !r.flags.autoRun || r.flags.quiet || result.Protocol == "" || r.autoRun[result.Dialect] {
		return
	}
	why := "Semantic Workbench has no confirmations"
	if result.Protocol == (protocol.LMC{}).Name() {
		dialects, _ := p.settings.Input().Vocabulary.(*schema.Dialects)
		dialect, ok := dialects.Lookup(result.Dialect)
		switch {
		case !ok || dialect.Confirmation == schema.ConfirmUnlessAutoRun:
			return
		case dialect.Confirmation == schema.ConfirmAlways:
			why = "recordings of dialect " + result.Dialect + " have confirmations with auto_run, too"
		default:
			why = "recordings of dialect " + result.Dialect + " have no confirmations"
		}
	}
	r.autoRun[result.Dialect] = true
	r.command.printLine("%s: --auto-run has no effect: %s", result.Path, why)
}

// Limits of what the summary of many files says of causes.
const (
	minFlaggedFiles = 10     // files with findings above which the summary names causes
	maxNamedCauses  = 5      // that it names
	maxCounted      = 10_000 // causes that are counted
)

// causeCounts count the causes of all files: one in most of them is the mistake of one
// program.
type causeCounts map[causeOf]*report.CauseCount

type causeOf struct {
	rule  *lint.Rule
	cause string
}

// add counts the findings of a file, which are complete.
func (c causeCounts) add(findings []lint.Finding) {
	for i := range findings {
		f := &findings[i]
		key := causeOf{f.Rule, f.Cause}
		if c[key] == nil {
			if len(c) >= maxCounted {
				continue
			}
			c[key] = &report.CauseCount{Rule: f.Rule, Message: f.Message}
		}
		c[key].Files++
		c[key].Places += f.Count
	}
}

// most returns the causes that are in the most files.
func (c causeCounts) most() (list []report.CauseCount) {
	for _, count := range c {
		if count.Files > 1 {
			list = append(list, *count)
		}
	}
	slices.SortFunc(list, func(a, b report.CauseCount) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(b.Places, a.Places), cmp.Compare(a.Rule.ID, b.Rule.ID), cmp.Compare(a.Message, b.Message))
	})
	return list[:min(len(list), maxNamedCauses)]
}
