package protocol

import (
	"cmp"
	"slices"

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

// KeyFor returns the key that other programs and protocols call word, or "".
func KeyFor(word string) string {
	for key, words := range synonyms {
		if slices.Contains(words, word) {
			return key
		}
	}
	return ""
}

// ownKeys are the keys of a message.
var ownKeys = []string{"role", "type", "format", "content"}

// meantKey returns the key of LMC that a word is nearly, or another name for, or "".
func meantKey(word string) string {
	near, _ := spelling.Nearest(word, ownKeys)
	return cmp.Or(near, KeyFor(word))
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
	return slices.ContainsFunc(r.Source.Root.Children, func(n source.Node) bool { return IsWorkbenchKey(&n) })
}

// IsWorkbenchMessage reports whether a record is a message of Semantic Workbench, with
// neither a role nor a type.
func IsWorkbenchMessage(r *lmc.Record) bool {
	return r.Key("role") == nil && r.Key("type") == nil && HasWorkbenchKey(r)
}
