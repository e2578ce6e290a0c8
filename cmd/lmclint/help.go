package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/show/ink"
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
