// Package report writes findings for people and for programs.
//
// A [Reporter] is told of a run as it happens: it begins, findings come in the
// order in which they are decided, files end, the run ends. Each format is a
// file of this package. Whatever the input held, a report is valid UTF-8, and
// nothing in it drives a terminal.
package report

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/lmclint/lmclint/lint"
)

// Reporter writes one run. Begin comes first and once, End last and once.
// Between them each input gives its findings and then its File. An error is
// the writer's own; after one, the report is of no use.
type Reporter interface {
	Begin(Run) error
	Finding(lint.Finding) error
	File(File) error
	End(Summary) error
}

// Run says which program a report comes from, and what it works on. Only Tool
// is needed.
type Run struct {
	Tool    string
	Version string

	// Rules are those that are applied, for reports that describe them.
	Rules []*lint.Rule

	// FailOn is the least severity that makes the run fail, for reports that
	// tell what fails from what does not: junit and tap. Without it every
	// finding does. With a value above SeverityError none does.
	FailOn lint.Severity

	// Root is the directory of the repository, and Dir the one that relative
	// paths start from. Both are absolute. Reports whose readers look files up
	// in the repository name them as seen from its root: sarif, github, gitlab.
	Root, Dir string

	located resolvedPath // what locate said last
}

// File is what the run says about an input as a whole.
type File struct {
	lint.Result
	Err error // why the input was not checked to its end, nil if it was

	// FailOn is Run.FailOn of this file, if it is not zero.
	FailOn lint.Severity
}

// Options say how a report looks. Only text and concise heed them.
type Options struct {
	Color bool // paint with terminal escapes
	Width int  // columns of the terminal; source lines are cut to fit; 0 means no limit
}

// reason says why a file was not checked, or not to its end.
func reason(f *File) string {
	what := "not checked: "
	if f.Records > 0 {
		what = "not checked to the end: "
	}
	return what + cmp.Or(f.Err.Error(), "unknown")
}

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

// located is what became of a path: the findings of a file come together.
type resolvedPath struct {
	path, seen string
	below      bool
}

// locate returns a path as seen from the root of the repository, with forward
// slashes, and whether it lies below. What does not stays as it is. A name in
// angle brackets, as standard input has it, is no path.
func (r *Run) locate(path string) (string, bool) {
	if r.located.path != path || path == "" {
		seen, below := r.find(path)
		r.located = resolvedPath{path, seen, below}
	}
	return r.located.seen, r.located.below
}

func (r *Run) find(path string) (string, bool) {
	if strings.HasPrefix(path, "<") && strings.HasSuffix(path, ">") {
		return path, true
	}
	if filepath.IsAbs(path) && r.Root == "" {
		return filepath.ToSlash(path), false
	}
	whole := path
	if !filepath.IsAbs(whole) {
		whole = filepath.Join(r.Dir, path)
	}
	below, err := filepath.Rel(r.Root, whole)
	if err != nil || !filepath.IsLocal(below) {
		return filepath.ToSlash(path), !filepath.IsAbs(path)
	}
	return filepath.ToSlash(below), true
}
