package main

import (
	"strings"

	"github.com/fatih/color"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// ink colors the text of a command if it is on, and else returns the text unchanged.
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
	word, rest := s.String(), ""
	if strings.HasPrefix(text, word) {
		rest = text[len(word):]
	}
	return i.paint(word, severityColors[s], color.Bold) + rest
}

// summary returns the summary line with its counts colored as reports do.
func (i ink) summary(s *report.Summary) string {
	line := s.String()
	if !i.on {
		return line
	}
	line = strings.Replace(line, "no findings", i.good("no findings"), 1)
	for _, count := range strings.Split(s.Findings(), ", ") {
		for severity, attribute := range severityColors {
			if strings.Contains(count, severity.String()) {
				line = strings.Replace(line, count, i.paint(count, attribute, color.Bold), 1)
			}
		}
	}
	return line
}

// severityColors are the colors of the severities, as in reports.
var severityColors = map[lint.Severity]color.Attribute{
	lint.SeverityError: color.FgRed, lint.SeverityWarning: color.FgYellow, lint.SeverityNote: color.FgCyan,
}

// patch colors the lines of a patch.
func (i ink) patch(patch []byte) []byte {
	if !i.on {
		return patch
	}
	var b strings.Builder
	for line := range strings.Lines(string(patch)) {
		text, end := strings.CutSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "--- "), strings.HasPrefix(text, "+++ "):
			text = i.bold(text)
		case strings.HasPrefix(text, "@@"):
			text = i.paint(text, color.FgCyan)
		case strings.HasPrefix(text, "-"):
			text = i.paint(text, color.FgRed)
		case strings.HasPrefix(text, "+"):
			text = i.paint(text, color.FgGreen)
		}
		b.WriteString(text)
		if end {
			b.WriteByte('\n')
		}
	}
	return []byte(b.String())
}

// link makes text a hyperlink where the looks have them. It has the escapes that
// terminals call OSC 8.
func link(url, text string) string {
	if url == "" {
		return text
	}
	return "\x1b]8;;" + url + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}
