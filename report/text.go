package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/source"
)

// text is the report for people: a finding as soon as it is decided, with the
// source line, the related places and the help.
type text struct {
	out     io.Writer
	palette *palette
	width   int
}

func newText(w io.Writer, o Options) *text {
	return &text{out: w, palette: newPalette(o.Color), width: o.Width}
}

func (t *text) Begin(Run) error { return nil }

// Finding writes the whole finding at once, so that no other writer to the
// same terminal can stand between its lines.
func (t *text) Finding(f lint.Finding) error {
	var b bytes.Buffer
	t.header(&b, f)
	t.sources(&b, f)
	if f.Help != "" {
		fmt.Fprintf(&b, "  %s %s\n", t.palette.help.Sprint("help:"), Visible(f.Help))
	}
	_, err := t.out.Write(b.Bytes())
	return err
}

func (t *text) File(File) error { return nil }

func (t *text) End(Summary) error { return nil }

func (t *text) header(b *bytes.Buffer, f lint.Finding) {
	at := known(f.Place.Span.Start)
	place := fmt.Sprintf("%s:%d:%d:", Visible(f.Path), at.Line, at.Column)
	fmt.Fprintf(b, "%s %s %s %s\n",
		t.palette.path.Sprint(place),
		t.palette.severity(f.Severity).Sprint(f.Severity.String()+":"),
		Visible(f.Message),
		t.palette.faint.Sprintf("[%s %s]", f.Rule.ID, f.Rule.Name))
}

// sources writes the line of the finding and those of its related places.
func (t *text) sources(b *bytes.Buffer, f lint.Finding) {
	s := snippet{out: b, palette: t.palette, digits: digits(f)}
	if t.width > 0 {
		s.room = max(t.width-s.digits-len("   | "), narrowest)
	}
	if f.Place.Excerpt.Text != "" {
		mark := t.palette.severity(f.Severity)
		s.show(f.Place, func(at stretch) string { return mark.Sprint(at.caret()) })
	}
	for _, r := range f.Related {
		s.show(r.Place, func(stretch) string {
			return t.palette.related.Sprint("- " + Visible(r.Message))
		})
	}
}

// digits returns the width of the gutter: that of the highest line number.
func digits(f lint.Finding) int {
	highest := f.Place.Span.Start.Line
	for _, r := range f.Related {
		highest = max(highest, r.Place.Span.Start.Line)
	}
	return len(strconv.Itoa(highest))
}

// known returns the position, or the start of the input for one that was
// never set: an input without any byte has no better place.
func known(p source.Position) source.Position {
	p.Line = max(p.Line, 1)
	p.Column = max(p.Column, 1)
	return p
}
