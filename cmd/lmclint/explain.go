package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
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
	all := command.Flags().Bool("all", false, "show all examples, not one of each")
	var o looksFlags
	o.define(command.Flags())
	command.RunE = func(_ *cobra.Command, operands []string) error {
		return c.explain(rules.Catalog(), operands, format.value, *all, c.looks(&o, c.Stdout, false))
	}
	return command
}

// explain prints explanations. Text has one wrong and one right example of a rule,
// unless all are wanted.
func (c *Command) explain(catalogue lint.Catalog, operands []string, format string, all bool, looks report.Options) error {
	if format != "text" {
		return c.explainAs(catalogue, operands, format)
	}
	var parts []string
	for _, operand := range operands {
		part, err := explanation(catalogue, operand, all, looks)
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
		page, err := rulePage(r, nil, nil)
		if err != nil {
			return err
		}
		pages = append(pages, page)
	}
	return c.print(strings.Join(pages, "\n"))
}

// explanation explains a rule, or lists those of a family or an id prefix.
func explanation(catalogue lint.Catalog, operand string, all bool, looks report.Options) (string, error) {
	if rule := catalogue.Rule(operand); rule != nil {
		return explainRule(rule, all, looks)
	}
	found := catalogue.Select(operand)
	if len(found) == 0 {
		return "", unknownWord("rule", operand, catalogue.Words(), "rules")
	}
	return rulesText(found, looks), nil
}

// explainColumns is the number of columns to which an explanation is wrapped on
// a wide terminal.
const explainColumns = 100

// explainRule returns the explanation of a rule for a terminal: what to do
// first.
func explainRule(r *lint.Rule, all bool, looks report.Options) (string, error) {
	todo, err := instructions(r)
	if err != nil {
		return "", err
	}
	e := explainer{paint: ink{looks.Color}, columns: helpColumns}
	if looks.Width > 0 {
		e.columns = min(looks.Width, explainColumns)
	}
	title := e.paint.bold(r.ID + " " + r.Name)
	if looks.RulePage != nil {
		title = link(looks.RulePage(r), title)
	}
	e.line("%s", title)
	where := fmt.Sprintf("%s, in: %s, since %s%s", r.SeverityText(), strings.Join(r.Inputs.Names(), ", "), r.Since, fixText(r))
	e.WriteString(e.paint.severity(r.Severity, wrapTo(where, "", "", e.columns)))
	e.line("")
	e.list("What to do", todo)
	e.section("What it finds", r.Summary+".")
	e.section("Why", r.Rationale)
	e.list("Who minds", whoMinds(r.ID))
	e.list("Evidence", r.Evidence)
	e.list("Requirements", requirements(r))
	bad, good := r.Bad, r.Good
	if !all {
		bad, good = bad[:min(1, len(bad))], good[:min(1, len(good))]
	}
	for _, example := range bad {
		e.example(e.paint.bad("Bad"), example)
	}
	for _, example := range good {
		e.example(e.paint.good("Good"), example)
	}
	if more := len(r.Bad) + len(r.Good) - len(bad) - len(good); more > 0 {
		e.line("%s: %s explain --all %s", english.Plural(more, "more example", ""), name, r.ID)
	}
	return strings.TrimRight(e.String(), "\n") + "\n", nil
}

// explainer writes an explanation.
type explainer struct {
	strings.Builder
	paint   ink
	columns int
}

func (e *explainer) line(format string, values ...any) {
	e.WriteString(fmt.Sprintf(format, values...) + "\n")
}

func (e *explainer) section(heading, text string) {
	e.line("%s", e.paint.bold(heading))
	e.WriteString(wrapTo(text, "  ", "  ", e.columns))
	e.line("")
}

// list writes a section with items, unless there are none.
func (e *explainer) list(heading string, items []string) {
	if len(items) == 0 {
		return
	}
	e.line("%s", e.paint.bold(heading))
	for _, item := range items {
		e.WriteString(wrapTo(item, "  - ", "    ", e.columns))
	}
	e.line("")
}

func (e *explainer) example(verdict string, x lint.Example) {
	e.line("%s: %s%s", verdict, x.Name, exampleFlags(x))
	e.text(x.Text(), "  ")
	if x.Against != "" {
		e.line("  against:")
		e.text(x.Against, "    ")
	}
	for _, want := range x.Want {
		e.line("  %s %s", e.paint.faint("->"), want)
	}
	e.line("")
}

func (e *explainer) text(text, indent string) {
	for line := range strings.Lines(text) {
		e.line("%s%s", indent, report.EscapeControls(strings.TrimRight(line, "\n")))
	}
}

// maxInstructions is how many ways to fix a mistake an explanation lists.
const maxInstructions = 5

// instructions returns what the findings in a rule's examples say to do. A
// suggestion for one word has the message before it.
func instructions(r *lint.Rule) ([]string, error) {
	var todo []string
	for _, example := range r.Bad {
		_, err := lintExample(example, func(f *lint.Finding) error {
			text := f.Help
			if strings.HasPrefix(text, "did you mean") {
				text = f.Message + ": " + text
			}
			if f.Rule == r && text != "" && !slices.Contains(todo, text) && len(todo) < maxInstructions {
				todo = append(todo, text)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("lint the example %q of %s: %w", example.Name, r.ID, err)
		}
	}
	return todo, nil
}

// requirements lists what a rule checks, with the documents that have the words.
func requirements(r *lint.Rule) []string {
	var list []string
	for _, id := range r.Requirements {
		list = append(list, id+" in docs/"+requirementPage(id))
	}
	return list
}

// requirementPage returns the document of a requirement, in docs.
func requirementPage(id string) string {
	if strings.HasPrefix(id, "WB-") {
		return "workbench.md"
	}
	return "protocol.md"
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
	fmt.Fprintf(&b, "%s, in: %s, since %s%s.\n\n", capital(r.SeverityText()), strings.Join(r.Inputs.Names(), ", "), r.Since, fixText(r))
	todo, err := instructions(r)
	if err != nil {
		return "", err
	}
	if len(todo) > 0 {
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

// lintExample lints an example with all rules.
func lintExample(e lint.Example, report func(*lint.Finding) error, options ...lint.Option) (lint.Result, error) {
	config, err := protocol.ExampleConfig(e)
	if err != nil {
		return lint.Result{}, err
	}
	linter, err := lint.New(rules.All(), append(options, lint.WithConfig(config))...)
	if err != nil {
		return lint.Result{}, err
	}
	return linter.Run(context.Background(), "example", strings.NewReader(e.Text()), func(f lint.Finding) error { return report(&f) })
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
