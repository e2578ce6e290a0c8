package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// explicitCompletion returns the arguments of a completion request with check
// as the command, if no other one is named and the word to complete, the last
// one, cannot be the name of a command. It defines the completions of all flags.
func explicitCompletion(root *cobra.Command, args []string) []string {
	for _, command := range root.Commands() {
		completeFlags(command)
		for _, subcommand := range command.Commands() {
			completeFlags(subcommand)
		}
	}
	request, line := args[0], args[1:]
	if len(line) == 0 || isCommand(root, line[0]) && len(line) > 1 || len(line) == 1 && !strings.HasPrefix(line[0], "-") {
		return args
	}
	return append([]string{request, "check"}, line...)
}

// completeFlags defines the completions of a command's flags.
func completeFlags(command *cobra.Command) {
	command.Flags().VisitAll(func(f *pflag.Flag) {
		if err := command.RegisterFlagCompletionFunc(f.Name, completeValue(f)); err != nil {
			panic(err) // the flag is defined twice
		}
	})
}

// completeValue returns the completion of a flag's value.
func completeValue(f *pflag.Flag) cobra.CompletionFunc {
	switch value := f.Value.(type) {
	case *choice:
		return completeWith(func() []cobra.Completion { return value.allowed })
	case *targets:
		return completeWith(func() []cobra.Completion { return words(report.Formats()) })
	}
	shown, _ := pflag.UnquoteUsage(f)
	switch {
	case shown == "RULES":
		return completeWith(ruleCompletions)
	case slices.Contains([]string{"FILE", "DIR", "PATH"}, shown):
		return completeFiles
	}
	return cobra.NoFileCompletions
}

// completeFiles completes the names of files.
func completeFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// completeWith completes words. If the text is a list separated by commas, its
// last word is completed. Upper and lower case are the same.
func completeWith(list func() []cobra.Completion) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, text string) ([]cobra.Completion, cobra.ShellCompDirective) {
		comma := strings.LastIndexByte(text, ',') + 1
		head, word := text[:comma], strings.ToLower(text[comma:])
		var found []cobra.Completion
		for _, each := range list() {
			if !strings.HasPrefix(strings.ToLower(each), word) {
				continue
			}
			if head != "" { // cobra's script for bash omits words with a comma and a description
				each, _, _ = strings.Cut(each, "\t")
			}
			found = append(found, head+each)
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

func commandCompletions(root *cobra.Command) (list []cobra.Completion) {
	for _, command := range root.Commands() {
		if !command.Hidden { // cobra adds one to complete words
			list = append(list, cobra.CompletionWithDesc(command.Name(), command.Short))
		}
	}
	return list
}

// ruleCompletions are the ids and the names of the rules with their summaries,
// and the other selectors.
func ruleCompletions() (list []cobra.Completion) {
	catalog := rules.Catalog()
	known := map[string]bool{}
	for _, r := range catalog.Rules {
		list = append(list, cobra.CompletionWithDesc(r.ID, r.Name+": "+r.Summary), cobra.CompletionWithDesc(r.Name, r.ID+": "+r.Summary))
		known[strings.ToLower(r.ID)], known[strings.ToLower(r.Name)] = true, true
	}
	for _, word := range catalog.Words() {
		if !known[strings.ToLower(word)] {
			list = append(list, word)
		}
	}
	return list
}

func schemaCompletions() (list []cobra.Completion) {
	published, err := schema.Published()
	if err != nil {
		return nil // the command itself reports it
	}
	seen := map[string]bool{}
	for _, s := range published {
		if !seen[s.Name] {
			seen[s.Name] = true
			list = append(list, cobra.CompletionWithDesc(s.Name, s.Title))
		}
	}
	for _, s := range otherSchemas {
		list = append(list, cobra.CompletionWithDesc(s[0], s[1]))
	}
	return list
}
