package main

import (
	"embed"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/spelling"
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
