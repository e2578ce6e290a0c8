package report

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Visible returns text that is safe to print on one line of a terminal.
// Control and format characters, among them escapes, line ends and marks that
// turn the writing direction, become "<U+001B>" and the like; a byte that is
// no UTF-8 becomes U+FFFD. The second character of a mark that CI systems take
// for an order, such as "##[", becomes "<U+0023>".
func EscapeControls(s string) string {
	if countPrintable(s) < len(s) {
		s = string(appendVisible(nil, s))
	}
	return escapeCommands(s)
}

func appendVisible(b []byte, s string) []byte {
	n := countPrintable(s)
	b = append(b, s[:n]...)
	for _, r := range s[n:] {
		b = appendRune(b, r)
	}
	return b
}

func appendRune(b []byte, r rune) []byte {
	if hidden(r) {
		return fmt.Appendf(b, "<U+%04X>", r)
	}
	return utf8.AppendRune(b, r)
}

// countPrintable returns how many bytes of printable ASCII s begins with.
func countPrintable[text string | []byte](s text) int {
	for i := range len(s) {
		if !isPrintable(s[i]) {
			return i
		}
	}
	return len(s)
}

func isPrintable(c byte) bool { return ' ' <= c && c <= '~' }

// hidden reports whether a character does something to a terminal or to the
// text around it, or breaks the line. Joiners are part of the spelling of
// emoji and of some scripts, and do neither.
func hidden(r rune) bool {
	const nonJoiner, joiner, lineSeparator, paragraphSeparator = '\u200c', '\u200d', '\u2028', '\u2029'
	switch r {
	case nonJoiner, joiner:
		return false
	case lineSeparator, paragraphSeparator:
		return true
	}
	return r < ' ' || '~' < r && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r))
}
