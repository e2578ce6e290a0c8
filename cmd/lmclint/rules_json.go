package main

import "github.com/lmclint/lmclint/lint"

// ruleEntry is a rule as "rules --format json" shows it.
type ruleEntry struct {
	ID         string                   `json:"id"`
	Name       string                   `json:"name"`
	Since      string                   `json:"since"`
	Status     string                   `json:"status"`
	Protocol   string                   `json:"protocol"`
	Severity   lint.Severity            `json:"severity"`
	Severities map[string]lint.Severity `json:"severities,omitempty"` // by dialect
	Inputs     []string                 `json:"inputs"`
	Summary    string                   `json:"summary"`
	Rationale  string                   `json:"rationale"`
	Evidence   []string                 `json:"evidence"`
	Bad        []exampleEntry           `json:"bad"`
	Good       []exampleEntry           `json:"good"`
}

type exampleEntry struct {
	Name           string   `json:"name"`
	Input          string   `json:"input"`
	Protocol       string   `json:"protocol,omitempty"`
	Dialect        string   `json:"dialect,omitempty"`
	Kind           string   `json:"kind,omitempty"`
	AutoRun        bool     `json:"autoRun,omitempty"`
	Form           string   `json:"form,omitempty"`
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
			Severity: r.Severity, Severities: r.Severities, Inputs: inputNames(r.Inputs),
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
			Form: string(e.Source.Form), MaxRecordBytes: e.Source.MaxRecordBytes, MaxDepth: e.Source.MaxDepth,
			Want: e.Want,
		})
	}
	return entries
}
