// Package report writes findings for people and for programs.
//
// A [Reporter] receives the events of a run in their order: the run begins,
// findings are decided, files end, the run ends. Each format is a file of this
// package. Whatever the input contains, a report is valid UTF-8, and no text of
// the input can control a terminal or a CI system.
package report

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/show/page"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Reporter writes the report of one run. Begin is called first and once, End
// last and once. Between them each input has its findings and then its File. Findings are
// complete ([lint.Result.Complete]), unless they were reported before their input ended:
// then File has those that came again in Repeated. An
// error is the writer's; after one, no method may be called. A Reporter is not
// safe for concurrent use.
type Reporter interface {
	Begin(Run) error
	Finding(lint.Finding) error
	File(File) error
	End(Summary) error
}

// Run describes the program that a report comes from, and where it ran. Only
// Tool is required.
type Run struct {
	Tool    string // name of the program
	Version string // of the program

	// Root is the root directory of the repository, and Dir the directory of
	// relative paths. Both are absolute. The reports sarif, github and gitlab
	// name files relative to Root.
	Root, Dir string
}

// File is the result of one input.
type File struct {
	lint.Result
	Err error // why the check of the input failed or is incomplete, or nil

	// FailOn is the minimum severity that makes the run fail, for reports that
	// distinguish failures: junit. With zero every finding does, with a
	// value above SeverityError none.
	FailOn lint.Severity
}

// Options control the appearance of the reports text and concise, and what json and
// jsonl contain.
type Options struct {
	Color bool // color with terminal escapes

	// Width is the number of columns of the terminal, for text: source lines are
	// cropped and messages wrapped to it. 0 means no limit.
	Width int

	// Fixes adds to the first findings that have a fix what it changes, for text.
	Fixes bool

	// Explain is the command that explains the rule whose id is its last
	// argument, as in "lmclint explain". Text names it once per rule. "" means
	// there is none.
	Explain string

	// RulePage returns the URL of a rule's page, to which text, concise, sarif and html
	// link the id. It consists of printable ASCII. Nil means no links.
	RulePage func(*lint.Rule) string

	// Rendered adds to each finding of json and jsonl, and to the summary, what the
	// text report shows of it, without color.
	Rendered bool
}

// Format is the name of a report format, as for --format.
type Format string

// The report formats. The formats that are one document are sorted by path,
// offset and rule, and written when the run ends; the others write a finding or
// a file as soon as it is decided.
const (
	FormatText       Format = "text"       // human-readable: each finding with its source line
	FormatConcise    Format = "concise"    // a finding per line
	FormatJSON       Format = "json"       // one document, described by report.schema.json
	FormatJSONL      Format = "jsonl"      // a finding per line, and the summary last
	FormatSARIF      Format = "sarif"      // one document for code scanning, SARIF 2.1.0
	FormatGitHub     Format = "github"     // workflow commands, which become annotations
	FormatGitLab     Format = "gitlab"     // one document, GitLab's Code Quality
	FormatJUnit      Format = "junit"      // one document, a test suite per file
	FormatCheckstyle Format = "checkstyle" // one document, Checkstyle's XML
	FormatMarkdown   Format = "markdown"   // one document for a comment
	FormatHTML       Format = "html"       // one page: timeline, findings and conversation
)

// formats are what a format is: the default first.
var formats = []struct {
	name Format

	// hash replaces the second '#' of a workflow command in the report. Without one the
	// format escapes its data itself: github consists of workflow commands, html of code.
	hash string

	sorted bool // one document, with its findings sorted by path, offset and rule
	new    func(base, Options) Reporter
}{
	{FormatText, visibleHash, false, func(b base, o Options) Reporter {
		return &text{base: b, finding: newFindingText(o), learned: map[string]bool{}}
	}},
	{FormatConcise, visibleHash, false, func(b base, o Options) Reporter { return &concise{base: b, finding: newFindingText(o)} }},
	{FormatJSON, `\u0023`, true, func(b base, o Options) Reporter { return &jsonReport{base: b, rendering: newRendering(o)} }},
	{FormatJSONL, `\u0023`, false, func(b base, o Options) Reporter { return &jsonLines{base: b, rendering: newRendering(o)} }},
	{FormatSARIF, `\u0023`, true, func(b base, o Options) Reporter {
		return &sarif{base: b, page: o.RulePage, findings: list[lint.Finding]{most: maxSARIFResults}, index: map[*lint.Rule]int{}}
	}},
	{FormatGitHub, "", false, func(b base, _ Options) Reporter { return &github{base: b} }},
	{FormatGitLab, `\u0023`, true, func(b base, _ Options) Reporter { return &gitlab{base: b} }},
	{FormatJUnit, "&#35;", true, func(b base, _ Options) Reporter {
		return &junit{base: b, text: newFindingText(Options{}), rules: map[*lint.Rule]*ruleTest{}}
	}},
	{FormatCheckstyle, "&#35;", true, func(b base, _ Options) Reporter { return &checkstyle{base: b} }},
	{FormatMarkdown, visibleHash, true, func(b base, _ Options) Reporter {
		return &markdown{base: b, findings: list[lint.Finding]{most: markdownMost}}
	}},
	{FormatHTML, "", true, func(b base, o Options) Reporter { return &html{base: b, builder: page.Builder{RulePage: o.RulePage}} }},
}

// Formats returns the report formats, the default first.
func Formats() (names []Format) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// New returns a reporter that writes to w, or an error for an unknown format.
func New(name Format, w io.Writer, o Options) (Reporter, error) {
	for _, f := range formats {
		if f.name != name {
			continue
		}
		if f.hash != "" {
			w = &commandEscaper{w, f.hash}
		}
		return f.new(base{out: w}, o), nil
	}
	return nil, fmt.Errorf("unknown report format %q", name)
}

// Observes reports whether the format draws recordings, so that the linter needs
// [lint.WithObserver] with the observer of internal/show/timeline. Without one the
// report has no pictures.
func (f Format) Observes() bool { return f == FormatHTML }

// Sorted reports whether the format is one document, with its findings sorted
// by path, offset and rule.
func (f Format) Sorted() bool {
	for _, known := range formats {
		if known.name == f {
			return known.sorted
		}
	}
	return false
}

// base is the methods of a Reporter that do nothing of their own. It keeps what
// reports need when they write a finding or end.
type base struct {
	out    io.Writer
	run    Run
	failed []File // files whose check failed or is incomplete
}

func (b *base) Begin(r Run) error {
	b.run = r
	return nil
}

func (b *base) File(f File) error {
	if f.Err != nil {
		b.failed = append(b.failed, f)
	}
	return nil
}

func (b *base) End(Summary) error { return nil }

// reason says why the check of a file failed or is incomplete.
func reason(f *File) string {
	what := "not checked: "
	if f.Records > 0 {
		what = "not checked to the end: "
	}
	return what + cmp.Or(f.Err.Error(), "unknown")
}

// oneLine returns the message of a finding, its further places and its help.
func oneLine(f *lint.Finding) string {
	text := f.Message
	if more := also(f); more != "" {
		text += " (" + more + ")"
	}
	if f.Help != "" {
		text += "; " + f.Help
	}
	return text
}

// known returns a position, or the start of the input for one that was never
// set: an input without any byte has no other.
func known(p source.Position) source.Position {
	p.Line = max(p.Line, 1)
	p.Column = max(p.Column, 1)
	return p
}

// locate returns a path relative to the root of the repository, with forward
// slashes, and whether it is in the repository. A path outside it is unchanged.
// A name in angle brackets, such as that of standard input, is not a path.
func (r *Run) locate(path string) (result string, inRoot bool) {
	if strings.HasPrefix(path, "<") && strings.HasSuffix(path, ">") {
		return path, true
	}
	if filepath.IsAbs(path) && r.Root == "" {
		return filepath.ToSlash(path), false
	}
	absolute := path
	if !filepath.IsAbs(absolute) {
		absolute = filepath.Join(r.Dir, path)
	}
	relative, err := filepath.Rel(r.Root, absolute)
	if err != nil || !filepath.IsLocal(relative) {
		return filepath.ToSlash(path), !filepath.IsAbs(path)
	}
	return filepath.ToSlash(relative), true
}

// list is what a document has of findings. If it has a maximum, it keeps the most severe
// ones and counts the rest: memory is bounded, and the result does not depend on the number
// of jobs.
type list[T any] struct {
	most int // to keep; 0 for all
	kept []listed[T]
	left int // findings that were not kept
}

type listed[T any] struct {
	path, rule, message string
	severity            lint.Severity
	offset              int64
	value               T
}

func (l *list[T]) add(f *lint.Finding, value T) {
	l.kept = append(l.kept, listed[T]{f.Path, f.Rule.ID, f.Message, f.Severity, f.Place.Span.Start.Offset, value})
	if l.most > 0 && len(l.kept) >= 2*l.most {
		l.cut()
	}
}

func (l *list[T]) cut() {
	most := cmp.Or(l.most, math.MaxInt)
	if len(l.kept) <= most {
		return
	}
	slices.SortStableFunc(l.kept, func(a, b listed[T]) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), inOrder(a, b))
	})
	l.left += len(l.kept) - most
	clear(l.kept[most:])
	l.kept = l.kept[:most]
}

// sorted returns the findings that were kept, by path, offset, rule and message.
func (l *list[T]) sorted() []listed[T] {
	l.cut()
	slices.SortStableFunc(l.kept, inOrder[T])
	return l.kept
}

func inOrder[T any](a, b listed[T]) int {
	return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.offset, b.offset), cmp.Compare(a.rule, b.rule), cmp.Compare(a.message, b.message))
}

func sortFiles(files []File) {
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
}

// documentWriter writes one document. Each Write has whole values, as [commandEscaper]
// requires. It keeps the first error.
type documentWriter struct {
	out     io.Writer
	encoder jsonEncoder
	err     error
}

// write adds text that does not contain data.
func (d *documentWriter) write(text string) { d.add([]byte(text), nil) }

// value adds a value as JSON on one line.
func (d *documentWriter) value(v any) { d.add(d.encoder.encode(v)) }

// xml adds a value as XML, on lines with an indent.
func (d *documentWriter) xml(indent string, v any) {
	text, err := xml.MarshalIndent(v, indent, "  ")
	d.add(append(text, '\n'), err)
}

// array adds an array of n elements, an element per line. The indent is that
// of the line on which the array starts.
func (d *documentWriter) array(indent string, n int, element func(int)) {
	d.write("[")
	for i := range n {
		if i > 0 {
			d.write(",")
		}
		d.write("\n  " + indent)
		element(i)
	}
	if n > 0 {
		d.write("\n" + indent)
	}
	d.write("]")
}

func (d *documentWriter) add(text []byte, err error) {
	if d.err = cmp.Or(d.err, err); d.err == nil {
		_, d.err = d.out.Write(text)
	}
}

const xmlHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// xmlAttribute returns data as the value of an attribute.
func xmlAttribute(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(escapeStrict(text))) // a buffer does not fail
	return b.String()
}

var nonXML = strings.NewReplacer("\ufffe", "<U+FFFE>", "\uffff", "<U+FFFF>")

// escapeStrict is [EscapeControls] for XML and YAML, which do not allow two more
// characters.
func escapeStrict(text string) string { return nonXML.Replace(EscapeControls(text)) }
