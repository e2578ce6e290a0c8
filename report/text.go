package report

import (
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"

	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/internal/show/preview"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// text is the human-readable report: each finding with its source lines, the
// related places and the help, an empty line between two.
type text struct {
	base
	finding *findingText
	begun   bool            // a finding was written
	learned map[string]bool // ids of rules whose explanation was named
	fixes   int             // shown for the current input
}

// Finding writes a whole finding in one Write, so that no other writer to the same
// terminal can write between its lines.
func (t *text) Finding(f lint.Finding) error {
	shown := t.finding.body(&f)
	if t.begun {
		shown = "\n" + shown
	}
	t.begun = true
	if explain := t.finding.options.Explain; explain != "" && !t.learned[f.Rule.ID] {
		t.learned[f.Rule.ID] = true
		shown += t.finding.note("more:", explain+" "+f.Rule.ID)
	}
	if t.finding.options.Fixes && t.fixes < maxFixes && f.Fix != nil {
		if change, ok := preview.Of(&f); ok {
			t.fixes++
			shown += t.finding.fix(f.Fix) + t.finding.change(&change)
		}
	}
	_, err := io.WriteString(t.out, shown)
	return err
}

// File writes how often the causes of findings came that were written before.
func (t *text) File(f File) error {
	t.fixes = 0
	if len(f.Repeated) == 0 {
		return nil
	}
	shown := "\n" // findings precede it
	for i := range f.Repeated {
		shown += t.finding.header(&f.Repeated[i]) + visible(again(&f.Repeated[i])) + "\n"
	}
	_, err := io.WriteString(t.out, shown)
	return err
}

// concise writes a finding on one line: the place, the message, the rule and
// the help.
type concise struct {
	base
	finding *findingText
}

func (c *concise) Finding(f lint.Finding) error {
	_, err := io.WriteString(c.out, c.finding.concise(&f)+"\n")
	return err
}

func (c *concise) File(f File) error {
	for i := range f.Repeated {
		f := &f.Repeated[i]
		if _, err := io.WriteString(c.out, c.finding.concise(f)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// The colors of what is in a text besides severities.
const (
	gutterColor = color.FgBlue
	helpColor   = color.FgGreen
)

// findingText renders findings as text.
type findingText struct {
	snippet
	options Options
	noted   bool // a note was appended, or none needs an empty line above it
}

func newFindingText(o Options) *findingText {
	return &findingText{snippet: snippet{ink: ink.Ink(o.Color), width: o.Width}, options: o}
}

// body returns a finding with its source lines and its help.
func (t *findingText) body(f *lint.Finding) string {
	hasSource := t.reset(f)
	t.noted = false
	shown := t.header(f) + t.hang(len(f.Severity.String())+len("[]: ")+len(f.Rule.ID), visible(f.Message), color.Bold)
	shown += t.head("--> ") + t.place(f)
	if f.Place.Time != "" {
		shown += " at " + visible(f.Place.Time)
	}
	shown += "\n"
	if hasSource {
		shown += t.lines()
	}
	if more := also(f); more != "" {
		shown += t.note("also:", more)
	}
	if f.Help != "" {
		shown += t.note("help:", visible(f.Help))
	}
	return shown
}

// header returns the severity, and the rule as a link to its page.
func (t *findingText) header(f *lint.Finding) string {
	return t.ink.Paint(f.Severity.String()+"["+t.link(f.Rule)+"]", severityStyle(f.Severity)...) + ": "
}

// link returns the id of a rule, as a link to its page.
func (t *findingText) link(r *lint.Rule) string {
	if t.options.RulePage == nil {
		return r.ID
	}
	return ink.Link(t.options.RulePage(r), r.ID)
}

// place returns where a finding is, with its record.
func (t *findingText) place(f *lint.Finding) string {
	return t.ink.Bold(placeText(f.Path, f.Place.Span.Start)) + recordText(f)
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
	var name string
	switch first, _, _ := strings.Cut(strings.TrimPrefix(f.Place.Pointer, "/"), "/"); {
	case record < 0:
		return ""
	case first == strconv.Itoa(record), strings.HasPrefix(f.Place.Pointer, "/messages/"+strconv.Itoa(record)):
		name = "message "
	case f.Conversation >= 0 || record+1 != known(f.Place.Span.Start).Line:
		name = "record "
	default:
		return ""
	}
	if f.Conversation >= 0 {
		name = "conversation " + strconv.Itoa(f.Conversation) + ", " + name
	}
	return " (" + name + strconv.Itoa(record) + ")"
}

// note returns a line under the source lines, as in "= help: close the block", with an
// empty one before the first.
func (t *findingText) note(name, text string) string {
	space := ""
	if !t.noted {
		space = t.head(" |") + "\n"
	}
	t.noted = true
	return space + t.head(" = ") + t.ink.Paint(name, helpColor) + " " + t.hang(t.digits+len(" = ")+len(name)+1, text)
}

// hang returns text and a line feed. If the text is wrapped, its other lines are
// indented as the first one, by a number of columns, or by less if that leaves
// few columns.
func (t *findingText) hang(indent int, text string, attributes ...color.Attribute) string {
	width := t.options.Width
	if width <= 0 || indent+ink.Columns(text) <= width {
		return t.ink.Paint(text, attributes...) + "\n"
	}
	const few = 24
	others := indent
	if width-indent < few {
		others = len("    ")
	}
	shown := ""
	for i, line := range wrap(text, width-indent, width-others) {
		if i > 0 {
			shown += strings.Repeat(" ", others)
		}
		shown += t.ink.Paint(line, attributes...) + "\n"
	}
	return shown
}

// wrap breaks text at spaces into lines of at most some columns, unless the first one
// has no room.
func wrap(text string, first, others int) []string {
	if first <= 0 {
		return []string{text}
	}
	return ink.Wrap(strings.Split(text, " "), first, others)
}

// head returns the start of a line, as wide as the line numbers.
func (t *findingText) head(sign string) string {
	return strings.Repeat(" ", t.digits) + t.ink.Paint(sign, gutterColor)
}

// concise returns a finding on one line, without the line feed.
func (t *findingText) concise(f *lint.Finding) string {
	path := f.Path
	if strings.HasPrefix(strings.TrimLeft(path, " "), "::") {
		path = "./" + path // GitHub would take the line for a workflow command
	}
	line := t.ink.Bold(placeText(path, f.Place.Span.Start)+":") + " " +
		t.ink.Paint(f.Severity.String()+":", severityStyle(f.Severity)...) + " " +
		visible(f.Message) + " " + t.ink.Faint("["+t.link(f.Rule)+" "+f.Rule.Name+"]")
	if more := also(f); more != "" {
		line += " " + t.ink.Faint("("+more+")")
	}
	if f.Help != "" {
		line += " " + t.ink.Paint("help:", helpColor) + " " + visible(f.Help)
	}
	return line
}

// severityStyle returns the attributes of the name and of the mark of a severity.
func severityStyle(s lint.Severity) []color.Attribute {
	if s == 0 {
		return []color.Attribute{color.Faint}
	}
	return []color.Attribute{ink.Severity(s), color.Bold}
}

// maxFixes is how many fixes of an input are shown with its findings.
const maxFixes = 10

// Fixes returns what the fixes of findings do, for a terminal: the place of each, and what
// changes in its record, or in words if that is not known.
func Fixes(findings []lint.Finding, o Options) []byte {
	t := newFindingText(o)
	t.digits, t.noted = 1, true
	shown := ""
	for i := range findings {
		f := &findings[i]
		shown += t.head("--> ") + t.place(f) + "\n"
		if change, ok := preview.Of(f); ok {
			shown += t.change(&change)
		} else {
			shown += t.fix(f.Fix)
		}
		shown += "\n"
	}
	return []byte(shown)
}

// fix returns what a fix does, in words.
func (t *findingText) fix(fix *lint.Fix) string {
	name := "fix:"
	if !fix.Safe {
		name = "unsafe fix:"
	}
	return t.note(name, visible(fix.Message))
}

// change returns what changes in a record as two lines, before and after, as in a patch:
// windows around what changes that begin at the same place.
func (t *findingText) change(change *preview.Change) string {
	indent, room := strings.Repeat(" ", t.digits+len("   ")), math.MaxInt
	if width := t.options.Width; width > 0 {
		room = max(minExcerpt, width-len(indent)-len("- "))
	}
	type shownSide struct {
		sign     string
		color    color.Attribute
		line     shownLine
		from, to int // the characters that change
	}
	var sides []*shownSide
	left := math.MaxInt // characters before what changes
	for i, e := range []preview.Excerpt{change.Before, change.After} {
		if e.Text == "" {
			continue
		}
		s := &shownSide{sign: "- ", color: color.FgRed, from: utf8.RuneCountInString(e.Text[:e.From]), to: utf8.RuneCountInString(e.Text[:e.To])}
		if i > 0 {
			s.sign, s.color = "+ ", color.FgGreen
		}
		s.line.set(source.Excerpt{Text: e.Text, Column: 1, CutLeft: e.CutLeft, CutRight: e.CutRight})
		start := 0
		if s.line.width() > room {
			start, _ = s.line.window(s.from+1, room)
		}
		left = min(left, s.from-start)
		sides = append(sides, s)
	}
	shown := ""
	for _, s := range sides {
		start, end := s.from-left, len(s.line.chars)
		if s.line.width() > room {
			end = s.line.fit(start, end, room-2*ink.Columns(ink.Cut))
		}
		if to := min(s.to, end); s.from < to {
			changed := ""
			for _, c := range s.line.chars[s.from:to] {
				changed += c.text
			}
			s.line.chars[s.from].text = t.ink.Paint(changed, s.color)
			for i := s.from + 1; i < to; i++ {
				s.line.chars[i].text = ""
			}
		}
		s.line.cutLeft, s.line.cutRight = s.line.cutLeft || start > 0, s.line.cutRight || end < len(s.line.chars)
		s.line.chars = s.line.chars[start:end]
		shown += indent + t.ink.Paint(s.sign, s.color) + s.line.text() + "\n"
	}
	return shown
}
