package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// usageError says that the command line makes no sense.
type usageError struct {
	message string
	command string // whose help to read, "" for the general one
}

func (e *usageError) Error() string { return e.message }

// help is the command line that explains the right use.
func (e *usageError) help() string {
	return strings.TrimSpace(name + " help " + e.command)
}

// shortUsage is what a call without arguments gets.
func shortUsage() string {
	return fmt.Sprintf(`Usage: %[1]s [flags] PATH|GLOB|-...
       %[1]s COMMAND [arguments]

Commands: %[2]s. Run "%[1]s help" for more.
`, name, strings.Join(commandNames(), ", "))
}

// generalHelp lists the commands.
func generalHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, `%[1]s checks recordings of LMC and Semantic Workbench conversations.

Usage:
  %[1]s [check] [flags] PATH|GLOB|-...
  %[1]s COMMAND [arguments]

Commands:
`, name)
	for _, cmd := range commands() {
		fmt.Fprintf(&b, "  %-10s %s\n", cmd.name, cmd.summary)
	}
	fmt.Fprintf(&b, `
Examples:
  %[1]s conversation.json recordings/
  %[1]s explain LMC301

%s
Run "%[1]s help COMMAND" for its flags.
`, name, exitHelp)
	return b.String()
}

const exitHelp = `Exit status: 0 clean, 1 findings, 2 the result cannot be trusted.
`

// commandHelp explains one command, with its rare flags if all are asked for.
func commandHelp(cmd command, flags *pflag.FlagSet, all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", capital(cmd.summary)+".", strings.TrimSpace(name+" "+cmd.name+" "+cmd.operands))
	if cmd.about != "" {
		fmt.Fprintf(&b, "\n%s\n", cmd.about)
	}
	if cmd.group != nil {
		cmd.group(flags)
	}
	b.WriteString(flagUsages(flags, cmd.name, all))
	fmt.Fprintf(&b, "\nExamples:\n")
	for _, example := range cmd.examples {
		fmt.Fprintf(&b, "  %s\n", example)
	}
	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func quote(s string) string { return strconv.Quote(s) }
