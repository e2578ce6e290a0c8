package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"
	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
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
	e.line("To share a recording that shows it: %s reduce --redact --keep %s RECORDING", name, r.ID)
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

func (c *Command) rulesCommand() *cobra.Command {
	command := &cobra.Command{
		Use:               "rules [flags] [FAMILY|PREFIX|ID|NAME...]",
		Short:             "list the rules",
		Example:           name + " rules\n" + name + " rules framing\n" + name + " rules --format json",
		ValidArgsFunction: completeWith(ruleCompletions),
	}
	format := choiceFlag(command.Flags(), "format", "FORMAT", "text, json or markdown", []string{"text", "json", "markdown"})
	var o looksFlags
	o.define(command.Flags())
	command.RunE = func(_ *cobra.Command, operands []string) error {
		all, wanted := rules.Catalog(), map[*lint.Rule]bool{}
		for _, operand := range operands {
			found := all.Select(operand)
			if len(found) == 0 {
				return unknownWord("rule", operand, all.Words(), "rules")
			}
			for _, r := range found {
				wanted[r] = true
			}
		}
		isLeftOut := func(r *lint.Rule) bool { return len(operands) > 0 && !wanted[r] }
		selected := slices.DeleteFunc(slices.Clone(all.Rules), isLeftOut) // in their order in the catalog
		switch format.value {
		case "json":
			return c.printJSON(catalogue(selected))
		case "text":
			return c.print(rulesText(selected, c.looks(&o, c.Stdout, false)))
		}
		table := "| Rule | Name | Severity | Applies to | Fix | Finds |\n|---|---|---|---|---|---|\n"
		for _, r := range selected {
			table += fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", r.ID, r.Name, r.SeverityText(),
				strings.Join(r.Inputs.Names(), ", "), strings.Join(r.Fixes.Names(), ", "), strings.ReplaceAll(r.Summary, "|", `\|`))
		}
		return c.print(table)
	}
	return command
}

// rulesText lists rules under the names of their families, one per line. On a
// narrow terminal their summaries are wrapped, or on separate lines.
func rulesText(all []*lint.Rule, looks report.Options) string {
	const gap, least, indent = 2, 30, "    "
	paint := ink.Ink(looks.Color)
	idWidth, nameWidth := 0, 0
	for _, r := range all {
		idWidth, nameWidth = max(idWidth, len(r.ID)), max(nameWidth, len(r.Name))
	}
	column := idWidth + nameWidth + len("warning") + 3*gap
	var b strings.Builder
	for _, f := range rules.Catalog().Families {
		family := slices.DeleteFunc(slices.Clone(all), func(r *lint.Rule) bool { return !strings.HasPrefix(r.ID, f.Prefix) })
		if len(family) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s\n", paint.Bold(f.Name+" ("+f.Prefix+")"))
		for _, r := range family {
			id := paint.Bold(r.ID)
			if looks.RulePage != nil {
				id = ink.Link(looks.RulePage(r), id)
			}
			fmt.Fprintf(&b, "%s%*s%-*s%s", id, idWidth-len(r.ID)+gap, "", nameWidth+gap, r.Name, severityText(paint, r.Severity, r.Severity.String()))
			switch {
			case looks.Width <= 0:
				fmt.Fprintf(&b, "%*s%s\n", column-idWidth-nameWidth-2*gap-len(r.Severity.String()), "", r.Summary)
			case looks.Width-column < least:
				b.WriteString("\n" + wrapTo(r.Summary, indent, indent, looks.Width))
			default:
				hang := strings.Repeat(" ", column)
				b.WriteString(hang[idWidth+nameWidth+2*gap+len(r.Severity.String()):])
				b.WriteString(strings.TrimLeft(wrapTo(r.Summary, hang, hang, looks.Width), " "))
			}
		}
	}
	return b.String()
}

// fixText returns the kinds of fixes of a rule for the line about it, or "".
func fixText(r *lint.Rule) string {
	if r.Fixes == 0 {
		return ""
	}
	return ", fix: " + r.Fixes.String()
}

// ruleEntry is a rule as "rules --format json" shows it.
type ruleEntry struct {
	ID         string                   `json:"id"`
	Name       string                   `json:"name"`
	Protocol   string                   `json:"protocol"`
	Severity   lint.Severity            `json:"severity"`
	Severities map[string]lint.Severity `json:"severities,omitempty"` // by dialect
	Cases      []lint.SeverityCase      `json:"cases,omitempty"`      // all in which the severity differs
	Inputs     lint.Inputs              `json:"inputs"`
	Fixes      []string                 `json:"fixes"` // safe, unsafe
	Summary    string                   `json:"summary"`
	Rationale  string                   `json:"rationale"`
	Evidence   []string                 `json:"evidence"`
	Requires   []string                 `json:"requirements"` // ids of what it checks
	Bad        []lint.Example           `json:"bad"`
	Good       []lint.Example           `json:"good"`
}

func catalogue(all []*lint.Rule) []ruleEntry {
	withText := func(examples []lint.Example) []lint.Example {
		examples = slices.Clone(examples)
		for i := range examples {
			examples[i].Input = examples[i].Text()
		}
		return examples
	}
	entries := make([]ruleEntry, 0, len(all))
	for _, r := range all {
		severities := map[string]lint.Severity{} // that depend on the dialect alone
		for _, c := range r.Severities {
			if c.Dialect != "" && c.Inputs == 0 && c.When == "" {
				severities[c.Dialect] = c.Severity
			}
		}
		entries = append(entries, ruleEntry{
			ID: r.ID, Name: r.Name, Protocol: r.ProtocolName(),
			Severity: r.Severity, Severities: severities, Cases: r.Severities, Inputs: r.Inputs, Fixes: append([]string{}, r.Fixes.Names()...),
			Summary: r.Summary, Rationale: r.Rationale, Evidence: append([]string{}, r.Evidence...), Requires: append([]string{}, r.Requirements...),
			Bad: withText(r.Bad), Good: withText(r.Good),
		})
	}
	return entries
}

// otherSchemas are the schemas that belong to no dialect, with their titles.
var otherSchemas = [][2]string{
	{"report", "The report of --format json"},
	{"diff", "The report of diff --format json"},
	{"config", "A configuration file"},
	{"suite", "The manifest of the conformance suite"},
	{"suite-report", "The report of suite run --format json"},
}

func (c *Command) schemaCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "schema [flags] [NAME]",
		Short: "list the JSON Schemas, or print one",
		Example: name + " schema chunk --dialect docs > chunk.schema.json\n" +
			name + " schema message --protocol workbench\n" + name + " schema report",
		Args: operands(0, 1, "schema prints one schema at a time"),
	}
	command.ValidArgsFunction = func(command *cobra.Command, before []string, text string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(before) > 0 {
			return cobra.NoFileCompletions(command, before, text)
		}
		return completeWith(schemaCompletions)(command, before, text)
	}
	flags := command.Flags()
	protocol := choiceFlag(flags, "protocol", "NAME", "lmc or workbench", protocolNames())
	dialect := choiceFlag(flags, "dialect", "NAME", "dialect of the schema", schema.Names())
	command.RunE = func(_ *cobra.Command, operands []string) error {
		switch {
		case len(operands) == 0:
			return c.listSchemas()
		case protocol.value == schema.WorkbenchProtocol:
			return c.printSchema(operands[0], schema.WorkbenchProtocol, schema.WorkbenchNames())
		}
		return c.printSchema(operands[0], dialect.value, schema.PublishedNames())
	}
	return command
}

func (c *Command) listSchemas() error {
	published, err := schema.Published()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NAME\tPROTOCOL\tDIALECT\tTITLE")
	for _, s := range published {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Protocol, cmp.Or(s.Dialect, "-"), s.Title)
	}
	for _, s := range otherSchemas {
		_, _ = fmt.Fprintf(w, "%s\t-\t-\t%s\n", s[0], s[1])
	}
	_ = w.Flush() // a bytes.Buffer does not fail
	return c.print(b.String())
}

// printSchema prints a schema from a folder that has schemas of the given names.
func (c *Command) printSchema(schemaName, folder string, names []string) error {
	for _, s := range otherSchemas {
		if names = append(names, s[0]); s[0] == schemaName {
			folder = ""
		}
	}
	if !slices.Contains(names, schemaName) {
		return unknownWord("schema", schemaName, names, "schema")
	}
	text, err := schema.Source(schemaName, folder)
	if err != nil {
		return err
	}
	return c.print(string(text))
}
