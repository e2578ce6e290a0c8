package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns text that is safe to print on one line of a terminal.
// Control and format characters, among them escapes, line ends and marks that
// turn the writing direction, become "<U+001B>" and the like; a byte that is
// no UTF-8 becomes U+FFFD.
func Visible(s string) string {
	if !needsCare(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		writeVisible(&b, r)
	}
	return b.String()
}

func needsCare(s string) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, hidden)
}

func writeVisible(b *strings.Builder, r rune) {
	if hidden(r) {
		fmt.Fprintf(b, "<U+%04X>", r)
		return
	}
	b.WriteRune(r)
}

// hidden reports whether a character does something to a terminal or to the
// text around it, or breaks the line. Joiners are part of the spelling of
// emoji and of some scripts, and do neither.
func hidden(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	if r == nonJoiner || r == joiner {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
