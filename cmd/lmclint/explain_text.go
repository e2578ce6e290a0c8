package main

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

const explainWidth = 80 // columns

// explainRule is all that is to be said about a rule, as text for a terminal.
func explainRule(r *lint.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.ID, r.Name)
	fmt.Fprintf(&b, "%s, in: %s, since %s\n\n", severityText(r), strings.Join(inputNames(r.Inputs), ", "), r.Since)
	fmt.Fprintf(&b, "%s\n", wrap(r.Summary+".", "", ""))
	fmt.Fprintf(&b, "Why\n%s\n", wrap(r.Rationale, "  ", "  "))
	if len(r.Evidence) > 0 {
		b.WriteString("Evidence\n")
		for _, e := range r.Evidence {
			b.WriteString(wrap(e, "  - ", "    "))
		}
		b.WriteString("\n")
	}
	for _, e := range r.Bad {
		writeExample(&b, "Bad", e)
	}
	for _, e := range r.Good {
		writeExample(&b, "Good", e)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func writeExample(b *strings.Builder, verdict string, e lint.Example) {
	fmt.Fprintf(b, "%s: %s%s\n", verdict, e.Name, exampleFlags(e))
	for line := range strings.Lines(e.Text()) {
		fmt.Fprintf(b, "  %s\n", report.EscapeControls(strings.TrimRight(line, "\n")))
	}
	if e.Against != "" {
		b.WriteString("  against:\n")
		for line := range strings.Lines(e.Against) {
			fmt.Fprintf(b, "    %s\n", report.EscapeControls(strings.TrimRight(line, "\n")))
		}
	}
	for _, want := range e.Want {
		fmt.Fprintf(b, "  -> %s\n", want)
	}
	b.WriteString("\n")
}

// exampleFlags shows what the example was checked with: flags, and the depth
// limit, which has no flag.
func exampleFlags(e lint.Example) string {
	var flags []string
	add := func(given bool, format string, values ...any) {
		if given {
			flags = append(flags, fmt.Sprintf(format, values...))
		}
	}
	add(e.Protocol != "", "--protocol %s", e.Protocol)
	add(e.Partial, "--partial")
	add(e.Dialect != "", "--dialect %s", e.Dialect)
	add(e.Kind != "", "--kind %s", e.Kind)
	add(e.Against != "", "--against FILE")
	add(e.AutoRun, "--auto-run")
	add(e.Source.Form != "", "--form %s", e.Source.Form)
	add(e.Source.MaxRecordBytes != 0, "--max-record-bytes %d", e.Source.MaxRecordBytes)
	add(e.Source.MaxDepth != 0, "nesting limit %d", e.Source.MaxDepth)
	if len(flags) == 0 {
		return ""
	}
	return " (" + strings.Join(flags, " ") + ")"
}

// wrap breaks text at spaces, with an indent for its first line and one for
// the others. Line ends in the text are spaces, but an empty line stays.
func wrap(text, first, others string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteString("\n")
			first = others
		}
		line := first
		for j, word := range strings.Fields(paragraph) {
			switch {
			case j == 0:
				line += word
			case len([]rune(line))+1+len([]rune(word)) > explainWidth:
				b.WriteString(line + "\n")
				line = others + word
			default:
				line += " " + word
			}
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
