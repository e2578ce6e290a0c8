package main

import (
	"strings"

	"github.com/fatih/color"

	"github.com/lmclint/lmclint/lint"
)

// ink colors the text of a command, or leaves it as it is.
type ink struct{ on bool }

func (i ink) paint(text string, attributes ...color.Attribute) string {
	if !i.on || text == "" {
		return text
	}
	c := color.New(attributes...)
	c.EnableColor()
	return c.Sprint(text)
}

func (i ink) bold(text string) string  { return i.paint(text, color.Bold) }
func (i ink) faint(text string) string { return i.paint(text, color.Faint) }
func (i ink) bad(text string) string   { return i.paint(text, color.FgRed, color.Bold) }
func (i ink) good(text string) string  { return i.paint(text, color.FgGreen, color.Bold) }

// severity colors text that begins with the name of a severity as reports do.
func (i ink) severity(s lint.Severity, text string) string {
	attributes := map[lint.Severity]color.Attribute{
		lint.SeverityError: color.FgRed, lint.SeverityWarning: color.FgYellow, lint.SeverityNote: color.FgCyan,
	}
	word, rest := s.String(), ""
	if strings.HasPrefix(text, word) {
		rest = text[len(word):]
	}
	return i.paint(word, attributes[s], color.Bold) + rest
}

// link makes text a hyperlink where the looks have them. It has the escapes that
// terminals call OSC 8.
func link(url, text string) string {
	if url == "" {
		return text
	}
	return "\x1b]8;;" + url + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}
