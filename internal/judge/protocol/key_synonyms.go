package protocol

import (
	"cmp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
)

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
