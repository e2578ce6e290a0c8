package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/lint"
)

// maxAnnotations is how many annotations of each type GitHub shows for a step.
const maxAnnotations = 10

// github writes each finding as a workflow command as soon as it is decided.
// GitHub logs all of them and annotates the first ones of each type. Every line
// with data is a command, so that data cannot start one.
type github struct {
	base
	counts [lint.SeverityError + 1]int
	line   []byte
}

func (g *github) Finding(f lint.Finding) error {
	title := f.Rule.ID + " " + f.Rule.Name
	start, end := known(f.Place.Span.Start), known(f.Place.Span.End)
	g.begin(f.Severity, title, f.Path)
	g.property("line", strconv.Itoa(start.Line))
	g.property("endLine", strconv.Itoa(end.Line))
	if start.Line == end.Line {
		g.property("col", strconv.Itoa(start.Column))
		g.property("endColumn", strconv.Itoa(end.Column))
	}
	message := fmt.Sprintf("%s:%d:%d: %s [%s]", EscapeControls(f.Path), start.Line, start.Column, EscapeControls(f.Message), title)
	if f.Help != "" {
		message += "\nhelp: " + EscapeControls(f.Help)
	}
	return g.end(message)
}

func (g *github) File(f File) error {
	if f.Err == nil {
		return nil
	}
	g.begin(lint.SeverityError, "not checked", f.Path)
	return g.end(EscapeControls(f.Path + ": " + reason(&f)))
}

func (g *github) End(Summary) error {
	for _, s := range lint.Severities() {
		if n := g.counts[s]; n > maxAnnotations {
			if _, err := fmt.Fprintf(g.out, "%s: GitHub shows %d of %s as annotations; this log has all\n",
				g.run.Tool, maxAnnotations, english.Plural(n, s.String(), "")); err != nil {
				return err
			}
		}
	}
	return nil
}

// begin starts a command with its first properties.
func (g *github) begin(s lint.Severity, title, path string) {
	g.counts[s]++
	command := s.String()
	if s == lint.SeverityNote {
		command = "notice"
	}
	below, _ := g.run.locate(path)
	g.line = append(append(append(g.line[:0], "::"...), command...), ' ')
	g.line = append(append(g.line, "title="...), propertyEscapes.Replace(EscapeControls(title))...)
	g.property("file", below)
}

func (g *github) property(name, value string) {
	g.line = append(append(append(g.line, ','), name...), '=')
	g.line = append(g.line, propertyEscapes.Replace(EscapeControls(value))...)
}

func (g *github) end(message string) error {
	g.line = append(append(g.line, "::"...), messageEscapes.Replace(message)...)
	_, err := g.out.Write(append(g.line, '\n'))
	return err
}

// The escapes of workflow commands.
var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
