package main

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

const (
	helpColumns   = 80
	exitHelp      = "Exit status: 0 clean, 1 findings at or above --fail-on, 2 check failed."
	checkOperands = "[flags] PATH|GLOB|-..."
)

func (c *Command) helpCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "help [flags] [COMMAND]",
		Short:   "show help for a command",
		Example: name + " help check",
	}
	command.ValidArgsFunction = completeWith(func() []cobra.Completion { return commandCompletions(command.Root()) })
	all := command.Flags().Bool("all", false, "show the rarely used flags, too")
	command.RunE = func(_ *cobra.Command, operands []string) error {
		target, err := commandAt(command.Root(), operands, "help explains")
		if err != nil {
			return err
		}
		return c.print(helpText(target, *all))
	}
	return command
}

// commandAt returns the command that the operands name, root for none.
func commandAt(root *cobra.Command, operands []string, does string) (*cobra.Command, error) {
	target, rest, err := root.Find(operands)
	switch {
	case len(operands) > 0 && target == root && isRule(operands[0]):
		return nil, ruleOperand(operands[0])
	case err != nil || target == root && len(rest) > 0:
		return nil, unknownWord("command", operands[0], commandNames(root), "help")
	case len(rest) > 0:
		return nil, usagef("%s one command at a time", does)
	}
	return target, nil
}

// helpText explains a command, with all its flags or with the everyday ones.
func helpText(command *cobra.Command, all bool) string {
	if !command.HasParent() {
		return generalHelp(command, all)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n\nUsage:\n  %s\n", capital(command.Short), command.UseLine())
	if command.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", command.Long)
	}
	shown, rare := splitFlags(command, all)
	b.WriteString(underHeadings(shown))
	if len(rare) > 0 {
		b.WriteString("\n" + wrapTo("More flags ("+name+" help --all "+command.Name()+"): "+strings.Join(rare, ", "), "", "  ", helpColumns))
	}
	if command.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n  %s\n", strings.ReplaceAll(command.Example, "\n", "\n  "))
	}
	return b.String()
}

// rareCommands are for programs, packagers and developers: only the full help lists
// them.
var rareCommands = []string{"schema", "suite", "completion", "man", "help"}

// generalHelp lists the commands and the flags of check, all of them or those of
// every day.
func generalHelp(root *cobra.Command, all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `%[1]s lints recorded LMC and Semantic Workbench conversations.

Usage:
  %[1]s [check] %[2]s
  %[1]s COMMAND [arguments]

Commands:
`, name, checkOperands)
	commands := commandsOf(root)
	for _, command := range commands {
		if all || !slices.Contains(rareCommands, command.Name()) {
			fmt.Fprintf(&b, "  %-10s  %s\n", command.Name(), command.Short)
		}
	}
	everyday, _ := splitFlags(commands[0], false)
	b.WriteString(underHeadings(everyday))
	fmt.Fprintf(&b, "\n%[2]s\nMore: %[1]s help COMMAND; all commands: %[1]s help --all;\nall flags: %[1]s help --all check\n", name, exitHelp)
	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// groupKey is the annotation of flags with their heading in the help, and, after
// it, rareFlag if the help omits them unless all are asked for.
const (
	groupKey = "group"
	rareFlag = "rare"
)

// group puts flags under a heading of the help.
func group(flags *pflag.FlagSet, heading string, everyday, rare []string) {
	for i, names := range [][]string{everyday, rare} {
		for _, name := range names {
			if err := flags.SetAnnotation(name, groupKey, []string{heading, rareFlag}[:i+1]); err != nil {
				panic(err) // the flag is not defined
			}
		}
	}
}

// splitFlags returns the flags that the help shows, and the names of the rare
// ones unless all are shown.
func splitFlags(command *cobra.Command, all bool) (shown *pflag.FlagSet, rare []string) {
	shown = pflag.NewFlagSet(command.Name(), pflag.ContinueOnError)
	shown.SortFlags = false
	command.Flags().VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden || f.Name == "help":
		case !all && slices.Contains(f.Annotations[groupKey], rareFlag):
			rare = append(rare, "--"+f.Name)
		default:
			shown.AddFlag(f)
		}
	})
	return shown, rare
}

// underHeadings lists flags under their headings, in the order of the first
// flag of each. Flags without a heading are listed under "Flags".
func underHeadings(flags *pflag.FlagSet) string {
	lines := strings.SplitAfter(flags.FlagUsages(), "\n")
	var headings []string
	sections := map[string]string{}
	flags.VisitAll(func(f *pflag.Flag) {
		heading := "Flags"
		if named := f.Annotations[groupKey]; len(named) > 0 {
			heading = named[0]
		}
		if !slices.Contains(headings, heading) {
			headings = append(headings, heading)
		}
		sections[heading] += lines[0]
		lines = lines[1:]
	})
	var b strings.Builder
	for i, heading := range headings {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(heading + ":\n" + sections[heading])
	}
	return b.String()
}

// wrapTo breaks text at spaces, to a number of columns, with an indent for its first
// line and one for the others. Line ends in the text are spaces, but an empty line stays.
func wrapTo(text, first, others string, columns int) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteString("\n")
			first = others
		}
		for _, line := range ink.Wrap(strings.Fields(paragraph), columns-len(first), columns-len(others)) {
			b.WriteString(first + line + "\n")
			first = others
		}
	}
	return b.String()
}

// manual has the page of each command, without the line about the version, as
// cobra's generator writes it. It is generated before the program is built: the
// generator compiles its patterns at each start of a program that has it.
//
//go:embed manual/*.1
var manual embed.FS

func (c *Command) manCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "man [COMMAND]",
		Short:   "print the manual page",
		Long:    "Without COMMAND, prints " + name + "(1): the default command and what all share.",
		Example: name + " man > /usr/local/share/man/man1/" + name + ".1",
	}
	command.ValidArgsFunction = completeWith(func() []cobra.Completion { return commandCompletions(command.Root()) })
	command.RunE = func(_ *cobra.Command, operands []string) error {
		target, err := commandAt(command.Root(), operands, "man prints the page of")
		if err != nil {
			return err
		}
		return c.printManual(target)
	}
	return command
}

// manualFile is the name of the page of a command.
func manualFile(command *cobra.Command) string { return "manual/" + manualName(command) + ".1" }

func manualName(command *cobra.Command) string {
	return strings.ReplaceAll(command.CommandPath(), " ", "-")
}

// printManual prints the manual page of a command, with the version and the date
// of this build.
func (c *Command) printManual(command *cobra.Command) error {
	page, err := manual.ReadFile(manualFile(command))
	if err != nil {
		return fmt.Errorf("read the manual page: %w", err)
	}
	b := currentBuild()
	footer := b.Version
	if len(footer) > 20 { // a pseudo-version is too wide for the footer; its end is the commit
		footer = footer[strings.LastIndexByte(footer, '-')+1:]
	}
	date := time.Now()
	if day, err := time.Parse(time.RFC3339, b.Date); err == nil {
		date = day
	}
	title := fmt.Sprintf(".TH %q \"1\" %q %q \"User Commands\"\n", strings.ToUpper(manualName(command)), date.Format("Jan 2006"), name+" "+footer)
	_, err = c.Stdout.Write(bytes.Replace(page, []byte(manualTitle), []byte(title), 1))
	return err
}

// manualTitle is the line of an embedded page that printManual replaces with the title,
// which has the version and the date.
const manualTitle = ".TH\n"

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
