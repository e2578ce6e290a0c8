package rules

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// subject calls a record for people by its role and type, as far as it has
// them, as in "assistant code" or "computer record".
func subject(r *lmc.Record) string {
	role, typ := word(r.Role), word(r.Type)
	switch {
	case typ == "" && role == "":
		return "the record"
	case typ == "":
		return role + " record"
	case role == "":
		return typ
	}
	return role + " " + typ
}

// word shows a word from the data as it is; in quotes if it is none.
func word(s string) string {
	odd := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_.-", c)
	}
	if len(s) > 40 || strings.ContainsFunc(s, odd) {
		return quoted(s)
	}
	return s
}

// shown calls a value for people: a string in quotes, a number as it stands.
func valueText(n *source.Node) string {
	switch n.Kind {
	case source.String:
		return quoted(n.Text())
	case source.Array, source.Object:
		return kindWord(n)
	}
	return word(string(n.Raw()))
}

// kindWord calls a value's JSON type for people.
func kindWord(n *source.Node) string { return ofKind(n.Kind.String()) }

// ofKind calls a value of a JSON type, as in "an object". There is but one null.
func ofKind(kind string) string {
	if kind == "null" {
		return kind
	}
	return withArticle(kind)
}

// didYouMean offers the word that was probably meant.
func didYouMean(word string) string { return "did you mean " + quoted(word) + "?" }

// allOf lists words for people, as in "a, b and c".
func allOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// without returns words without one of them.
func without(words []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == word })
}

// elsewhere offers the first dialect that knows what the one in force does
// not, or returns "".
func otherDialectHelp(knows func(*schema.Dialect) bool) string {
	for _, d := range published() {
		if knows(d) {
			return "the dialect " + d.Name + " knows it: pass --dialect " + d.Name
		}
	}
	return ""
}

// published are the dialects that come with the program, which nobody changes.
var published = sync.OnceValue(func() []*schema.Dialect {
	var dialects []*schema.Dialect
	for _, name := range schema.Names() {
		if d, ok := schema.Lookup(name); ok {
			dialects = append(dialects, d)
		}
	}
	return dialects
})

// kind is how people call the input that a record stands in.
func (s *state) kind() string {
	switch {
	case s.transcript:
		return kindTranscript
	case s.session:
		return kindSession
	}
	return kindStream
}

// part is the schema that judges the records of the input.
func (s *state) part() schema.Part {
	if s.transcript {
		return schema.Message
	}
	return schema.Chunk
}
