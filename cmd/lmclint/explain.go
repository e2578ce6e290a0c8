package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/show/ink"
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
	all := command.Flags().Bool("all", false, "show all examples, not one of each")
	var o looksFlags
	o.define(command.Flags())
	command.RunE = func(_ *cobra.Command, operands []string) error {
		return c.explain(rules.Catalog(), operands, *all, c.looks(&o, c.Stdout, false))
	}
	return command
}

// explain prints explanations of rules, with one wrong and one right example unless all
// are wanted, and lists the rules of a family or an id prefix.
func (c *Command) explain(catalogue lint.Catalog, operands []string, all bool, looks report.Options) error {
	var parts []string
	for _, operand := range operands {
		rule, found := catalogue.Rule(operand), catalogue.Select(operand)
		switch {
		case rule != nil:
			parts = append(parts, explainRule(rule, all, looks))
		case len(found) > 0:
			parts = append(parts, rulesText(found, looks))
		default:
			return unknownWord("rule", operand, catalogue.Words(), "rules")
		}
	}
	return c.print(strings.Join(parts, "\n"))
}

// explainColumns is the number of columns to which an explanation is wrapped on
// a wide terminal.
const explainColumns = 100

// explainRule returns the explanation of a rule for a terminal: what to do
// first.
func explainRule(r *lint.Rule, all bool, looks report.Options) string {
	e := explainer{paint: ink.Ink(looks.Color), columns: helpColumns}
	if looks.Width > 0 {
		e.columns = min(looks.Width, explainColumns)
	}
	title := e.paint.Bold(r.ID + " " + r.Name)
	if looks.RulePage != nil {
		title = ink.Link(looks.RulePage(r), title)
	}
	e.line("%s", title)
	where := fmt.Sprintf("%s, in: %s%s", r.SeverityText(), strings.Join(r.Inputs.Names(), ", "), fixText(r))
	e.WriteString(severityText(e.paint, r.Severity, wrapTo(where, "", "", e.columns)))
	e.line("")
	e.list("What to do", instructions(r))
	e.section("What it finds", r.Summary+".")
	e.section("Why", r.Rationale)
	e.list("Who minds", whoMinds(r.ID))
	e.list("Evidence", r.Evidence)
	var requirements []string
	for _, id := range r.Requirements {
		requirements = append(requirements, id+" in docs/"+requirementPage(id))
	}
	e.list("Requirements", requirements)
	bad, good, corrections := r.Bad, r.Good, rules.Corrections(r.ID)
	if !all {
		bad, good, corrections = bad[:min(1, len(bad))], good[:min(1, len(good))], nil
	}
	for _, example := range bad {
		e.example(e.paint.Paint("Bad", color.FgRed, color.Bold), example)
	}
	for _, c := range corrections {
		e.line("%s: %s", e.paint.Bold("Help"), c.Help)
		e.text(c.Diff, "  ")
		e.line("")
	}
	for _, example := range good {
		e.example(e.paint.Paint("Good", color.FgGreen, color.Bold), example)
	}
	if more := len(r.Bad) + len(r.Good) + len(rules.Corrections(r.ID)) - len(bad) - len(good) - len(corrections); more > 0 {
		e.line("%s: %s explain --all %s", english.Plural(more, "more example", ""), name, r.ID)
	}
	return strings.TrimRight(e.String(), "\n") + "\n"
}

// explainer writes an explanation.
type explainer struct {
	strings.Builder
	paint   ink.Ink
	columns int
}

func (e *explainer) line(format string, values ...any) {
	e.WriteString(fmt.Sprintf(format, values...) + "\n")
}

func (e *explainer) section(heading, text string) {
	e.line("%s", e.paint.Bold(heading))
	e.WriteString(wrapTo(text, "  ", "  ", e.columns))
	e.line("")
}

// list writes a section with items, unless there are none.
func (e *explainer) list(heading string, items []string) {
	if len(items) == 0 {
		return
	}
	e.line("%s", e.paint.Bold(heading))
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
		e.line("  %s %s", e.paint.Faint("->"), want)
	}
	if after := corrected(x); len(x.Want) > 0 && after != "" {
		e.line("  corrected as the help says:")
		e.text(after, "  ")
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
func instructions(r *lint.Rule) (todo []string) {
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
			panic(fmt.Sprintf("example %q of %s: %v", example.Name, r.ID, err)) // all examples are tested
		}
	}
	return todo
}

// corrected returns a bad example with the edits that its help describes, or else with
// all fixes; "" if it has neither.
func corrected(e lint.Example) string {
	if len(e.Edits) > 0 {
		return e.Edited()
	}
	config, err := protocol.ExampleConfig(e)
	if err != nil {
		panic(err) // all examples are tested
	}
	linter, err := lint.New(rules.All(), lint.WithConfig(config), lint.WithFixes())
	if err != nil {
		panic(err) // as above
	}
	fixed, err := apply.Text(context.Background(), apply.Linters{Fixing: linter}, "example", []byte(e.Text()), true)
	if err != nil || !fixed.Changed() {
		return ""
	}
	return string(fixed.Text)
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

// lintExample lints an example with all rules.
func lintExample(e lint.Example, report func(*lint.Finding) error, options ...lint.Option) (lint.Result, error) {
	config, err := protocol.ExampleConfig(e)
	if err != nil {
		return lint.Result{}, err
	}
	linter, err := lint.New(rules.All(), append(options, lint.WithConfig(config), lint.WithEach())...)
	if err != nil {
		return lint.Result{}, err
	}
	return linter.Run(context.Background(), "example", strings.NewReader(e.Text()), func(f lint.Finding) error { return report(&f) })
}
