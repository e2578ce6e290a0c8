package report

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/value"
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

// CI systems take orders from the output of the programs that they run:
// "##[set-output name=x]y" to GitHub, "##vso[" to Azure, "##teamcity[", and the
// first two anywhere on a line. A recording must not give any, so that the
// second character of such a mark is written in another way.
var ciCommands = []string{"##[", "##vso[", "##teamcity["}

// inert is a writer of reports that gives no orders. The reports write whole
// lines, or a document in parts that end behind a string or a tag: no mark is
// cut in two.
type commandEscaper struct {
	out  io.Writer
	hash string // how a # is written
}

// newInert makes a writer for a format. What github writes are orders, in which
// there can be no others.
func newInert(f Format, w io.Writer) io.Writer {
	switch f {
	case FormatGitHub:
		return w
	case FormatJSON, FormatJSONL, FormatSARIF, FormatGitLab, FormatRDJSONL:
		return &commandEscaper{out: w, hash: `\u0023`}
	case FormatJUnit, FormatCheckstyle:
		return &commandEscaper{out: w, hash: "&#35;"}
	}
	return &commandEscaper{out: w, hash: visibleHash}
}

const visibleHash = "<U+0023>"

func (i *commandEscaper) Write(p []byte) (int, error) {
	text := p
	if bytes.Contains(text, []byte("##")) {
		for _, order := range ciCommands {
			text = bytes.ReplaceAll(text, []byte(order), []byte("#"+i.hash+order[2:]))
		}
	}
	if _, err := i.out.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// disarmed is a text for a terminal or a log without orders.
func escapeCommands(text string) string {
	if !strings.Contains(text, "##") {
		return text
	}
	for _, order := range ciCommands {
		text = strings.ReplaceAll(text, order, "#"+visibleHash+order[2:])
	}
	return text
}

// appendString appends a JSON string. HTML is left as it is. Characters that
// would do something to a terminal are written as escapes, which say the same
// to a program; a byte that is no UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for len(s) > 0 {
		if n := countPlain(s); n > 0 {
			b, s = append(b, s[:n]...), s[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		if r >= utf8.RuneSelf && !hidden(r) && (r != utf8.RuneError || size > 1) {
			b = append(b, s[:size]...)
		} else {
			b = value.AppendEscape(b, r)
		}
		s = s[size:]
	}
	return append(b, '"')
}

// countPlain returns how many bytes s begins with that stand for themselves
// in JSON and on a terminal.
func countPlain(s string) int {
	i := 0
	for ; len(s)-i >= wordBytes; i += wordBytes {
		if hasOdd(binary.LittleEndian.Uint64([]byte(s[i : i+wordBytes]))) {
			break
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; !isPrintable(c) || c == '"' || c == '\\' {
			return i
		}
	}
	return len(s)
}

// Bytes side by side in a word.
const (
	wordBytes = 8
	ones      = 0x0101010101010101
	highs     = 0x80 * ones
)

// hasOdd reports whether one of eight bytes does not stand for itself: a quote,
// a backslash, or what is not printable ASCII.
func hasOdd(w uint64) bool {
	quote, backslash := w^'"'*ones, w^'\\'*ones
	odd := (w - ' '*ones) | (w + ones) | (quote - ones) | (backslash - ones) // a high bit where a byte is odd
	return (odd|w)&highs != 0
}
