package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

func explainCommand() command {
	return command{
		name:     "explain",
		operands: "ID|NAME|PREFIX...",
		summary:  "explain a rule: what it finds, why, and examples",
		about:    "The beginning of an id, such as LMC3, lists the rules that it fits.",
		examples: []string{name + " explain LMC301", name + " explain unconfirmed-execution"},
		setup: func(*pflag.FlagSet) action {
			return func(c *Command, operands []string) error {
				if len(operands) == 0 {
					return &usageError{message: "explain needs the id or the name of a rule", command: "explain"}
				}
				return c.explain(rules.All(), operands)
			}
		},
	}
}

func (c *Command) explain(all []*lint.Rule, operands []string) error {
	var parts []string
	for _, operand := range operands {
		part, err := explanation(all, operand)
		if err != nil {
			return err
		}
		parts = append(parts, part)
	}
	return c.print(strings.Join(parts, "\n"))
}

// explanation explains one rule, or lists those whose id begins that way.
func explanation(all []*lint.Rule, operand string) (string, error) {
	for _, r := range all {
		if strings.EqualFold(operand, r.ID) || strings.EqualFold(operand, r.Name) {
			return explainRule(r), nil
		}
	}
	prefix := strings.ToUpper(operand)
	matching := slices.DeleteFunc(slices.Clone(all), func(r *lint.Rule) bool {
		return prefix == "" || !strings.HasPrefix(r.ID, prefix)
	})
	if len(matching) > 0 {
		return rulesText(matching), nil
	}
	return "", unknownWord("rule", operand, ruleWords(all))
}

// ruleWords lists what a rule can be called, names first: a misspelled id is
// near to many others.
func ruleWords(all []*lint.Rule) []string {
	var names, ids []string
	for _, r := range all {
		names = append(names, r.Name)
		ids = append(ids, r.ID)
	}
	return append(names, ids...)
}
