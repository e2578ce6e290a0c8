package main

import (
	"embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

//go:embed completions
var completions embed.FS

func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func completionCommand() command {
	return command{
		name:     "completion",
		operands: strings.Join(shells(), "|"),
		summary:  "print a script that completes the command line in a shell",
		about: `The script asks the program itself for commands, flags and their values, and
rules, so that it need not be made again.

  bash        source <(` + name + ` completion bash), in ~/.bashrc
  zsh         ` + name + ` completion zsh > DIR/_` + name + `, with DIR in $fpath
  fish        ` + name + ` completion fish > ~/.config/fish/completions/` + name + `.fish
  powershell  ` + name + ` completion powershell | Out-String | Invoke-Expression`,
		examples: []string{name + " completion bash"},
		setup: func(*pflag.FlagSet) action {
			return func(c *Command, operands []string) error {
				if len(operands) != 1 {
					return &usageError{message: "completion is for one shell: " + spelling.AnyOf(shells()), command: "completion"}
				}
				script, err := completions.ReadFile("completions/" + name + "." + operands[0])
				if err != nil {
					return unknownWord("shell", operands[0], shells(), "help completion")
				}
				return c.print(string(script))
			}
		},
	}
}

// suggestCommandName is what the completion scripts call.
const suggestCommandName = "__complete"

// suggestion is a word that a shell may complete to.
type suggestion struct{ word, about string }

// suggestions are what a shell may offer for a word.
type suggestions struct {
	list  []suggestion
	files bool // and the names of files
	colon bool // a file may follow a word behind a colon
	typed bool // the list is for a word that was begun
}

// suggestCommand is how the completion scripts ask. Its arguments are the words
// of the command line up to the cursor, without the program; the last one is
// the one to be completed, with an equals sign before it, so that it is never
// empty. The answer is a word and what it means a line, and on the last line
// ":files" if files are meant as well, or ":words".
func suggestCommand() command {
	return command{
		name:    suggestCommandName,
		summary: "answer the completion scripts",
		raw:     true,
		setup: func(*pflag.FlagSet) action {
			return func(c *Command, args []string) error {
				if len(args) == 0 {
					return &usageError{message: "the completion scripts call " + suggestCommandName}
				}
				last := len(args) - 1
				return c.print(suggest(args[:last], strings.TrimPrefix(args[last], "=")).String())
			}
		},
	}
}

// suggest completes a word behind others.
func suggest(before []string, word string) suggestions {
	cmd, given := commands()[0], before
	if len(before) > 0 {
		if named, ok := lookup(before[0]); ok {
			cmd, given = named, before[1:]
		}
	}
	flags := newFlags(cmd)
	cmd.setup(flags)
	if len(given) > 0 {
		if f := flagBefore(flags, given[len(given)-1]); f != nil {
			return valuesOf(f).complete("", word)
		}
	}
	if head, value, found := strings.Cut(word, "="); found && strings.HasPrefix(head, "--") {
		if f := flags.Lookup(head[2:]); f != nil {
			return valuesOf(f).complete(head+"=", value)
		}
	}
	if strings.HasPrefix(word, "-") {
		return flagSuggestions(flags).complete("", word)
	}
	offered := operandsOf(cmd, given)
	if len(before) == 0 {
		offered.list = append(commandSuggestions(), offered.list...)
	}
	return offered.complete("", word)
}

// flagBefore returns the flag whose value a word behind another one is, nil if
// it is none.
func flagBefore(flags *pflag.FlagSet, word string) *pflag.Flag {
	long, isLong := strings.CutPrefix(word, "--")
	if !isLong || long == "" {
		return nil
	}
	f := flags.Lookup(long)
	if f == nil || f.NoOptDefVal != "" {
		return nil
	}
	return f
}

// valuesOf returns what a flag takes.
func valuesOf(f *pflag.Flag) suggestions {
	switch value := f.Value.(type) {
	case *choice:
		return suggestions{list: plainWords(value.allowed)}
	case *targets:
		return suggestions{list: plainWords(formatNames()), colon: true}
	}
	shown, _ := pflag.UnquoteUsage(f)
	switch {
	case f.Name == "config":
		return suggestions{list: assignments(), files: true, typed: true}
	case shown == "RULES":
		return suggestions{list: ruleSuggestions()}
	case slices.Contains([]string{"FILE", "DIR", "PATH"}, shown):
		return suggestions{files: true}
	}
	return suggestions{}
}

// alternation is how the table writes operands of which one is to be chosen.
var alternation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[a-z]+(\|[a-z]+)+\b`)
})

// operandsOf returns what may stand behind a command and some words of it.
func operandsOf(cmd command, given []string) suggestions {
	switch cmd.name {
	case "help":
		return suggestions{list: commandSuggestions()}
	case "explain":
		return suggestions{list: ruleSuggestions()}
	case "schema":
		return suggestions{list: schemaSuggestions()}
	}
	words := strings.Split(alternation().FindString(cmd.operands), "|")
	chosen := func(word string) bool { return slices.Contains(words, word) }
	if words[0] != "" && !slices.ContainsFunc(given, chosen) {
		return suggestions{list: plainWords(words)}
	}
	return suggestions{files: strings.Contains(cmd.operands, "...")}
}

// complete keeps what begins with a word. Of a list with commas the last word
// counts, and behind the format of a report the name of its file.
func (s suggestions) complete(head, word string) suggestions {
	if s.colon && strings.Contains(word, ":") {
		return suggestions{files: true}
	}
	if comma := strings.LastIndexByte(word, ','); comma >= 0 {
		head, word = head+word[:comma+1], word[comma+1:]
	}
	kept := suggestions{files: s.files}
	if s.typed && word == "" {
		return kept
	}
	for _, each := range s.list {
		if strings.HasPrefix(strings.ToLower(each.word), strings.ToLower(word)) {
			kept.list = append(kept.list, suggestion{head + each.word, each.about})
		}
	}
	return kept
}

func (s suggestions) String() string {
	var b strings.Builder
	for _, each := range s.list {
		b.WriteString(each.word + "\t" + each.about + "\n")
	}
	if s.files {
		b.WriteString(":files\n")
	} else {
		b.WriteString(":words\n")
	}
	return b.String()
}

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
