package report

import (
	"cmp"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/source"
)

// The types below are what report.schema.json describes, in its order.

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonFile struct {
	Path     string `json:"path"`
	Protocol string `json:"protocol,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Form     string `json:"form,omitempty"`
	Dialect  string `json:"dialect,omitempty"`
	Records  int    `json:"records"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Notes    int    `json:"notes"`
	Failure  string `json:"failure,omitempty"`
}

type jsonPlace struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Offset    int64  `json:"offset"`
	EndOffset int64  `json:"endOffset"`
	Record    *int   `json:"record,omitempty"`
	Pointer   string `json:"pointer"`
}

type jsonRelated struct {
	Message string `json:"message"`
	jsonPlace
}

type jsonFinding struct {
	Rule         string        `json:"rule"`
	Name         string        `json:"name"`
	Severity     lint.Severity `json:"severity"`
	Message      string        `json:"message"`
	Help         string        `json:"help,omitempty"`
	Path         string        `json:"path"`
	Conversation *int          `json:"conversation,omitempty"`
	jsonPlace
	Related []jsonRelated `json:"related"`
}

type jsonSummary struct {
	Files      int  `json:"files"`
	Skipped    int  `json:"skipped"`
	Records    int  `json:"records"`
	Errors     int  `json:"errors"`
	Warnings   int  `json:"warnings"`
	Notes      int  `json:"notes"`
	Incomplete bool `json:"incomplete"`
}

func modelFile(f File) jsonFile {
	m := jsonFile{
		Path: f.Path, Protocol: f.Protocol, Kind: f.Kind, Form: string(f.Form), Dialect: f.Dialect,
		Records: f.Records, Errors: f.Errors, Warnings: f.Warnings, Notes: f.Notes,
	}
	if f.Err != nil {
		m.Failure = cmp.Or(f.Err.Error(), "unknown")
	}
	return m
}

func modelFinding(f lint.Finding) jsonFinding {
	related := make([]jsonRelated, 0, len(f.Related))
	for _, r := range f.Related {
		related = append(related, jsonRelated{Message: r.Message, jsonPlace: modelPlace(r.Place)})
	}
	return jsonFinding{
		Rule: f.Rule.ID, Name: f.Rule.Name, Severity: f.Severity,
		Message: f.Message, Help: f.Help, Path: f.Path,
		Conversation: index(f.Conversation), jsonPlace: modelPlace(f.Place), Related: related,
	}
}

func modelPlace(p source.Place) jsonPlace {
	start, end := known(p.Span.Start), known(p.Span.End)
	return jsonPlace{
		Line: start.Line, Column: start.Column, EndLine: end.Line, EndColumn: end.Column,
		Offset: start.Offset, EndOffset: end.Offset,
		Record: index(p.Record), Pointer: p.Pointer,
	}
}

func modelSummary(s Summary) jsonSummary {
	return jsonSummary{
		Files: s.Files, Skipped: s.Skipped, Records: s.Records,
		Errors: s.Errors, Warnings: s.Warnings, Notes: s.Notes, Incomplete: s.Incomplete,
	}
}

// index leaves out what is not counted: -1 becomes nil.
func index(i int) *int {
	if i < 0 {
		return nil
	}
	return &i
}
