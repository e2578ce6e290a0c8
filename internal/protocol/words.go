package protocol

import (
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/spelling"
)

// what calls a record for people, as in "assistant code (python)".
func RecordName(r *lmc.Record) string {
	if r.Binary {
		return "a binary frame"
	}
	format := r.Format
	if r.Type == "confirmation" {
		format = ""
	}
	switch name := lmc.Name(r.Role, r.Type, format); {
	case name == "":
		return "a record"
	case r.Type == "" && format == "":
		return name + " record"
	default:
		return name
	}
}

// quoted shows text from the data in a message: in quotes, escaped where it
// is not printable, and cut after 40 code points.
func Quoted(s string) string { return value.Quoted(s) }

// anyOf lists words for people, as in "a, b or c".
func AnyOf(words []string) string { return spelling.AnyOf(words) }

// withArticle puts a or an before words.
func WithArticle(words string) string {
	if words != "" && strings.IndexByte("aeiou", words[0]) >= 0 {
		return "an " + words
	}
	return "a " + words
}
