package main

import (
	"errors"
	"slices"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/spelling"
)

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value   string
	allowed []string
	shown   string // what help calls the value
	given   bool   // somebody set it
	open    bool   // other words may be allowed, too: who uses it has to check
}

// defineChoice defines a flag of which the first word is the default.
func defineChoice(flags *pflag.FlagSet, name, shown, usage string, allowed []string) *choice {
	c := &choice{value: allowed[0], allowed: allowed, shown: shown}
	flags.Var(c, name, usage)
	return c
}

// String implements [pflag.Value].
func (c *choice) String() string { return c.value }

// Type implements [pflag.Value].
func (c *choice) Type() string { return c.shown }

// Set implements [pflag.Value]. It fails on a word that is not allowed.
func (c *choice) Set(word string) error {
	if !c.open && !slices.Contains(c.allowed, word) {
		return invalidChoice(word, c.allowed)
	}
	c.value, c.given = word, true
	return nil
}

// or returns the word if it was given, or else another one unless that is
// empty.
func (c *choice) or(word string) string {
	if c.given || word == "" {
		return c.value
	}
	return word
}

// notAmong says what would have been right, and what was probably meant.
func invalidChoice(word string, allowed []string) error {
	return errors.New("want " + spelling.AnyOf(allowed) + spelling.DidYouMean(word, allowed))
}
