package rules

import (
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/lmc"
)

// what calls a record for people, as in "assistant code (python)".
func what(r *lmc.Record) string {
	if r.Binary {
		return "a binary frame"
	}
	format := r.Format
	if r.Type == "confirmation" {
		format = ""
	}
	if name := lmc.Name(r.Role, r.Type, format); name != "" {
		return name
	}
	return "a record"
}

// quoted shows text from the data in a message: in quotes, escaped where it
// is not printable, and cut after 40 code points.
func quoted(s string) string {
	const longest = 40
	if runes := []rune(s); len(runes) > longest {
		s = string(runes[:longest]) + "…"
	}
	return strconv.Quote(s)
}

// anyOf lists words for people, as in "a, b or c".
func anyOf(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
