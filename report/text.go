package report

import (
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/lmclint/lmclint/internal/preview"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// text is the human-readable report: each finding with its source lines, the
// related places and the help, an empty line between two.
type text struct {
	base
	finding *findingText
	page    []byte          // what is written with the next Write
	begun   bool            // a finding was written
	learned map[string]bool // ids of rules whose explanation was named
	repeats repeats         // of the current input
	told    bool            // how to see the others was said
	fixes   int             // shown for the current input
}

// Finding writes a whole finding in one Write, so that no other writer to the same
// terminal can write between its lines.
func (t *text) Finding(f lint.Finding) error {
	if most := t.finding.options.MaxRepeats; most > 0 && t.repeats.add(&f, most) {
		return nil
	}
	body := t.finding.body(&f)
	b := t.page[:0]
	if t.begun {
		b = append(b, '\n')
	}
	b = append(b, body...)
	if explain := t.finding.options.Explain; explain != "" && !t.learned[f.Rule.ID] {
		t.learned[f.Rule.ID] = true
		b = t.finding.note(b, "more:", explain+" "+f.Rule.ID)
	}
	if t.finding.options.Fixes && t.fixes < maxFixes && f.Fix != nil {
		if change, ok := preview.Of(&f); ok {
			t.fixes++
			b = t.finding.change(t.finding.fix(b, f.Fix), &change)
		}
	}
	t.begun, t.page = true, b
	_, err := t.out.Write(b)
	return err
}

// File writes how many findings of the input were not shown.
func (t *text) File(File) error {
	t.fixes = 0
	return t.writeRepeats()
}

func (t *text) End(Summary) error { return t.writeRepeats() }

// writeRepeats writes a line for each message that has more findings.
func (t *text) writeRepeats() error {
	all := t.repeats.take()
	if len(all) == 0 {
		return nil
	}
	b := t.page[:0]
	b = append(b, '\n') // findings precede it
	for _, r := range all {
		f := &r.first
		b = appendVisible(t.finding.header(b, f), f.Message)
		b = append(b, ": "+humanize.Comma(int64(r.more))+" more, the first at "...)
		b = t.finding.palette.path.paint(b, placeText(f.Path, f.Place.Span.Start))
		b = append(b, recordText(f)...)
		if !t.told {
			b = append(b, " (--max-repeats 0 shows all)"...)
		}
		t.told = true
		b = append(b, '\n')
	}
	t.page = b
	_, err := t.out.Write(b)
	return err
}

// concise writes a finding on one line: the place, the message, the rule and
// the help.
type concise struct {
	base
	finding *findingText
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
	noted   bool // a note was appended, or none needs an empty line above it
}

func newFindingText(o Options) *findingText {
	palette := newPalette(o.Color)
	return &findingText{options: o, palette: palette, snippet: snippet{palette: palette, width: o.Width}}
}

// body returns a finding with its source lines and its help.
func (t *findingText) body(f *lint.Finding) []byte {
	hasSource := t.snippet.reset(f)
	t.noted = false
	b := t.header(t.text[:0], f)
	b = t.hang(b, len(f.Severity.String())+len("[]: ")+len(f.Rule.ID), t.palette.message, visible(f.Message))
	b = t.gutter(b, "--> ")
	b = t.palette.path.paint(b, placeText(f.Path, f.Place.Span.Start))
	b = append(b, recordText(f)...)
	if f.Place.Time != "" {
		b = appendVisible(append(b, " at "...), f.Place.Time)
	}
	b = append(b, '\n')
	if hasSource {
		b = t.snippet.write(b)
	}
	if f.Help != "" {
		b = t.note(b, "help:", visible(f.Help))
	}
	t.text = b
	return b
}

// header appends the severity, and the rule as a link to its page.
func (t *findingText) header(b []byte, f *lint.Finding) []byte {
	b = t.palette.severity(f.Severity).paint(b, f.Severity.String(), "[", t.link(f.Rule), "]")
	return append(b, ": "...)
}

// link returns the id of a rule, as a link to its page, with the escapes that terminals
// call OSC 8.
func (t *findingText) link(r *lint.Rule) string {
	const open, end = "\x1b]8;;", "\x1b\\"
	if t.options.RulePage != nil {
		if url := t.options.RulePage(r); url != "" {
			return open + url + end + r.ID + open + end
		}
	}
	return r.ID
}

// placeText returns where something is, in the form that editors and terminals make a
// link of.
func placeText(path string, at source.Position) string {
	at = known(at)
	return visible(path) + ":" + strconv.Itoa(at.Line) + ":" + strconv.Itoa(at.Column)
}

// recordText names the record of a finding where the line does not: in a file that
// is one document, in a list of conversations, and after lines without a record.
func recordText(f *lint.Finding) string {
	record := f.Place.Record
	var b strings.Builder
	switch first, _, _ := strings.Cut(strings.TrimPrefix(f.Place.Pointer, "/"), "/"); {
	case record < 0:
	case first == strconv.Itoa(record), strings.HasPrefix(f.Place.Pointer, "/messages/"+strconv.Itoa(record)):
		b.WriteString("message " + strconv.Itoa(record))
	case f.Conversation >= 0 || record+1 != known(f.Place.Span.Start).Line:
		b.WriteString("record " + strconv.Itoa(record))
	}
	switch {
	case b.Len() == 0:
		return ""
	case f.Conversation >= 0:
		return " (conversation " + strconv.Itoa(f.Conversation) + ", " + b.String() + ")"
	}
	return " (" + b.String() + ")"
}

// note appends a line under the source lines, as in "= help: close the block", with an
// empty one before the first.
func (t *findingText) note(b []byte, name, text string) []byte {
	if !t.noted {
		b = t.gutter(b, " |\n")
	}
	t.noted = true
	b = append(t.palette.help.paint(t.gutter(b, " = "), name), ' ')
	return t.hang(b, t.snippet.digits+len(" = ")+len(name)+1, style{}, text)
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
	for i, line := range wrapAfter(text, width-indent, width-others) {
		if i > 0 {
			b = append(b, strings.Repeat(" ", others)...)
		}
		b = append(s.paint(b, line), '\n')
	}
	return b
}

// gutter appends the start of a line, as wide as the line numbers.
func (t *findingText) gutter(b []byte, sign string) []byte {
	b = append(b, strings.Repeat(" ", t.snippet.digits)...)
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
	b := t.palette.path.paint(t.text[:0], placeText(path, f.Place.Span.Start), ":")
	b = append(b, ' ')
	b = t.palette.severity(f.Severity).paint(b, f.Severity.String(), ":")
	b = append(b, ' ')
	b = append(appendVisible(b, f.Message), ' ')
	b = t.palette.faint.paint(b, "[", t.link(f.Rule), " ", f.Rule.Name, "]")
	if f.Help != "" {
		b = append(b, ' ')
		b = t.palette.help.paint(b, "help:")
		b = append(b, ' ')
		b = appendVisible(b, f.Help)
	}
	t.text = b
	return b
}
