package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

func plainWords(words []string) (list []suggestion) {
	for _, word := range words {
		list = append(list, suggestion{word: word})
	}
	return list
}

func commandSuggestions() (list []suggestion) {
	for _, cmd := range commands() {
		list = append(list, suggestion{cmd.name, cmd.summary})
	}
	return list
}

func flagSuggestions(flags *pflag.FlagSet) suggestions {
	var s suggestions
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			_, usage := pflag.UnquoteUsage(f)
			s.list = append(s.list, suggestion{"--" + f.Name, usage})
		}
	})
	s.list = append(s.list, suggestion{"--help", "explain the command"})
	return s
}

// ruleSuggestions are the ids and the names of the rules with what they find,
// and the other words that stand for rules.
func ruleSuggestions() (list []suggestion) {
	catalogue := rules.Catalogue()
	for _, r := range catalogue.Rules {
		list = append(list, suggestion{r.ID, r.Name + ": " + r.Summary}, suggestion{r.Name, r.ID + ": " + r.Summary})
	}
	for _, word := range catalogue.Words() {
		if !slices.ContainsFunc(list, func(s suggestion) bool { return strings.EqualFold(s.word, word) }) {
			list = append(list, suggestion{word: word})
		}
	}
	return list
}

// assignments are what --config may set to one of a few words.
func assignments() (list []suggestion) {
	flags := pflag.NewFlagSet("check", pflag.ContinueOnError)
	defineCheckFlags(flags)
	for _, key := range config.ValueKeys() {
		var words []string
		if _, ok := key.Default.(bool); ok {
			words = []string{"true", "false"}
		} else if f := flags.Lookup(key.Name); f != nil {
			if c, ok := f.Value.(*choice); ok {
				words = c.allowed
			}
		}
		for _, word := range words {
			list = append(list, suggestion{word: key.Name + "=" + word})
		}
	}
	return list
}

func schemaSuggestions() (list []suggestion) {
	published, err := schema.Published()
	if err != nil {
		return nil // the command itself says so
	}
	for _, s := range published {
		if !slices.ContainsFunc(list, func(other suggestion) bool { return other.word == s.Name }) {
			list = append(list, suggestion{s.Name, s.Title})
		}
	}
	return append(list, suggestion{reportSchema, "The report that --format json writes"})
}
