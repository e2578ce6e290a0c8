package main

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

func (c *Command) rulesCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "rules [flags]",
		Short:   "list the rules",
		Example: name + " rules\n" + name + " rules --format json",
		Args:    operands(0, 0, "rules takes no operands; "+name+" explain shows one rule or lists a family"),
	}
	format := choiceFlag(command.Flags(), "format", "FORMAT", "text, json or markdown", []string{"text", "json", "markdown"})
	command.RunE = func(*cobra.Command, []string) error { return c.listRules(rules.All(), format.value) }
	return command
}

func (c *Command) listRules(all []*lint.Rule, format string) error {
	switch format {
	case "json":
		return c.printJSON(catalogue(all))
	case "markdown":
		return c.print(rulesMarkdown(all))
	}
	return c.print(rulesText(all))
}

func rulesText(all []*lint.Rule) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range all {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Name, r.Severity, r.Summary)
	}
	_ = w.Flush() // a bytes.Buffer does not fail
	return b.String()
}

// rulesMarkdown returns the rules as a table.
func rulesMarkdown(all []*lint.Rule) string {
	var b strings.Builder
	b.WriteString("| Rule | Name | Severity | Applies to | Finds |\n|---|---|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n",
			r.ID, r.Name, r.SeverityText(), strings.Join(r.Inputs.Names(), ", "), strings.ReplaceAll(r.Summary, "|", `\|`))
	}
	return b.String()
}

// ruleEntry is a rule as "rules --format json" shows it.
type ruleEntry struct {
	ID         string                   `json:"id"`
	Name       string                   `json:"name"`
	Since      string                   `json:"since"`
	Status     string                   `json:"status"`
	Protocol   string                   `json:"protocol"`
	Severity   lint.Severity            `json:"severity"`
	Severities map[string]lint.Severity `json:"severities,omitempty"` // by dialect
	Cases      []caseEntry              `json:"cases,omitempty"`      // all in which the severity differs
	Inputs     []string                 `json:"inputs"`
	Summary    string                   `json:"summary"`
	Rationale  string                   `json:"rationale"`
	Evidence   []string                 `json:"evidence"`
	Bad        []exampleEntry           `json:"bad"`
	Good       []exampleEntry           `json:"good"`
}

// caseEntry is a case in which the severity differs from that of the rule. Missing
// keys mean all dialects, all kinds of input, all findings.
type caseEntry struct {
	Severity lint.Severity `json:"severity"`
	Dialect  string        `json:"dialect,omitempty"`
	Inputs   []string      `json:"inputs,omitempty"`
	When     string        `json:"when,omitempty"`
}

func caseEntries(cases []lint.SeverityCase) []caseEntry {
	entries := make([]caseEntry, 0, len(cases))
	for _, c := range cases {
		entries = append(entries, caseEntry{c.Severity, c.Dialect, c.Inputs.Names(), c.When})
	}
	return entries
}

// severitiesByDialect returns the severities that depend on the dialect alone.
func severitiesByDialect(cases []lint.SeverityCase) map[string]lint.Severity {
	severities := map[string]lint.Severity{}
	for _, c := range cases {
		if c.Dialect != "" && c.Inputs == 0 && c.When == "" {
			severities[c.Dialect] = c.Severity
		}
	}
	return severities
}

type exampleEntry struct {
	Name           string   `json:"name"`
	Input          string   `json:"input"`
	Protocol       string   `json:"protocol,omitempty"`
	Dialect        string   `json:"dialect,omitempty"`
	Kind           string   `json:"kind,omitempty"`
	AutoRun        bool     `json:"autoRun,omitempty"`
	Partial        bool     `json:"partial,omitempty"`
	MaxRecordBytes int64    `json:"maxRecordBytes,omitempty"`
	MaxDepth       int      `json:"maxDepth,omitempty"`
	Want           []string `json:"want,omitempty"`
}

func catalogue(all []*lint.Rule) []ruleEntry {
	entries := make([]ruleEntry, 0, len(all))
	for _, r := range all {
		entries = append(entries, ruleEntry{
			ID: r.ID, Name: r.Name, Since: r.Since, Status: r.Status.String(), Protocol: r.ProtocolName(),
			Severity: r.Severity, Severities: severitiesByDialect(r.Severities), Cases: caseEntries(r.Severities), Inputs: r.Inputs.Names(),
			Summary: r.Summary, Rationale: r.Rationale, Evidence: append([]string{}, r.Evidence...),
			Bad: exampleEntries(r.Bad), Good: exampleEntries(r.Good),
		})
	}
	return entries
}

func exampleEntries(examples []lint.Example) []exampleEntry {
	entries := make([]exampleEntry, 0, len(examples))
	for _, e := range examples {
		entries = append(entries, exampleEntry{
			Name: e.Name, Input: e.Text(), Protocol: e.Protocol, Partial: e.Partial, Dialect: e.Dialect, Kind: e.Kind, AutoRun: e.AutoRun,
			MaxRecordBytes: e.MaxRecordBytes, MaxDepth: e.MaxDepth,
			Want: e.Want,
		})
	}
	return entries
}
