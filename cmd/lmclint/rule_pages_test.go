package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

// examplePicture is a bad example of a rule as a timeline.
type examplePicture struct {
	example     int // index in the rule's bad examples
	svg         []byte
	description string
}

// rulePage returns the page of a rule in the documentation, with a picture of one
// of its examples, or nil, and with links to the open questions about it.
func rulePage(r *lint.Rule, drawn *examplePicture, questions []string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\n%s.\n\n", r.ID, r.Name, inlineMarkdown(r.Summary))
	fmt.Fprintf(&b, "%s, in: %s%s.\n\n", capital(r.SeverityText()), strings.Join(r.Inputs.Names(), ", "), fixText(r))
	if todo := instructions(r); len(todo) > 0 {
		b.WriteString("## What to do\n\n")
		for _, each := range todo {
			fmt.Fprintf(&b, "- %s\n", inlineMarkdown(each))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "## Why\n\n%s\n", inlineMarkdown(r.Rationale))
	if lines := whoMinds(r.ID); len(lines) > 0 {
		b.WriteString("\n## Who minds\n\n[consumers.md](../consumers.md) says how they were run.\n\n")
		for _, line := range lines {
			fmt.Fprintf(&b, "- %s\n", inlineMarkdown(line))
		}
	}
	if len(r.Evidence) > 0 {
		b.WriteString("\n## Evidence\n\n")
		for _, e := range r.Evidence {
			fmt.Fprintf(&b, "- %s\n", inlineMarkdown(e))
		}
	}
	b.WriteString("\n## Requirements\n\n")
	for _, id := range r.Requirements {
		fmt.Fprintf(&b, "- [%s](../%s#%s)\n", id, requirementPage(id), strings.ToLower(id))
	}
	if len(questions) > 0 {
		b.WriteString("\n## Open questions\n\n")
		for _, link := range questions {
			fmt.Fprintf(&b, "- %s\n", link)
		}
	}
	for i, e := range r.Bad {
		shown, err := exampleReport(e)
		if err != nil {
			return "", fmt.Errorf("lint the example %q of %s: %w", e.Name, r.ID, err)
		}
		fmt.Fprintf(&b, "\n## Wrong: %s\n\n%s\n", inlineMarkdown(e.Name), fenced("", e.Text())+against(e))
		if drawn != nil && drawn.example == i {
			fmt.Fprintf(&b, "![%s](%s.svg)\n\n", inlineMarkdown(drawn.description), r.ID)
		}
		fmt.Fprintf(&b, "%s\n%s", checkedWith(e), fenced("text", shown))
	}
	for _, c := range rules.Corrections(r.ID) {
		fmt.Fprintf(&b, "\n## Help: %s\n\n%s", inlineMarkdown(c.Help), fenced("diff", c.Diff))
	}
	for _, e := range r.Good {
		fmt.Fprintf(&b, "\n## Right: %s\n\n%s", inlineMarkdown(e.Name), fenced("", e.Text())+against(e))
	}
	return b.String(), nil
}

// against returns the conversation that an example is compared with.
func against(e lint.Example) string {
	if e.Against == "" {
		return ""
	}
	return "\ncompared with the conversation\n\n" + fenced("", strings.TrimRight(e.Against, "\n")+"\n")
}

// checkedWith introduces the report on an example.
func checkedWith(e lint.Example) string {
	if flags := exampleFlags(e); flags != "" {
		return "lmclint says," + strings.NewReplacer("(", "with `", ")", "`").Replace(flags) + ":\n"
	}
	return "lmclint says:\n"
}

// exampleReport returns the text report on an example.
func exampleReport(e lint.Example) (string, error) {
	var out bytes.Buffer
	text, err := report.New(report.FormatText, &out, report.Options{})
	if err != nil {
		return "", err
	}
	_, err = lintExample(e, func(f *lint.Finding) error { return text.Finding(*f) })
	return out.String(), err
}

// fenced returns text in a fence longer than any in the text, with control
// characters escaped.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	var b strings.Builder
	b.WriteString(fence + language + "\n")
	for line := range strings.Lines(text) {
		b.WriteString(report.EscapeControls(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String() + fence + "\n"
}
