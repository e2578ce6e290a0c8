package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// What commands print, and the words of their errors.

// print writes to standard output.
func (c *Command) print(text string) error { return c.write("", []byte(text)) }

// printJSON writes a value to standard output as indented JSON.
func (c *Command) printJSON(value any) error {
	text, err := plainjson.MarshalIndent(value)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	return c.write("", text)
}

// printStderr writes to standard error. A failure cannot be reported.
func (c *Command) printStderr(text string) { _, _ = io.WriteString(c.Stderr, text) }

// printError writes an error to standard error, with control characters
// escaped: the names in it are untrusted.
func (c *Command) printError(err error) {
	c.printStderr(name + ": " + report.EscapeControls(err.Error()) + "\n")
}

// printFailure prints why an input was not read to its end.
func (c *Command) printFailure(path string, err error) {
	shown := trimPathError(err)
	if path != "" {
		shown = fmt.Errorf("%s: %w", path, shown)
	}
	c.printError(shown)
	if panicked, ok := errors.AsType[*lint.PanicError](err); ok {
		c.printStderr(string(panicked.Stack))
	}
}

// printLine writes a line to standard error, with control characters escaped.
func (c *Command) printLine(format string, values ...any) {
	c.printStderr(report.EscapeControls(fmt.Sprintf(format, values...)) + "\n")
}

// printAt is printLine for a line about a place in an input.
func (c *Command) printAt(path string, at source.Position, format string, values ...any) {
	c.printLine("%s:%d:%d: %s", path, max(at.Line, 1), max(at.Column, 1), fmt.Sprintf(format, values...))
}

// recordWords names a conversation and a record, each unless its number is -1.
func recordWords(conversation, record int) (words []string) {
	if conversation >= 0 {
		words = append(words, fmt.Sprintf("conversation %d", conversation))
	}
	if record >= 0 {
		words = append(words, fmt.Sprintf("record %d", record))
	}
	return words
}

// unknownWord reports an unknown command, schema or rule, with the nearest
// known word, or else with the command that lists them.
func unknownWord(what, word string, known []string, lister string) error {
	hint := spelling.DidYouMean(word, known)
	if hint == "" {
		hint = "; " + name + " " + lister + " lists them"
	}
	return fmt.Errorf("unknown %s %q%s", what, word, hint)
}

// trimPathError removes the path and the operation from an error of the file
// system, for a message that has the path already.
func trimPathError(err error) error {
	var pathError *fs.PathError
	var linkError *os.LinkError
	var syscallError *os.SyscallError
	var errno syscall.Errno
	switch {
	case errors.As(err, &pathError):
		return pathError.Err
	case errors.As(err, &linkError):
		return linkError.Err
	case errors.As(err, &syscallError):
		return syscallError.Err
	case errors.As(err, &errno):
		return errno
	}
	return err
}
