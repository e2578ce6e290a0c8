package report

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// page is one finding as text. Its memory serves the next one again.
type findingText struct {
	palette *palette
	width   int // columns of the terminal, 0 means no limit
	text    []byte
	snippet snippet
}

func (p *findingText) show(f *lint.Finding) {
	p.text = p.text[:0]
	p.header(f)
	p.text = append(p.text, '\n')
	p.sources(f)
	if f.Help != "" {
		p.text = append(p.text, ' ')
		p.help(f)
		p.text = append(p.text, '\n')
	}
}

// line shows the finding on one line, without its end. It is good until the
// next call.
func (p *findingText) line(f *lint.Finding) []byte {
	p.text = p.text[:0]
	p.header(f)
	if f.Help != "" {
		p.help(f)
	}
	return p.text
}

func (p *findingText) help(f *lint.Finding) {
	p.text = append(p.text, ' ')
	p.text = p.palette.help.paint(p.text, "help:")
	p.text = append(p.text, ' ')
	p.text = appendVisible(p.text, f.Help)
}

func (p *findingText) header(f *lint.Finding) {
	p.place(f)
	b := p.palette.severity(f.Severity).paint(p.text, f.Severity.String(), ":")
	b = append(b, ' ')
	b = append(appendVisible(b, f.Message), ' ')
	p.text = p.palette.faint.paint(b, "[", f.Rule.ID, " ", f.Rule.Name, "]")
}

// place writes where the finding is, as editors and terminals follow it.
func (p *findingText) place(f *lint.Finding) {
	at := known(f.Place.Span.Start)
	b := p.text
	b = append(b, p.palette.path.on...)
	if strings.HasPrefix(strings.TrimLeft(f.Path, " "), "::") {
		b = append(b, "./"...) // or GitHub would take it for an order
	}
	b = append(appendVisible(b, f.Path), ':')
	b = append(strconv.AppendInt(b, int64(at.Line), 10), ':')
	b = append(strconv.AppendInt(b, int64(at.Column), 10), ':')
	b = append(b, p.palette.path.off...)
	b = append(b, ' ')
	p.text = b
}

// sources writes the line of the finding and those of its related places.
func (p *findingText) sources(f *lint.Finding) {
	s := &p.snippet
	s.begin(p.palette, digits(f), p.width)
	if f.Place.Excerpt.Text != "" {
		p.text = s.source(p.text, &f.Place)
		p.text = s.caret(p.text, p.palette.severity(f.Severity))
	}
	path := f.Path
	for i := range f.Related {
		r := &f.Related[i]
		if in := cmp.Or(r.Path, f.Path); in != path {
			path = in
			p.text = s.elsewhere(p.text, path, &r.Place)
		}
		p.text = s.source(p.text, &r.Place)
		p.text = s.remark(p.text, r.Message)
	}
}

// digits returns the width of the gutter: that of the highest line number.
func digits(f *lint.Finding) int {
	highest := f.Place.Span.Start.Line
	for i := range f.Related {
		highest = max(highest, f.Related[i].Place.Span.Start.Line)
	}
	digits := 1
	for ; highest >= 10; highest /= 10 {
		digits++
	}
	return digits
}

// known returns the position, or the start of the input for one that was
// never set: an input without any byte has no better place.
func known(p source.Position) source.Position {
	p.Line = max(p.Line, 1)
	p.Column = max(p.Column, 1)
	return p
}
