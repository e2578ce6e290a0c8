package report

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// reviewdog writes a finding per line as soon as it is decided, in the
// Reviewdog Diagnostic Format.
type reviewdog struct {
	base
	encoder jsonEncoder
}

type rdDiagnostic struct {
	Message  string      `json:"message"`
	Location rdLocation  `json:"location"`
	Severity string      `json:"severity"`
	Source   rdSource    `json:"source"`
	Code     *rdCode     `json:"code,omitempty"`
	Related  []rdRelated `json:"related_locations,omitempty"`

	Suggestions []rdSuggestion `json:"suggestions,omitempty"`
}

// rdSuggestion is a change that a reader may apply with a click.
type rdSuggestion struct {
	Range rdRange `json:"range"`
	Text  string  `json:"text"`
}

type rdLocation struct {
	Path  string   `json:"path"`
	Range *rdRange `json:"range,omitempty"`
}

type rdRange struct {
	Start rdPosition `json:"start"`
	End   rdPosition `json:"end"`
}

// rdPosition is a position whose column counts bytes of its line from 1, 0 if
// that is unknown.
type rdPosition struct {
	Line   int `json:"line"`
	Column int `json:"column,omitempty"`
}

type rdSource struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type rdCode struct {
	Value string `json:"value"`
}

type rdRelated struct {
	Message  string     `json:"message"`
	Location rdLocation `json:"location"`
}

func (r *reviewdog) Finding(f lint.Finding) error {
	var related []rdRelated
	for i := range f.Related {
		at := &f.Related[i]
		related = append(related, rdRelated{EscapeControls(at.Message), newRDLocation(cmp.Or(at.Path, f.Path), &at.Place)})
	}
	return r.write(&rdDiagnostic{
		Message:  EscapeControls(oneLine(&f)),
		Location: newRDLocation(f.Path, &f.Place),
		Severity: reviewdogSeverity(f.Severity),
		Code:     &rdCode{f.Rule.ID},
		Related:  related,

		Suggestions: suggestions(&f),
	})
}

func (r *reviewdog) File(f File) error {
	if f.Err == nil {
		return nil
	}
	return r.write(&rdDiagnostic{
		Message: EscapeControls(reason(&f)), Location: rdLocation{Path: f.Path}, Severity: reviewdogSeverity(lint.SeverityError),
	})
}

func (r *reviewdog) write(d *rdDiagnostic) error {
	d.Source = rdSource{r.run.Tool, informationURI}
	return r.encoder.writeLine(r.out, d)
}

func newRDLocation(path string, p *source.Place) rdLocation {
	from, to := byteColumns(p)
	return rdLocation{path, &rdRange{
		Start: rdPosition{known(p.Span.Start).Line, from},
		End:   rdPosition{known(p.Span.End).Line, to},
	}}
}

// byteColumns returns where on its line a place starts and ends, in bytes from
// 1. Both are 0 unless the place is on one line and its excerpt shows that line
// from the first byte on.
func byteColumns(p *source.Place) (from, to int) {
	start, end, e := p.Span.Start, p.Span.End, &p.Excerpt
	if start.Line != end.Line || e.Column != 1 || e.CutLeft || start.Column < 1 || end.Offset < start.Offset {
		return 0, 0
	}
	rest, ok := skipRunes(e.Text, start.Column-1)
	before := e.Text[:len(e.Text)-len(rest)]
	if !ok || strings.ContainsRune(before, utf8.RuneError) {
		return 0, 0
	}
	return len(before) + 1, len(before) + 1 + int(end.Offset-start.Offset)
}

// suggestions returns the safe fix of a finding as one change of a line, if the
// excerpt shows all of it.
func suggestions(f *lint.Finding) []rdSuggestion {
	edits := f.Fix.ByteEdits()
	if edits == nil || !f.Fix.Safe {
		return nil
	}
	excerpt := f.Place.Excerpt
	var text strings.Builder
	first, last := 0, 0 // columns of the change
	for _, e := range edits {
		from, to := byteColumns(&source.Place{Span: e.Span, Excerpt: excerpt})
		if e.Span.Start.Line != f.Place.Span.Start.Line || from == 0 || from < last || to > len(excerpt.Text)+1 {
			return nil
		}
		if first == 0 {
			first = from
		} else {
			text.WriteString(excerpt.Text[last-1 : from-1])
		}
		text.WriteString(e.Text)
		last = to
	}
	line := f.Place.Span.Start.Line
	return []rdSuggestion{{rdRange{rdPosition{line, first}, rdPosition{line, last}}, text.String()}}
}

func reviewdogSeverity(s lint.Severity) string {
	switch s {
	case lint.SeverityError:
		return "ERROR"
	case lint.SeverityWarning:
		return "WARNING"
	}
	return "INFO"
}
