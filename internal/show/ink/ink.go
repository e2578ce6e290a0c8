// Package ink lays out text for a terminal: its colors, links and lines.
package ink

import (
	"strings"

	"github.com/fatih/color"
	"github.com/mattn/go-runewidth"

	"github.com/lmclint/lmclint/lint"
)

// Ink colors text if it is on. It does not use the global switch of package color, which
// knows nothing of the writer.
type Ink bool

// Paint returns text with attributes, or unchanged if the ink is off.
func (i Ink) Paint(text string, attributes ...color.Attribute) string {
	if !i || text == "" || len(attributes) == 0 {
		return text
	}
	c := color.New(attributes...)
	c.EnableColor()
	return c.Sprint(text)
}

// Bold returns bold text.
func (i Ink) Bold(text string) string { return i.Paint(text, color.Bold) }

// Faint returns faint text.
func (i Ink) Faint(text string) string { return i.Paint(text, color.Faint) }

// Severity returns the color of a severity.
func Severity(s lint.Severity) color.Attribute {
	switch s {
	case lint.SeverityError:
		return color.FgRed
	case lint.SeverityWarning:
		return color.FgYellow
	case lint.SeverityNote:
		return color.FgCyan
	}
	return color.Faint
}

// Link makes text a hyperlink, unless the URL is "". It has the escapes that terminals
// call OSC 8.
func Link(url, text string) string {
	if url == "" {
		return text
	}
	return "\x1b]8;;" + url + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// Columns returns how many columns of a terminal a text takes. It does not depend on the
// locale, so that a report is the same everywhere.
func Columns(text string) int {
	return (&runewidth.Condition{StrictEmojiNeutral: true}).StringWidth(text)
}

// Wrap returns lines of words with spaces between them, which take at most a number of
// columns: the first line, and the others. A longer word has a line of its own. No line
// but the first starts with "::", which GitHub would take for a workflow command.
func Wrap(words []string, first, others int) []string {
	var lines []string
	line, room := "", first
	for i, word := range words {
		switch {
		case i == 0:
			line = word
		case Columns(line)+1+Columns(word) > room && strings.TrimSpace(line) != "" && !strings.HasPrefix(word, "::"):
			lines = append(lines, line)
			line, room = word, others
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// Cut is the mark where text is missing.
const Cut = "…"

// Shorten truncates text to a number of code points.
func Shorten(text string, most int) string {
	if all := []rune(text); len(all) > most {
		return string(all[:most]) + Cut
	}
	return text
}
