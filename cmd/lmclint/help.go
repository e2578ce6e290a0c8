package main

import (
	"github.com/spf13/pflag"
)

func helpCommand() command {
	return command{
		name:     "help",
		operands: "[flags] [COMMAND]",
		summary:  "explain a command",
		examples: []string{name + " help check"},
		setup: func(flags *pflag.FlagSet) action {
			all := flags.Bool("all", false, "explain the rare flags, too")
			return func(c *Command, operands []string) error { return c.help(operands, *all) }
		},
	}
}

func (c *Command) help(operands []string, all bool) error {
	switch len(operands) {
	case 0:
		return c.print(generalHelp())
	case 1:
	default:
		return &usageError{message: "help explains one command at a time", command: "help"}
	}
	cmd, ok := lookup(operands[0])
	if !ok {
		return unknownWord("command", operands[0], commandNames(), "help")
	}
	flags := newFlags(cmd)
	cmd.setup(flags)
	return c.print(commandHelp(cmd, flags, all))
}
