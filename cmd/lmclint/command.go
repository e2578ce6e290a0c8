package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

const name = "lmclint"

// Command is the program with all that it touches, so that a test can run it
// within its own process.
type Command struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            []string // as [os.Environ] gives it
}

// Main runs the program with its arguments, the program's name not among
// them, and returns the exit status.
func (c *Command) Main(args []string) int {
	return c.status(c.execute(args))
}

func (c *Command) execute(args []string) (err error) {
	defer recoverPanic(&err)
	if len(args) == 0 {
		c.printStderr(shortUsage())
		return statusError(exitTrouble)
	}
	cmd, rest, err := choose(args)
	if err != nil {
		return err
	}
	return c.run(cmd, rest)
}

// run parses the flags of a command and starts it.
func (c *Command) run(cmd command, args []string) error {
	flags := newFlags(cmd)
	action := cmd.setup(flags)
	if cmd.raw {
		return action(c, args)
	}
	if err := flags.Parse(args); err != nil {
		return c.flagError(cmd, flags, err)
	}
	return action(c, flags.Args())
}

// status reports an error and turns it into the exit status.
func (c *Command) status(err error) int {
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
		c.printStderr(fmt.Sprintf("Run %q for usage.\n", usage.help()))
	case errors.As(err, &faults):
		for line := range strings.Lines(err.Error()) {
			c.printError(errors.New(strings.TrimSuffix(line, "\n")))
		}
	case errors.As(err, &panicked):
		c.printError(err)
		c.printStderr(string(panicked.Stack))
	default:
		c.printError(err)
	}
	return exitTrouble
}

// print writes to standard output.
func (c *Command) print(text string) error {
	if _, err := io.WriteString(c.Stdout, text); err != nil {
		return fmt.Errorf("standard output: %w", trimPathError(err))
	}
	return nil
}

// say writes to standard error. When that fails nobody can be told.
func (c *Command) printStderr(text string) { _, _ = io.WriteString(c.Stderr, text) }

// complain writes an error to standard error. Names in it come from outside.
func (c *Command) printError(err error) {
	c.printStderr(name + ": " + report.EscapeControls(err.Error()) + "\n")
}

// env returns a variable of the environment, "" if it is not set.
func (c *Command) env(variable string) string {
	value := ""
	for _, entry := range c.Env {
		if v, ok := strings.CutPrefix(entry, variable+"="); ok {
			value = v
		}
	}
	return value
}

// recoverPanic, deferred, turns a panic into an error.
func recoverPanic(err *error) {
	if value := recover(); value != nil {
		*err = &lint.PanicError{Value: value, Stack: debug.Stack()}
	}
}

// isClosedPipe reports whether the reader of our output went away. It has
// seen what it wanted: this is no failure.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// The exit statuses. Of several that apply, the highest holds. They do not
// depend on the report format.
const (
	exitClean       = 0   // checked, and nothing at or above --fail-on
	exitFindings    = 1   // findings at or above --fail-on
	exitTrouble     = 2   // the result cannot be trusted: usage, input, output or internal error
	exitInterrupted = 130 // stopped by SIGINT: what was known is reported
	exitTerminated  = 143 // stopped by SIGTERM: what was known is reported
)

// statusError ends a command with an exit status. What there was to say about
// it has been said.
type statusError int

func (s statusError) Error() string { return "exit status " + strconv.Itoa(int(s)) }

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

// unknownWord says that there is no such command, schema or rule, and which
// one was probably meant, or else which command lists them.
func unknownWord(what, word string, known []string, lister string) error {
	hint := spelling.DidYouMean(word, known)
	if hint == "" {
		hint = "; " + name + " " + lister + " lists them"
	}
	return errors.New("unknown " + what + " " + quote(word) + hint)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// plain takes the path and the operation out of an error of the file system,
// for a message that names the path already.
func trimPathError(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	var linkError *os.LinkError
	if errors.As(err, &linkError) {
		return linkError.Err
	}
	var syscallError *os.SyscallError
	if errors.As(err, &syscallError) {
		return syscallError.Err
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return err
}

// printJSON writes a value to standard output as indented JSON.
func (c *Command) printJSON(value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	return c.print(b.String())
}
