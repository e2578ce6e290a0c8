package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

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
