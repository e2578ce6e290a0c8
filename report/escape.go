package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/show/jsonreport"
)

// EscapeControls returns text that is safe to print on one line of a terminal.
// Control and format characters, such as escapes, line ends and bidirectional
// control characters, become "<U+001B>" and the like; a byte that is not UTF-8
// becomes U+FFFD. In a mark that CI systems take for a workflow command, such as
// "##[", the second character becomes "<U+0023>".
func EscapeControls(s string) string {
	s = visible(s)
	if strings.Contains(s, "##") {
		s = string(escapeCommands([]byte(s), visibleHash))
	}
	return s
}

// visible returns text as [EscapeControls] shows it, but for workflow commands.
func visible(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || hidden(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports whether a character controls a terminal, reorders the text
// around it, or breaks the line.
func hidden(r rune) bool {
	const lineSeparator, paragraphSeparator = '\u2028', '\u2029'
	return r < ' ' || r == lineSeparator || r == paragraphSeparator || jsonreport.IsHidden(r)
}

// A workflow command is text in the output of a program that a CI system
// obeys: "##[set-output name=x]y" on GitHub, "##vso[" on Azure, "##teamcity["
// on TeamCity, the first two anywhere on a line. A recording must not inject
// any, so the second character of such a mark is escaped.
var ciCommands = []string{"##[", "##vso[", "##teamcity["}

const visibleHash = "<U+0023>"

// escapeCommands escapes workflow commands; hash replaces their second '#'.
func escapeCommands(text []byte, hash string) []byte {
	if !bytes.Contains(text, []byte("##")) {
		return text
	}
	for _, command := range ciCommands {
		text = bytes.ReplaceAll(text, []byte(command), []byte("#"+hash+command[2:]))
	}
	return text
}

// commandEscaper is a writer that escapes workflow commands. Reports write
// whole lines or whole values, so a mark is never split between two writes.
type commandEscaper struct {
	out  io.Writer
	hash string // replaces a '#'
}

func (e *commandEscaper) Write(p []byte) (int, error) {
	if _, err := e.out.Write(escapeCommands(p, e.hash)); err != nil {
		return 0, err
	}
	return len(p), nil
}
