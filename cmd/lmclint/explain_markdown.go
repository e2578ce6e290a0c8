package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

// rulePage is all that is to be said about a rule, as a page of the
// documentation.
func rulePage(r *lint.Rule) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\n%s.\n\n", r.ID, r.Name, inlineMarkdown(r.Summary))
	fmt.Fprintf(&b, "%s, in: %s, since %s.\n\n", capital(severityText(r)), strings.Join(inputNames(r.Inputs), ", "), r.Since)
	fmt.Fprintf(&b, "## Why\n\n%s\n", inlineMarkdown(r.Rationale))
	if len(r.Evidence) > 0 {
		b.WriteString("\n## Evidence\n\n")
		for _, e := range r.Evidence {
			fmt.Fprintf(&b, "- %s\n", inlineMarkdown(e))
		}
	}
	for _, e := range r.Bad {
		told, err := toldOf(e)
		if err != nil {
			return "", fmt.Errorf("lint the example %q of %s: %w", e.Name, r.ID, err)
		}
		fmt.Fprintf(&b, "\n## Wrong: %s\n\n%s\n%s\n%s", inlineMarkdown(e.Name), fenced("", e.Text())+against(e), checkedWith(e), fenced("text", told))
	}
	for _, e := range r.Good {
		fmt.Fprintf(&b, "\n## Right: %s\n\n%s", inlineMarkdown(e.Name), fenced("", e.Text())+against(e))
	}
	return b.String(), nil
}

// against shows the conversation that an example is compared with.
func against(e lint.Example) string {
	if e.Against == "" {
		return ""
	}
	return "\ncompared with the conversation\n\n" + fenced("", strings.TrimRight(e.Against, "\n")+"\n")
}

// checkedWith introduces what the program says about an example.
func checkedWith(e lint.Example) string {
	if flags := exampleFlags(e); flags != "" {
		return "lmclint says," + strings.NewReplacer("(", "with `", ")", "`").Replace(flags) + ":\n"
	}
	return "lmclint says:\n"
}

// toldOf is the text report on an example.
func toldOf(e lint.Example) (string, error) {
	var out bytes.Buffer
	text, err := report.New(report.FormatText, &out, report.Options{})
	if err != nil {
		return "", err
	}
	config, err := protocol.ExampleConfig(e)
	if err != nil {
		return "", err
	}
	linter, err := lint.New(rules.All(), lint.WithConfig(config), lint.WithSource(e.Source))
	if err != nil {
		return "", err
	}
	for f, err := range linter.Lint(context.Background(), "example", strings.NewReader(e.Text())) {
		if err != nil {
			return "", err
		}
		if err := text.Finding(f); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

// fenced is text as it is, but for what a terminal might obey. The fence is
// longer than any in the text.
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

// inlineMarkdown keeps prose from being taken for markup.
func inlineMarkdown(text string) string {
	return strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`).Replace(text)
}
