package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

const name = "lmclint"

// The exit statuses. The highest one that applies is used. They do not depend
// on the report format.
const (
	exitClean       = 0   // checked, nothing at or above --fail-on
	exitFindings    = 1   // findings at or above --fail-on
	exitTrouble     = 2   // the check failed or is incomplete: usage, input, output or internal error
	exitInterrupted = 130 // stopped by SIGINT; findings up to then are reported
	exitTerminated  = 143 // stopped by SIGTERM; findings up to then are reported
)

// statusError ends a command with an exit status. Its message has been printed.
type statusError int

func (s statusError) Error() string { return "exit status " + strconv.Itoa(int(s)) }

// interruption returns the exit status of a command that a signal ended, and
// whether the error says so.
func interruption(err error) (status statusError, ok bool) {
	stopped, ok := errors.AsType[*interrupt.Error](err)
	switch {
	case !ok:
		return 0, false
	case stopped.Signal == syscall.SIGTERM:
		return exitTerminated, true
	}
	return exitInterrupted, true
}

// usageError is a mistake in the command line.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// Command is the program with everything it reads and writes, so that a test
// can run it within its own process.
type Command struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string // nil for an empty environment

	isTooWide bool // a width above the maximum was reported
}

// Main runs the program with its arguments, without the program's name, and
// returns the exit status.
func (c *Command) Main(args []string) int {
	command, err := c.execute(args)
	return c.status(command, err)
}

// execute runs the command that the arguments name and returns it.
func (c *Command) execute(args []string) (command *cobra.Command, err error) {
	defer recoverPanic(&err)
	root := c.newRoot()
	if len(args) == 0 {
		c.printStderr(fmt.Sprintf("Usage: %[1]s %[2]s\n       %[1]s COMMAND [arguments]\n\nCommands: %[3]s. Run \"%[1]s help\" for more.\n",
			name, checkOperands, strings.Join(commandNames(root), ", ")))
		if _, ok := terminal(c.Stdin); !ok {
			c.printStderr("Standard input is read only if - names it, as in: cat stream.jsonl | " + name + " -\n")
		}
		return root, statusError(exitTrouble)
	}
	if args, err = explicit(root, args); err != nil {
		return root, err
	}
	var failed error
	root.SetHelpFunc(func(command *cobra.Command, _ []string) { failed = c.print(helpText(command, false)) })
	root.SetArgs(args)
	if command, err = root.ExecuteC(); err != nil {
		return command, err
	}
	return command, failed
}

// newRoot returns the program's command with its subcommands.
func (c *Command) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:               name,
		Short:             "lint recorded LMC and Semantic Workbench conversations",
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableNoDescFlag: true},
		ValidArgsFunction: completeFiles,
	}
	root.SetIn(c.Stdin)
	root.SetOut(c.Stdout)
	root.SetErr(c.Stderr)
	root.SetFlagErrorFunc(flagError)
	help := c.helpCommand()
	root.SetHelpCommand(help)
	root.AddCommand(
		c.checkCommand(), c.fixCommand(), c.explainCommand(), c.rulesCommand(), c.convertCommand(), c.reduceCommand(), c.diffCommand(),
		c.timelineCommand(), c.watchCommand(), c.proxyCommand(), c.configCommand(), c.versionCommand(),
		c.schemaCommand(), c.suiteCommand(), c.manCommand(), help,
	)
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Use = "completion bash|zsh|fish|powershell"
		completion.Long = name + " help completion SHELL says how to load the script."
		completion.RunE = func(*cobra.Command, []string) error {
			return usagef("completion needs the name of a shell: bash, zsh, fish or powershell")
		}
	}
	keepOrder(root)
	return root
}

// keepOrder lists the flags of commands in the order of their definition.
func keepOrder(root *cobra.Command) {
	for _, command := range root.Commands() {
		command.DisableFlagsInUseLine = true
		command.Flags().SortFlags = false
		keepOrder(command)
	}
}

// explicit returns the arguments with the name of the command first: check is
// the default command.
func explicit(root *cobra.Command, args []string) ([]string, error) {
	first := args[0]
	switch {
	case first == cobra.ShellCompRequestCmd || first == cobra.ShellCompNoDescRequestCmd:
		return explicitCompletion(root, args), nil
	case first == "--version":
		return append([]string{"version"}, args[1:]...), nil
	case first == "-h" || first == "--help" || isCommand(root, first):
		return args, nil
	case isRule(first):
		return nil, ruleOperand(first)
	case looksLikeCommand(first):
		return nil, usagef("no command or file named %q%s", first, spelling.DidYouMean(first, commandNames(root)))
	}
	return append([]string{"check"}, args...), nil
}

// isRule reports whether an argument is the id or name of a rule rather than a file.
func isRule(arg string) bool {
	catalog := rules.Catalog()
	return !exists(arg) && slices.ContainsFunc(catalog.Select(arg), func(r *lint.Rule) bool { return strings.EqualFold(r.ID, arg) || r.Name == arg })
}

// ruleOperand reports a rule where a file or a command is expected.
func ruleOperand(rule string) error {
	return usagef("no command or file named %q: %s explain %[1]s explains the rule, %[2]s --select %[1]s PATH checks it alone", rule, name)
}

func isCommand(root *cobra.Command, word string) bool {
	return slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) })
}

// looksLikeCommand reports whether an argument is more likely a misspelled
// command than a file: a lower-case word that is not the name of a file.
func looksLikeCommand(arg string) bool {
	return strings.Trim(arg, "abcdefghijklmnopqrstuvwxyz") == "" && arg != "" && !exists(arg)
}

// commandsOf returns the commands, check first.
func commandsOf(root *cobra.Command) []*cobra.Command {
	commands := root.Commands()
	i := slices.IndexFunc(commands, func(c *cobra.Command) bool { return c.Name() == "check" })
	return slices.Concat(commands[i:i+1], commands[:i], commands[i+1:])
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, command := range commandsOf(root) {
		names = append(names, command.Name())
	}
	return names
}

// operands returns a check of the number of operands. The message is that of
// the error if there are too few or too many; most is -1 for no limit.
func operands(least, most int, message string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return &usageError{message}
		}
		return nil
	}
}

// interruptible returns what runs a command with a context that SIGINT or SIGTERM cancels.
func interruptible(run func(ctx context.Context, operands []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, operands []string) error {
		ctx, stop := interrupt.Context(context.Background())
		defer stop()
		return run(ctx, operands)
	}
}

// withSubcommands returns a command that only has subcommands.
func withSubcommands(command *cobra.Command, subcommands ...*cobra.Command) *cobra.Command {
	var names []string
	for _, sub := range subcommands {
		names = append(names, sub.Name())
	}
	command.AddCommand(subcommands...)
	command.Args = func(_ *cobra.Command, operands []string) error {
		if len(operands) == 0 {
			return usagef("missing subcommand: expected %s", spelling.AnyOf(names))
		}
		return usagef("unknown subcommand %q: %v", operands[0], invalidChoice(operands[0], names))
	}
	command.RunE = func(*cobra.Command, []string) error { return nil } // Args fails
	return command
}

// status prints an error of a command and returns the exit status.
func (c *Command) status(command *cobra.Command, err error) int {
	var status statusError
	var usage *usageError
	var faults config.Faults
	var panicked *lint.PanicError
	switch {
	case err == nil, isClosedPipe(err):
		return exitClean
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &usage):
		c.printError(err)
		path := strings.TrimPrefix(strings.TrimPrefix(command.CommandPath(), name), " ")
		c.printStderr(fmt.Sprintf("Run %q for usage.\n", strings.TrimSpace(name+" help "+path)))
	case errors.As(err, &faults):
		for line := range strings.Lines(err.Error()) {
			c.printError(errors.New(strings.TrimSuffix(line, "\n")))
		}
	case errors.As(err, &panicked):
		c.printError(err)
		c.printStderr(string(panicked.Stack))
	default:
		c.printError(err)
		if status, ok := interruption(err); ok {
			return int(status)
		}
	}
	return exitTrouble
}

// env returns an environment variable, "" if it is not set.
func (c *Command) env(variable string) string {
	if c.Getenv == nil {
		return ""
	}
	return c.Getenv(variable)
}

// recoverPanic, deferred, turns a panic into an error.
func recoverPanic(err *error) {
	if value := recover(); value != nil {
		*err = &lint.PanicError{Value: value, Stack: debug.Stack()}
	}
}

// isClosedPipe reports whether the reader of our output closed it, which is
// not a failure.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
