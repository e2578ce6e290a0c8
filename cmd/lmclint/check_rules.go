package main

import (
	"errors"
	"fmt"

	"github.com/lmclint/lmclint/lint"
)

// layer is what the command line says about rules.
func (o *checkFlags) layer() lint.Layer {
	return lint.Layer{
		Select:       selectors("--select", o.selected),
		ExtendSelect: selectors("--extend-select", o.extended),
		Ignore:       selectors("--ignore", o.ignored),
	}
}

func selectors(flag string, words []string) []lint.Selector {
	var list []lint.Selector
	for _, word := range words {
		list = append(list, lint.Selector{Text: word, Origin: flag})
	}
	return list
}

// selectorError adds to an error of an unknown rule what was probably meant.
func selectorError(catalogue lint.Catalog, err error) error {
	var unknown *lint.UnknownRuleError
	if !errors.As(err, &unknown) {
		return err
	}
	known := unknownWord("rule", unknown.Selector.Text, catalogue.Words(), "rules")
	return fmt.Errorf("%s: %w", unknown.Selector.Origin, known)
}
