package main

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

func explainCommand() command {
	return command{
		name:     "explain",
		operands: "ID|NAME|PREFIX|FAMILY...",
		summary:  "explain a rule: what it finds, why, and examples",
		about:    "The beginning of an id, such as LMC3, or a family, such as framing, lists rules.",
		examples: []string{name + " explain LMC301", name + " explain unconfirmed-execution"},
		setup: func(flags *pflag.FlagSet) action {
			format := defineChoice(flags, "format", "FORMAT", "text, json or markdown", []string{"text", "json", "markdown"})
			return func(c *Command, operands []string) error {
				if len(operands) == 0 {
					return &usageError{message: "explain needs the id or the name of a rule", command: "explain"}
				}
				return c.explain(rules.Catalogue(), operands, format.value)
			}
		},
	}
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

// explainAs prints each rule whole, for other programs and for documents.
func (c *Command) explainAs(all lint.Catalog, operands []string, format string) error {
	var found []*lint.Rule
	for _, operand := range operands {
		selected, _ := all.Select(operand)
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

// explanation explains one rule, or lists those of a family or whose id begins
// that way.
func explanation(catalogue lint.Catalog, operand string) (string, error) {
	found, narrow := catalogue.Select(operand)
	switch {
	case len(found) == 0:
		return "", unknownWord("rule", operand, catalogue.Words(), "rules")
	case narrow == lint.ExactSpecificity:
		return explainRule(found[0]), nil
	}
	return rulesText(found), nil
}
