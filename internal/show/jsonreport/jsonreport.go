// Package jsonreport has the objects of the JSON report, which
// schema/report.schema.json describes, in the order of their keys. Package
// report writes them to a file or a pipe; a program that answers with findings
// encodes them itself.
package jsonreport

import (
	"cmp"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Version is the version of the document. It increases when a reader of the
// previous version would be misled.
const Version = 2

// Tool is the program that the report comes from.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// File is the result of one input.
type File struct {
	Path     string `json:"path"`
	Protocol string `json:"protocol,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Form     string `json:"form,omitempty"`
	Dialect  string `json:"dialect,omitempty"`
	Records  int    `json:"records"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Notes    int    `json:"notes"`
	Places   int    `json:"places"`
	Failure  string `json:"failure,omitempty"`
}

// Finding is one mistake.
type Finding struct {
	Rule         string `json:"rule"`
	Name         string `json:"name"`
	Severity     string `json:"severity"`
	Message      string `json:"message"`
	Help         string `json:"help,omitempty"`
	Path         string `json:"path"`
	Conversation Index  `json:"conversation,omitzero"`
	Place
	Count       int       `json:"count"`
	Places      []Spot    `json:"places,omitempty"`
	Fingerprint string    `json:"fingerprint"`
	Related     []Related `json:"related"`
	Fix         *Fix      `json:"fix,omitempty"`
	Rendered    string    `json:"rendered,omitempty"` // the text report of it, if that was asked for
}

// Repeated is how often the cause of a finding came that was written before its input
// ended.
type Repeated struct {
	Path        string `json:"path"`
	Rule        string `json:"rule"`
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count"`
	Places      []Spot `json:"places"`
}

// Spot is one of the places of a finding.
type Spot struct {
	Line         int   `json:"line"`
	Column       int   `json:"column"`
	Offset       int64 `json:"offset"`
	Record       Index `json:"record,omitzero"`
	Conversation Index `json:"conversation,omitzero"`
}

// NewRepeated returns the object of a finding that came again.
func NewRepeated(f *lint.Finding) Repeated {
	return Repeated{f.Path, f.Rule.ID, f.Fingerprint, f.Count, newSpots(f)}
}

// newSpots returns the places of a finding that has several, else nil.
func newSpots(f *lint.Finding) (spots []Spot) {
	if f.Count < 2 {
		return nil
	}
	for _, s := range f.Places {
		spots = append(spots, Spot{s.Line, s.Column, s.Offset, Index(s.Record), Index(s.Conversation)})
	}
	return spots
}

// Fix is a change of the input that fixes a finding. Edits are missing if they
// depend on more than its record.
type Fix struct {
	Message string `json:"message"`
	Safe    bool   `json:"safe"`
	Edits   []Edit `json:"edits,omitempty"`
}

// Edit is one change: Text replaces the bytes between two offsets.
type Edit struct {
	Range
	Text string `json:"text"`
}

// Related is another place that a finding refers to.
type Related struct {
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	Place
}

// Place is a place in an input. Records count from 0.
type Place struct {
	Range
	Record  Index  `json:"record,omitzero"`
	Pointer string `json:"pointer"`
	Time    string `json:"time,omitempty"`
}

// Range is a part of an input. Lines and columns, in code points, count from 1;
// offsets count bytes from 0.
type Range struct {
	Line      int   `json:"line"`
	Column    int   `json:"column"`
	EndLine   int   `json:"endLine"`
	EndColumn int   `json:"endColumn"`
	Offset    int64 `json:"offset"`
	EndOffset int64 `json:"endOffset"`
}

// Index is a number from 0. A key whose index is -1 is omitted.
type Index int

// IsZero reports whether encoding/json omits the key.
func (i Index) IsZero() bool { return i < 0 }

// NewFile returns the object of an input, and of the error if its check failed
// or is incomplete.
func NewFile(r *lint.Result, err error) File {
	failure := ""
	if err != nil {
		failure = cmp.Or(err.Error(), "unknown")
	}
	return File{
		r.Path, r.Protocol, r.Kind, r.Form, r.Dialect,
		r.Records, r.Errors, r.Warnings, r.Notes, r.ErrorPlaces + r.WarningPlaces + r.NotePlaces, failure,
	}
}

// NewFinding returns the object of a finding.
func NewFinding(f *lint.Finding) Finding {
	related := make([]Related, len(f.Related))
	for i := range f.Related {
		r := &f.Related[i]
		related[i] = Related{r.Message, r.Path, newPlace(&r.Place)}
	}
	var fix *Fix
	if f.Fix != nil {
		fix = &Fix{Message: f.Fix.Message, Safe: f.Fix.Safe}
		for _, e := range f.Fix.ByteEdits() {
			fix.Edits = append(fix.Edits, Edit{newRange(e.Span), e.Text})
		}
	}
	return Finding{
		f.Rule.ID, f.Rule.Name, f.Severity.String(), f.Message, f.Help, f.Path,
		Index(f.Conversation), newPlace(&f.Place), f.Count, newSpots(f), f.Fingerprint, related, fix, "",
	}
}

// newPlace returns the object of a place.
func newPlace(p *source.Place) Place {
	return Place{newRange(p.Span), Index(p.Record), p.Pointer, p.Time}
}

// newRange returns the object of a span. A position that was never set, as in
// an input without any byte, is the start of the input.
func newRange(s source.Span) Range {
	return Range{
		max(s.Start.Line, 1), max(s.Start.Column, 1), max(s.End.Line, 1), max(s.End.Column, 1),
		s.Start.Offset, s.End.Offset,
	}
}

// IsHidden reports whether a character from U+007F on is not shown by a terminal or
// an editor, or reorders the text around it. Joiners are part of the spelling of
// emoji and of some scripts.
func IsHidden(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return r > '~' && r != nonJoiner && r != joiner && unicode.In(r, unicode.Cc, unicode.Cf)
}

// EscapeHidden escapes the hidden characters in JSON that encoding/json wrote, which
// has escaped line ends. Programs that parse the JSON get the same strings.
func EscapeHidden(text []byte) []byte {
	if !slices.ContainsFunc(text, func(c byte) bool { return c > '~' }) { // encoding/json escapes control characters below a space
		return text
	}
	b := make([]byte, 0, len(text)+64)
	for _, r := range string(text) {
		if !IsHidden(r) {
			b = utf8.AppendRune(b, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			b = fmt.Appendf(b, `\u%04x`, unit)
		}
	}
	return b
}
