package protocol

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/lmclint/lmclint/internal/source/value"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/schema"
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

// subject calls a record for people by its role and type, as far as it has
// them, as in "assistant code" or "computer record".
func Subject(r *lmc.Record) string {
	role, typ := Word(r.Role), Word(r.Type)
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
func Word(s string) string {
	odd := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_.-", c)
	}
	if len(s) > 40 || strings.ContainsFunc(s, odd) {
		return Quoted(s)
	}
	return s
}

// shown calls a value for people: a string in quotes, a number as it stands.
func ValueText(n *source.Node) string {
	switch n.Kind {
	case source.String:
		return Quoted(n.Text())
	case source.Array, source.Object:
		return KindWord(n)
	}
	return Word(string(n.Raw()))
}

// kindWord calls a value's JSON type for people.
func KindWord(n *source.Node) string { return OfKind(n.Kind.String()) }

// ofKind calls a value of a JSON type, as in "an object". There is but one null.
func OfKind(kind string) string {
	if kind == "null" {
		return kind
	}
	return WithArticle(kind)
}

// didYouMean offers the word that was probably meant.
func DidYouMean(word string) string { return "did you mean " + Quoted(word) + "?" }

// allOf lists words for people, as in "a, b and c".
func AllOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// without returns words without one of them.
func Without(words []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == word })
}

// elsewhere offers the first dialect that knows what the one in force does
// not, or returns "".
func OtherDialectHelp(knows func(*schema.Dialect) bool) string {
	for _, d := range published() {
		if knows(d) {
			return "defined in dialect " + d.Name + ": pass --dialect " + d.Name
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
func (s *State) Kind() string {
	switch {
	case s.Transcript:
		return KindTranscript
	case s.session:
		return KindSession
	}
	return KindStream
}

// part is the schema that judges the records of the input.
func (s *State) Part() schema.Part {
	if s.Transcript {
		return schema.Message
	}
	return schema.Chunk
}
