package protocol

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/schema"
)

// RecordName returns the name of a record in messages, such as "assistant code
// (python)".
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

// Quoted returns text from the input in quotes, with unprintable characters
// escaped, truncated after 40 code points.
func Quoted(s string) string { return value.Quoted(s) }

// AllQuoted returns each of several words quoted.
func AllQuoted(words []string) []string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quoted(word)
	}
	return quoted
}

// AnyOf returns a list in words, such as "a, b or c".
func AnyOf(words []string) string { return spelling.AnyOf(words) }

// WithArticle prepends a or an to words.
func WithArticle(words string) string {
	if words != "" && strings.IndexByte("aeiou", words[0]) >= 0 {
		return "an " + words
	}
	return "a " + words
}

// Subject returns the role and type of a record in words, as far as it has
// them, such as "assistant code" or "computer record".
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

// Word returns a word from the input verbatim, or quoted if it contains other
// than letters, digits and "_.-".
func Word(s string) string {
	odd := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_.-", c)
	}
	if len(s) > 40 || strings.ContainsFunc(s, odd) {
		return Quoted(s)
	}
	return s
}

// ValueText returns a value in words: a quoted string, a number verbatim, or
// the JSON type.
func ValueText(n *source.Node) string {
	switch n.Kind {
	case source.String:
		return Quoted(n.Text())
	case source.Array, source.Object:
		return KindWord(n)
	}
	return Word(string(n.Raw()))
}

// KindWord returns the JSON type of a value with its article.
func KindWord(n *source.Node) string { return OfKind(n.Kind.String()) }

// OfKind returns a JSON type with its article, such as "an object"; null has
// none.
func OfKind(kind string) string {
	if kind == "null" {
		return kind
	}
	return WithArticle(kind)
}

// DidYouMean returns the help that suggests a word.
func DidYouMean(word string) string { return "did you mean " + Quoted(word) + "?" }

// AllOf returns a list in words, such as "a, b and c".
func AllOf(words []string) string { return spelling.AllOf(words) }

// OtherDialect returns the name of the first published dialect, other than the
// current one, for which defines returns true, or "".
func (s *State) OtherDialect(defines func(*schema.Dialect) bool) string {
	for _, d := range schema.All() {
		if d.Name != s.Dialect.Name && d.Name != s.Dialect.Base && defines(d) {
			return d.Name
		}
	}
	return ""
}

// OtherDialectHelp returns the help that names that dialect, or "". It advises to
// pass a dialect at the first record of a conversation that needs it.
func (s *State) OtherDialectHelp(defines func(*schema.Dialect) bool) string {
	name := s.OtherDialect(defines)
	if name == "" {
		return ""
	}
	if at, ok := s.advised[name]; ok && at != s.record {
		return "defined in dialect " + name
	}
	if s.advised == nil {
		s.advised = map[string]int{}
	}
	s.advised[name] = s.record
	return "defined in dialect " + name + ": pass --dialect " + name
}

// RemoveMessage is the help to remove a stored message, with what depends on it.
func RemoveMessage(r *lmc.Record) string {
	if r.Type == "code" {
		return "remove the code and its output"
	}
	return "remove the message"
}

// synonyms are what other programs and protocols call the keys of LMC.
var synonyms = map[string][]string{
	"role":    {"from", "sender", "author", "speaker"},
	"type":    {"kind", "messageType", "message_type"},
	"format":  {"language", "lang", "messageFormat", "message_format"},
	"content": {"text", "message", "body", "value", "delta", "output", "code", "data"},
	"start":   {"begin", "started", "is_start"},
	"end":     {"finish", "finished", "done", "is_end", "ended"},
}

// keyOf is synonyms by the word.
var keyOf = sync.OnceValue(func() map[string]string {
	keys := map[string]string{}
	for key, words := range synonyms {
		for _, word := range words {
			keys[word] = key
		}
	}
	return keys
})

// KeyFor returns the key that other programs and protocols call word, or "".
func KeyFor(word string) string { return keyOf()[word] }

// ownKeys are the keys of a message.
var ownKeys = []string{"role", "type", "format", "content"}

// meantKey returns the key of LMC that a word is nearly, or another name for, or "".
func meantKey(word string) string {
	if slices.Contains(ownKeys, word) {
		return word
	}
	near, _ := spelling.Nearest(word, ownKeys)
	return cmp.Or(near, KeyFor(word))
}

// IsSomethingElse reports whether a record has neither a role nor a type, nor a key
// that was meant for one: it is another object, and lacks both at once.
func IsSomethingElse(r *lmc.Record) bool { return hasNoneOf(r, ownKeys[:2]) }

// HasNothing reports whether a record has nothing of a message or a chunk, such as the
// object of a logger.
func HasNothing(r *lmc.Record) bool { return !r.Flag() && hasNoneOf(r, ownKeys) }

// hasNoneOf reports whether a record has no key that is, or was meant for, one of a list.
func hasNoneOf(r *lmc.Record, keys []string) bool {
	return !slices.ContainsFunc(r.Root.Children, func(n source.Node) bool { return slices.Contains(keys, meantKey(n.Name)) })
}

// IsWorkbenchKey reports whether a member of a record is one of Semantic Workbench's
// messages, and not another name for a key of LMC: a sender that is an object, or a
// message_type with one of its values.
func IsWorkbenchKey(n *source.Node) bool {
	switch n.Name {
	case "sender":
		return n.Kind == source.Object
	case "message_type":
		return workbench.IsMessageType(n.Text())
	}
	return false
}

// HasWorkbenchKey reports whether a record has such a key.
func HasWorkbenchKey(r *lmc.Record) bool {
	return slices.ContainsFunc(r.Root.Children, func(n source.Node) bool { return IsWorkbenchKey(&n) })
}

// IsWorkbenchMessage reports whether a record is a message of Semantic Workbench, with
// neither a role nor a type.
func IsWorkbenchMessage(r *lmc.Record) bool {
	return r.Key("role") == nil && r.Key("type") == nil && HasWorkbenchKey(r)
}
