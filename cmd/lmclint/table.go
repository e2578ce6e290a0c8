package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/spelling"
)

// command is one row of the table of commands.
type command struct {
	name     string
	operands string // for the usage line
	summary  string // one line, no full stop
	about    string // what else to know; may be empty
	examples []string
	raw      bool // its arguments are not parsed: they may be flags of others

	// setup defines the flags and returns what is to be done with them.
	setup func(*pflag.FlagSet) action

	// group, if not nil, puts the flags under headings of the help.
	group func(*pflag.FlagSet)
}

// action does a command's work after its flags have been parsed.
type action func(c *Command, operands []string) error

// commands lists the commands, the default first.
func commands() []command {
	return []command{
		checkCommand(),
		rulesCommand(),
		explainCommand(),
		assembleCommand(),
		statsCommand(),
		schemaCommand(),
		configCommand(),
		completionCommand(),
		manCommand(),
		versionCommand(),
		helpCommand(),
	}
}

func commandNames() []string {
	var names []string
	for _, cmd := range commands() {
		names = append(names, cmd.name)
	}
	return names
}

func lookup(name string) (command, bool) {
	all := append(commands(), suggestCommand())
	i := slices.IndexFunc(all, func(cmd command) bool { return cmd.name == name })
	if i < 0 {
		return command{}, false
	}
	return all[i], true
}

// choose finds the command that the first argument names, or else the default
// one, and its arguments.
func choose(args []string) (command, []string, error) {
	if cmd, ok := lookup(args[0]); ok {
		return cmd, args[1:], nil
	}
	switch args[0] {
	case "-h", "--help":
		cmd, _ := lookup("help")
		return cmd, args[1:], nil
	case "--version":
		cmd, _ := lookup("version")
		return cmd, args[1:], nil
	}
	if looksLikeCommand(args[0]) {
		return command{}, nil, unknownCommand(args[0])
	}
	return commands()[0], args, nil
}

// looksLikeCommand reports whether an argument is rather a misspelled command
// than a file: a bare word that no file has for a name.
func looksLikeCommand(arg string) bool {
	return strings.Trim(arg, "abcdefghijklmnopqrstuvwxyz") == "" && arg != "" && !exists(arg)
}

func unknownCommand(arg string) error {
	return &usageError{message: "no command and no file is called " + quote(arg) + spelling.DidYouMean(arg, commandNames())}
}
