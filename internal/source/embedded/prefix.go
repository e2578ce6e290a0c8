package embedded

import (
	"cmp"
	"regexp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/source/value"
)

// prefixComparer compares what is before the objects of a log.
type prefixComparer struct {
	outer string // kind of the prefix of the text that contains the objects, or ""
	last  string // kind of the prefix of the last record, "" before the first
	next  string // kind of the prefix of the current object

	connection      string // id of the connection that the current line names, or ""
	outerConnection string // id that the text around the line names, or ""
}

// matchesLast reports whether the current object has the prefix of the last
// record.
func (p *prefixComparer) matchesLast() bool { return p.last != "" && p.last == p.next }

// setLast makes the prefix of the current object that of the last record.
func (p *prefixComparer) setLast() { p.last = p.next }

// setNext sets the prefix of the current object.
func (p *prefixComparer) setNext(prefix []byte) {
	p.next = p.outer + prefixKind(prefix)
	p.connection = cmp.Or(connectionIn(prefix), p.connection)
}

// beginLine prepares the comparer for the next line.
func (p *prefixComparer) beginLine() { p.connection = p.outerConnection }

// prefixWord matches what may differ between two prefixes of one kind.
var prefixWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b\[[0-9;:?]*[A-Za-z]|\w+|\s+`)
})

// variableWords are the words of times and the levels of logs, in upper case.
var variableWords = []string{
	"TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL",
	"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC", "AM", "PM",
	"MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN",
}

// prefixKind returns a prefix without what differs from line to line: numbers,
// ids, times, levels, colors and spaces. It is not empty.
func prefixKind(prefix []byte) string {
	kind := prefixWord().ReplaceAllFunc(prefix, func(word []byte) []byte {
		switch {
		case word[0] == '\x1b', value.SpaceSize(word) > 0:
			return nil // numbers may be aligned
		case isVariableWord(word):
			return []byte{'0'}
		}
		return word
	})
	return ":" + string(kind)
}

// isVariableWord reports whether a word contains a digit, is hexadecimal, or is
// one of variableWords.
func isVariableWord(word []byte) bool {
	if slices.ContainsFunc(word, value.IsDigit) {
		return true
	}
	isHex := !slices.ContainsFunc(word, func(c byte) bool { return c < 'a' || 'f' < c })
	return isHex && len(word) >= 4 || slices.Contains(variableWords, upper(word))
}

// upper returns a word in upper case, or "" if it is longer than any of
// variableWords.
func upper(word []byte) string {
	var buf [len("CRITICAL")]byte
	if len(word) > len(buf) {
		return ""
	}
	for i, c := range word {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		buf[i] = c
	}
	return string(buf[:len(word)])
}
