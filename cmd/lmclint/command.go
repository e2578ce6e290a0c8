package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/lmclint/lmclint/config"
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
