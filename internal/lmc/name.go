package lmc

import (
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Name calls a role, type and format for people, as in "computer console" or
// "assistant code (python)". They come from the data: what is not printable is
// escaped, and what is long is cut.
func Name(role, typ, format string) string {
	words := make([]string, 0, 3)
	for _, w := range []string{role, typ} {
		if w != "" {
			words = append(words, printable(w))
		}
	}
	if format != "" {
		words = append(words, "("+printable(format)+")")
	}
	return strings.Join(words, " ")
}

// printable shows a word of the data as it is, if that is short and harmless.
func printable(word string) string {
	quoted := value.Quoted(word)
	if inside := quoted[1 : len(quoted)-1]; inside == value.Truncate(word) {
		return inside
	}
	return quoted
}
