package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// colorModes are the values of --color, the default first.
func colorModes() []string { return []string{"auto", "always", "never"} }

// colorFor reports whether to paint what goes to a writer. The flag says it,
// or else FORCE_COLOR, NO_COLOR, TERM, and last whether the writer is a
// terminal.
func (c *Command) colorFor(mode string, w io.Writer) bool {
	switch force := c.env("FORCE_COLOR"); {
	case mode != "auto":
		return mode == "always"
	case force == "0", force == "false":
		return false
	case force != "":
		return true
	case c.env("NO_COLOR") != "", c.env("TERM") == "dumb":
		return false
	}
	_, ok := terminal(w)
	return ok
}

// terminal returns the file descriptor of a writer that is a terminal.
func terminal(w io.Writer) (int, bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	fd := int(f.Fd())
	return fd, term.IsTerminal(fd)
}

// widthOf returns the columns of a terminal, 0 for any other writer.
func widthOf(w io.Writer) int {
	fd, ok := terminal(w)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(fd)
	if err != nil {
		return 0
	}
	return width
}
