package report

import (
	"fmt"
	"io"
)

// Format is the name of a report format, as --format takes it.
type Format string

// The report formats. Those that are one document are sorted by path, offset
// and rule, and written when the run ends; the others tell of a finding or a
// file as soon as it is judged.
const (
	FormatText       Format = "text"       // for people: each finding with its source line
	FormatConcise    Format = "concise"    // a finding a line
	FormatJSON       Format = "json"       // one document, as report.schema.json describes it
	FormatJSONL      Format = "jsonl"      // a finding a line, and the summary last
	FormatSARIF      Format = "sarif"      // one document for code scanning, SARIF 2.1.0
	FormatGitHub     Format = "github"     // workflow commands, which become annotations
	FormatGitLab     Format = "gitlab"     // one document, GitLab's Code Quality
	FormatJUnit      Format = "junit"      // one document, a test suite a file
	FormatTAP        Format = "tap"        // a test a file, TAP version 13
	FormatCheckstyle Format = "checkstyle" // one document, Checkstyle's XML
	FormatRDJSONL    Format = "rdjsonl"    // a finding a line for reviewdog
	FormatMarkdown   Format = "markdown"   // one document for a comment
)

// Formats lists the report formats, the default first.
func Formats() []Format {
	return []Format{
		FormatText, FormatConcise, FormatJSON, FormatJSONL, FormatSARIF, FormatGitHub, FormatGitLab,
		FormatJUnit, FormatTAP, FormatCheckstyle, FormatRDJSONL, FormatMarkdown,
	}
}

// New makes a reporter that writes to w. It fails on an unknown format.
func New(f Format, w io.Writer, o Options) (Reporter, error) {
	w = newInert(f, w)
	switch f {
	case FormatText:
		return newText(w, o), nil
	case FormatConcise:
		return newConcise(w, o), nil
	case FormatJSON:
		return &jsonReport{out: w}, nil
	case FormatJSONL:
		return &jsonLines{out: w}, nil
	case FormatSARIF:
		return newSARIF(w), nil
	case FormatGitHub:
		return &github{out: w}, nil
	case FormatGitLab:
		return &gitlab{out: w}, nil
	case FormatJUnit:
		return newJUnit(w), nil
	case FormatTAP:
		return newTAP(w), nil
	case FormatCheckstyle:
		return &checkstyle{out: w}, nil
	case FormatRDJSONL:
		return &reviewdog{out: w}, nil
	case FormatMarkdown:
		return newMarkdown(w), nil
	}
	return nil, fmt.Errorf("unknown report format %q", f)
}

// Fingerprinted reports whether the format shows the fingerprints of findings.
func (f Format) Fingerprinted() bool { return f == FormatSARIF || f == FormatGitLab }

// Sorted reports whether the format is one document, in which findings stand
// by path, offset and rule, and not in the order in which they were decided.
func (f Format) Sorted() bool {
	switch f {
	case FormatJSON, FormatSARIF, FormatGitLab, FormatJUnit, FormatCheckstyle, FormatMarkdown:
		return true
	}
	return false
}
