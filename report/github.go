package report

import (
	"fmt"
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
}

func (g *github) Finding(f lint.Finding) error {
	title := f.Rule.ID + " " + f.Rule.Name
	start, end := known(f.Place.Span.Start), known(f.Place.Span.End)
	place := fmt.Sprintf(",line=%d,endLine=%d", start.Line, end.Line)
	if start.Line == end.Line {
		place += fmt.Sprintf(",col=%d,endColumn=%d", start.Column, end.Column)
	}
	message := fmt.Sprintf("%s:%d:%d: %s [%s]", EscapeControls(f.Path), start.Line, start.Column, EscapeControls(f.Message), title)
	if more := also(&f); more != "" {
		message += "\nalso: " + more
	}
	if f.Help != "" {
		message += "\nhelp: " + EscapeControls(f.Help)
	}
	return g.command(f.Severity, title, f.Path, place, message)
}

func (g *github) File(f File) error {
	for i := range f.Repeated {
		r := &f.Repeated[i]
		title := r.Rule.ID + " " + r.Rule.Name
		if err := g.command(r.Severity, title, r.Path, fmt.Sprintf(",line=%d", known(r.Place.Span.Start).Line), EscapeControls(again(r))); err != nil {
			return err
		}
	}
	if f.Err == nil {
		return nil
	}
	return g.command(lint.SeverityError, "not checked", f.Path, "", EscapeControls(f.Path+": "+reason(&f)))
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

// command writes a command with its properties.
func (g *github) command(s lint.Severity, title, path, place, message string) error {
	g.counts[s]++
	name := strings.Replace(s.String(), "note", "notice", 1)
	below, _ := g.run.locate(path)
	title, below = propertyEscapes.Replace(EscapeControls(title)), propertyEscapes.Replace(EscapeControls(below))
	_, err := fmt.Fprintf(g.out, "::%s title=%s,file=%s%s::%s\n", name, title, below, place, messageEscapes.Replace(message))
	return err
}

// The escapes of workflow commands.
var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
