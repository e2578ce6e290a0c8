package main

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

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
