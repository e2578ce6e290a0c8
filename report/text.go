package report

import (
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// text is the human-readable report: each finding with its source lines, the
// related places and the help, an empty line between two.
type text struct {
	base
	finding findingText
	page    []byte          // what is written with the next Write
	begun   bool            // a finding was written
	learned map[string]bool // ids of rules whose explanation was named
}

// Finding writes a whole finding in one Write, so that no other writer to the same
// terminal can write between its lines.
func (t *text) Finding(f lint.Finding) error {
	body, digits := t.finding.body(&f)
	b := t.page[:0]
	if t.begun {
		b = append(b, '\n')
	}
	b = append(b, body...)
	if explain := t.finding.options.Explain; explain != "" && !t.learned[f.Rule.ID] {
		if t.learned == nil {
			t.learned = map[string]bool{}
		}
		t.learned[f.Rule.ID] = true
		if f.Help == "" {
			b = t.finding.gutter(b, digits, " |\n")
		}
		b = t.finding.note(b, digits, "more:", explain+" "+f.Rule.ID)
	}
	t.begun, t.page = true, b
	_, err := t.out.Write(b)
	return err
}

// concise writes a finding on one line: the place, the message, the rule and
// the help.
type concise struct {
	base
	finding findingText
}

func (c *concise) Finding(f lint.Finding) error {
	_, err := c.out.Write(append(c.finding.concise(&f), '\n'))
	return err
}

// findingText renders findings as text. It reuses its memory: what it returns
// is valid until the next call.
type findingText struct {
	options Options
	palette *palette
	text    []byte
	snippet snippet
}

func newFindingText(o Options) findingText {
	palette := newPalette(o.Color)
	return findingText{options: o, palette: palette, snippet: snippet{palette: palette, width: o.Width}}
}

// body returns a finding with its source lines and its help, and how many digits its
// line numbers have.
func (t *findingText) body(f *lint.Finding) (b []byte, digits int) {
	s := &t.snippet
	hasSource := s.reset(f)
	b = t.header(t.text[:0], f)
	b = t.gutter(b, s.digits, "--> ")
	b = append(b, t.palette.path.on...)
	b = appendPlace(b, f.Path, f.Place.Span.Start)
	b = append(append(b, t.palette.path.off...), '\n')
	if hasSource {
		b = s.write(b, t.palette.severity(f.Severity))
	}
	if f.Help != "" {
		b = t.gutter(b, s.digits, " |\n")
		b = t.note(b, s.digits, "help:", visible(f.Help))
	}
	t.text = b
	return b, s.digits
}

// header appends the severity, the rule as a link to its page, and the message.
func (t *findingText) header(b []byte, f *lint.Finding) []byte {
	severity := t.palette.severity(f.Severity)
	b = append(append(b, severity.on...), f.Severity.String()...)
	b = append(b, '[')
	b = appendLink(b, t.rulePage(f.Rule), f.Rule.ID)
	b = append(append(b, ']'), severity.off...)
	b = append(b, ':', ' ')
	return t.hang(b, len(f.Severity.String())+len("[]: ")+len(f.Rule.ID), t.palette.message, visible(f.Message))
}

func (t *findingText) rulePage(r *lint.Rule) string {
	if t.options.RulePage == nil {
		return ""
	}
	return t.options.RulePage(r)
}

// appendPlace appends where something is, in the form that editors and terminals
// make a link of.
func appendPlace(b []byte, path string, at source.Position) []byte {
	at = known(at)
	b = append(appendVisible(b, path), ':')
	b = append(strconv.AppendInt(b, int64(at.Line), 10), ':')
	return strconv.AppendInt(b, int64(at.Column), 10)
}

// note appends a line under the source lines, as in "= help: close the block".
func (t *findingText) note(b []byte, digits int, name, text string) []byte {
	b = t.gutter(b, digits, " = ")
	b = t.palette.help.paint(b, name)
	b = append(b, ' ')
	return t.hang(b, digits+len(" = ")+len(name)+1, style{}, text)
}

// hang appends text and a line feed. If the text is wrapped, its other lines are
// indented as the first one, by a number of columns, or by less if that leaves
// few columns.
func (t *findingText) hang(b []byte, indent int, s style, text string) []byte {
	width := t.options.Width
	if width <= 0 || indent+columns(text) <= width {
		return append(s.paint(b, text), '\n')
	}
	const few = 24
	others := indent
	if width-indent < few {
		others = len("    ")
	}
	lines := wrapAfter(text, width-indent, width-others)
	for i, line := range lines {
		if i > 0 {
			b = appendRepeated(b, ' ', others)
		}
		b = append(s.paint(b, line), '\n')
	}
	return b
}

// gutter appends the start of a line, as wide as the line numbers.
func (t *findingText) gutter(b []byte, digits int, sign string) []byte {
	b = appendRepeated(b, ' ', digits)
	sign, end := strings.TrimSuffix(sign, "\n"), strings.HasSuffix(sign, "\n")
	b = t.palette.gutter.paint(b, sign)
	if end {
		b = append(b, '\n')
	}
	return b
}

// concise returns a finding on one line, without the line feed.
func (t *findingText) concise(f *lint.Finding) []byte {
	path := f.Path
	if strings.HasPrefix(strings.TrimLeft(path, " "), "::") {
		path = "./" + path // GitHub would take the line for a workflow command
	}
	b := t.text[:0]
	b = append(b, t.palette.path.on...)
	b = append(appendPlace(b, path, f.Place.Span.Start), ':')
	b = append(append(b, t.palette.path.off...), ' ')
	b = t.palette.severity(f.Severity).paint(b, f.Severity.String(), ":")
	b = append(b, ' ')
	b = append(appendVisible(b, f.Message), ' ')
	b = append(append(b, t.palette.faint.on...), '[')
	b = appendLink(b, t.rulePage(f.Rule), f.Rule.ID)
	b = append(append(b, ' '), f.Rule.Name...)
	b = append(append(b, ']'), t.palette.faint.off...)
	if f.Help != "" {
		b = append(b, ' ')
		b = t.palette.help.paint(b, "help:")
		b = append(b, ' ')
		b = appendVisible(b, f.Help)
	}
	t.text = b
	return b
}
