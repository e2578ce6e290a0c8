package report

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/fatih/color"

	"github.com/lmclint/lmclint/lint"
)

// text is the human-readable report. It writes a finding as soon as it is
// decided, with the source line, the related places and the help.
type text struct {
	base
	finding findingText
}

// Finding writes the whole finding in one Write, so that no other writer to the
// same terminal can write between its lines.
func (t *text) Finding(f lint.Finding) error {
	_, err := t.out.Write(t.finding.lines(&f))
	return err
}

// concise writes a finding on one line as soon as it is decided: the first line
// of the text report, and the help.
type concise struct {
	base
	finding findingText
}

func (c *concise) Finding(f lint.Finding) error {
	_, err := c.out.Write(append(c.finding.line(&f), '\n'))
	return err
}

// findingText renders findings as text. It reuses its memory: what it returns
// is valid until the next call.
type findingText struct {
	palette *palette
	width   int // columns of the terminal, 0 means no limit
	text    []byte
	snippet snippet
}

func newFindingText(o Options) findingText {
	return findingText{palette: newPalette(o.Color), width: o.Width}
}

// lines returns a finding with its source lines.
func (t *findingText) lines(f *lint.Finding) []byte {
	t.text = t.text[:0]
	t.header(f)
	t.text = append(t.text, '\n')
	t.sources(f)
	if f.Help != "" {
		t.text = append(t.text, ' ')
		t.help(f)
		t.text = append(t.text, '\n')
	}
	return t.text
}

// line returns a finding on one line, without the line feed.
func (t *findingText) line(f *lint.Finding) []byte {
	t.text = t.text[:0]
	t.header(f)
	if f.Help != "" {
		t.help(f)
	}
	return t.text
}

func (t *findingText) help(f *lint.Finding) {
	t.text = append(t.text, ' ')
	t.text = t.palette.help.paint(t.text, "help:")
	t.text = append(t.text, ' ')
	t.text = appendVisible(t.text, f.Help)
}

func (t *findingText) header(f *lint.Finding) {
	path := f.Path
	if strings.HasPrefix(strings.TrimLeft(path, " "), "::") {
		path = "./" + path // GitHub would take the line for a workflow command
	}
	b := t.palette.path.appendPlace(t.text, path, f)
	b = append(b, ' ')
	b = t.palette.severity(f.Severity).paint(b, f.Severity.String(), ":")
	b = append(b, ' ')
	b = append(appendVisible(b, f.Message), ' ')
	t.text = t.palette.faint.paint(b, "[", f.Rule.ID, " ", f.Rule.Name, "]")
}

// appendPlace appends where a finding is, in the form that editors and
// terminals make a link of.
func (s style) appendPlace(b []byte, path string, f *lint.Finding) []byte {
	at := known(f.Place.Span.Start)
	b = append(b, s.on...)
	b = append(appendVisible(b, path), ':')
	b = append(strconv.AppendInt(b, int64(at.Line), 10), ':')
	b = append(strconv.AppendInt(b, int64(at.Column), 10), ':')
	return append(b, s.off...)
}

// sources appends the line of the finding and those of its related places.
func (t *findingText) sources(f *lint.Finding) {
	s := &t.snippet
	s.reset(t.palette, gutterDigits(f), t.width)
	if f.Place.Excerpt.Text != "" {
		t.text = s.source(t.text, &f.Place)
		t.text = s.caret(t.text, t.palette.severity(f.Severity))
	}
	path := f.Path
	for i := range f.Related {
		r := &f.Related[i]
		if in := cmp.Or(r.Path, f.Path); in != path {
			path = in
			t.text = s.fileName(t.text, path, &r.Place)
		}
		t.text = s.source(t.text, &r.Place)
		t.text = s.label(t.text, r.Message)
	}
}

// gutterDigits returns the number of digits of the highest line number.
func gutterDigits(f *lint.Finding) int {
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

// palette is the colors of one writer. It does not use the global switch of the
// library, which knows nothing of the writer.
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
		before, after, _ := strings.Cut(c.Sprint("|"), "|")
		return style{before, after}
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

// style is what to write before and after a text to color it. Both are empty
// without colors.
type style struct{ on, off string }

func (s style) paint(b []byte, parts ...string) []byte {
	b = append(b, s.on...)
	for _, part := range parts {
		b = append(b, part...)
	}
	return append(b, s.off...)
}
