package rules

import (
	"strings"
	"unicode"

	"github.com/lmclint/lmclint/lmc"
	"github.com/lmclint/lmclint/schema"
	"github.com/lmclint/lmclint/source"
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
	plain := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("_.-", c) }
	if len(s) > 40 || strings.ContainsFunc(s, func(c rune) bool { return !plain(c) }) {
		return quoted(s)
	}
	return s
}

// shown calls a value for people: a string in quotes, a number as it stands.
func shown(n *source.Node) string {
	switch n.Kind {
	case source.String:
		return quoted(n.Text())
	case source.Array:
		return "an array"
	case source.Object:
		return "an object"
	}
	return word(string(n.Raw()))
}

// didYouMean offers the nearest known word or, if there is none, says what is
// known.
func didYouMean(nearest, otherwise string) string {
	if nearest == "" {
		return otherwise
	}
	return "did you mean " + quoted(nearest) + "?"
}

// elsewhere names the dialects that know what the one in force does not, as in
// "; the dialects server or docs know it", or is "".
func elsewhere(knows func(*schema.Dialect) bool) string {
	var names []string
	for _, name := range schema.Names() {
		if d, ok := schema.Lookup(name); ok && knows(d) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "--dialect " + anyOf(names) + " knows it"
}

// part is how people call the input that a record stands in.
func (s *state) part() string {
	if s.transcript {
		return kindTranscript
	}
	return kindStream
}
