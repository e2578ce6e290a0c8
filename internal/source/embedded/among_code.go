package embedded

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// placeholder is a string that says what is to stand in its place: "<role>".
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`["']<[A-Za-z][\w .-]*>["']`)
})

// isCode reports whether an object that cannot be read, and at whose start the
// unread input stands, is part of a program or a template, and no broken
// record: it goes wrong where a program has an expression, or a template an
// ellipsis, or most of what it says is placeholders. A log shows no programs,
// but how they write their objects: `<Message at 0x7f>`.
func (a *embeddedReader) isCode(stop *value.Fault) bool {
	if stop.Truncated || stop.HasEnd() || stop.Kind != value.InvalidJSON {
		return false
	}
	data := a.r.In.Load(stop.Start + source.SettledBytes)
	if stop.Start >= len(data) || stop.Start == 0 {
		return false
	}
	before, found := data[:stop.Start], data[stop.Start:]
	switch c := found[0]; {
	case c == '<', c == '.' && bytes.HasPrefix(found, []byte("...")), bytes.HasPrefix(found, []byte("…")):
		return true
	case a.log:
		return false
	case strings.IndexByte(".*+(`%$/", c) >= 0:
		return true
	case value.IsLetter(c):
		return isExpression(before, found)
	}
	return len(placeholder().FindAll(before, 2)) == 2
}

// isExpression reports whether a word that cannot stand where it does is a name
// of a program, and no misspelled literal.
func isExpression(before, found []byte) bool {
	before = value.TrimRight(before)
	switch before[len(before)-1] {
	case ':', ',', '[', '(', '{':
	default:
		return false
	}
	end := value.WordEnd(found, 0)
	if behind := found[end+value.SpaceSize(found[end:]):]; len(behind) > 0 && (behind[0] == '"' || behind[0] == '\'') && value.PrefixSize(found) != end {
		return false // a quote stands in the wrong place
	}
	word := strings.ToLower(string(found[:end]))
	for _, literal := range []string{"true", "false", "null", "none", "nan", "infinity"} {
		if isNear(word, literal) {
			return false
		}
	}
	return true
}

// isNear reports whether a word is a literal, or that with one letter wrong,
// missing or too many, or with two that changed places.
func isNear(word, literal string) bool {
	start := 0
	for start < min(len(word), len(literal)) && word[start] == literal[start] {
		start++
	}
	a, b := word[start:], literal[start:]
	switch {
	case len(a) == len(b) && len(a) > 1 && a[0] == b[1] && a[1] == b[0]:
		return a[2:] == b[2:]
	case len(a) == len(b):
		return len(a) < 2 || a[1:] == b[1:]
	case len(a) == len(b)+1:
		return a[1:] == b
	case len(b) == len(a)+1:
		return b[1:] == a
	}
	return false
}
