package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

func (c *Command) explainCommand() *cobra.Command {
	command := &cobra.Command{
		Use:               "explain [flags] ID|NAME|PREFIX|FAMILY...",
		Short:             "explain a rule: what it finds, why, with examples",
		Long:              "An id prefix (LMC3) or a family (framing) lists the matching rules.",
		Example:           name + " explain LMC301\n" + name + " explain unconfirmed-execution",
		Args:              operands(1, -1, "explain needs the id or the name of a rule"),
		ValidArgsFunction: completeWith(ruleCompletions),
	}
	format := choiceFlag(command.Flags(), "format", "FORMAT", "text, json or markdown", []string{"text", "json", "markdown"})
	command.RunE = func(_ *cobra.Command, operands []string) error {
		return c.explain(rules.Catalog(), operands, format.value)
	}
	return command
}

func (c *Command) explain(catalogue lint.Catalog, operands []string, format string) error {
	if format != "text" {
		return c.explainAs(catalogue, operands, format)
	}
	var parts []string
	for _, operand := range operands {
		part, err := explanation(catalogue, operand)
		if err != nil {
			return err
		}
		parts = append(parts, part)
	}
	return c.print(strings.Join(parts, "\n"))
}

// explainAs prints rules as JSON or Markdown.
func (c *Command) explainAs(all lint.Catalog, operands []string, format string) error {
	var found []*lint.Rule
	for _, operand := range operands {
		selected := all.Select(operand)
		if len(selected) == 0 {
			return unknownWord("rule", operand, all.Words(), "rules")
		}
		found = append(found, selected...)
	}
	if format == "json" {
		return c.printJSON(catalogue(found))
	}
	var pages []string
	for _, r := range found {
		page, err := rulePage(r)
		if err != nil {
			return err
		}
		pages = append(pages, page)
	}
	return c.print(strings.Join(pages, "\n"))
}

// explanation explains a rule, or lists those of a family or an id prefix.
func explanation(catalogue lint.Catalog, operand string) (string, error) {
	if rule := catalogue.Rule(operand); rule != nil {
		return explainRule(rule), nil
	}
	found := catalogue.Select(operand)
	if len(found) == 0 {
		return "", unknownWord("rule", operand, catalogue.Words(), "rules")
	}
	return rulesText(found), nil
}

// explainRule returns the explanation of a rule for a terminal.
func explainRule(r *lint.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.ID, r.Name)
	fmt.Fprintf(&b, "%s, in: %s, since %s\n\n", r.SeverityText(), strings.Join(r.Inputs.Names(), ", "), r.Since)
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

// exampleFlags returns the flags with which an example is checked, and the
// nesting limit, which has no flag.
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
	add(e.MaxRecordBytes != 0, "--max-record-bytes %d", e.MaxRecordBytes)
	add(e.MaxDepth != 0, "nesting limit %d", e.MaxDepth)
	if len(flags) == 0 {
		return ""
	}
	return " (" + strings.Join(flags, " ") + ")"
}

// rulePage returns the page of a rule in the documentation.
func rulePage(r *lint.Rule) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\n%s.\n\n", r.ID, r.Name, inlineMarkdown(r.Summary))
	fmt.Fprintf(&b, "%s, in: %s, since %s.\n\n", capital(r.SeverityText()), strings.Join(r.Inputs.Names(), ", "), r.Since)
	fmt.Fprintf(&b, "## Why\n\n%s\n", inlineMarkdown(r.Rationale))
	if len(r.Evidence) > 0 {
		b.WriteString("\n## Evidence\n\n")
		for _, e := range r.Evidence {
			fmt.Fprintf(&b, "- %s\n", inlineMarkdown(e))
		}
	}
	for _, e := range r.Bad {
		shown, err := exampleReport(e)
		if err != nil {
			return "", fmt.Errorf("lint the example %q of %s: %w", e.Name, r.ID, err)
		}
		fmt.Fprintf(&b, "\n## Wrong: %s\n\n%s\n%s\n%s", inlineMarkdown(e.Name), fenced("", e.Text())+against(e), checkedWith(e), fenced("text", shown))
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
	config, err := protocol.ExampleConfig(e)
	if err != nil {
		return "", err
	}
	linter, err := lint.New(rules.All(), lint.WithConfig(config))
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

// inlineMarkdown escapes markup in prose.
func inlineMarkdown(text string) string {
	return strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`).Replace(text)
}
