package report

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/fatih/color"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// text is the report for people: a finding as soon as it is decided, with the
// source line, the related places and the help.
type text struct {
	out  io.Writer
	page findingText
}

func newText(w io.Writer, o Options) *text {
	return &text{out: w, page: findingText{palette: newPalette(o.Color), width: o.Width}}
}

func (t *text) Begin(Run) error { return nil }

// Finding writes the whole finding at once, so that no other writer to the
// same terminal can stand between its lines.
func (t *text) Finding(f lint.Finding) error {
	t.page.show(&f)
	_, err := t.out.Write(t.page.text)
	return err
}

func (t *text) File(File) error { return nil }

func (t *text) End(Summary) error { return nil }

// concise writes a finding on one line as soon as it is decided: the first
// line of the text report, and the help behind it.
type concise struct {
	out  io.Writer
	page findingText
}

func newConcise(w io.Writer, o Options) *concise {
	return &concise{out: w, page: findingText{palette: newPalette(o.Color)}}
}

func (c *concise) Begin(Run) error { return nil }

func (c *concise) Finding(f lint.Finding) error {
	_, err := c.out.Write(append(c.page.line(&f), '\n'))
	return err
}

func (c *concise) File(File) error { return nil }

func (c *concise) End(Summary) error { return nil }

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

// ink is what to write before and behind a text to paint it; both are empty
// where nothing is painted.
type style struct{ on, off string }

func (i style) paint(b []byte, parts ...string) []byte {
	b = append(b, i.on...)
	for _, part := range parts {
		b = append(b, part...)
	}
	return append(b, i.off...)
}

// palette holds the colours of one writer. The switch that the library keeps
// for the whole program is left alone, since another writer may be no
// terminal.
type palette struct {
	path, gutter, related, help, faint style
	severities                         [lint.SeverityError + 1]style
}

func newPalette(on bool) *palette {
	mix := func(attributes ...color.Attribute) style {
		if !on {
			return style{}
		}
		c := color.New(attributes...)
		c.EnableColor()
		before, behind, _ := strings.Cut(c.Sprint("|"), "|")
		return style{before, behind}
	}
	p := &palette{
		path:    mix(color.Bold),
		gutter:  mix(color.FgBlue),
		related: mix(color.FgBlue, color.Bold),
		help:    mix(color.FgGreen),
		faint:   mix(color.Faint),
	}
	p.severities[lint.SeverityError] = mix(color.FgRed, color.Bold)
	p.severities[lint.SeverityWarning] = mix(color.FgYellow, color.Bold)
	p.severities[lint.SeverityNote] = mix(color.FgCyan, color.Bold)
	return p
}

func (p *palette) severity(s lint.Severity) style {
	if s == 0 || int(s) >= len(p.severities) {
		return p.faint
	}
	return p.severities[s]
}
