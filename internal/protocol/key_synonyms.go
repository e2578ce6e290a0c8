package protocol

import (
	"slices"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
)

// KeyFor returns the key that other programs and protocols call word, or "".
func KeyFor(word string) string {
	switch word {
	case "from", "sender", "author", "speaker":
		return "role"
	case "kind", "messageType", "message_type":
		return "type"
	case "language", "lang", "messageFormat", "message_format":
		return "format"
	case "text", "message", "body", "value", "delta", "output", "code", "data":
		return "content"
	case "begin", "started", "is_start":
		return "start"
	case "finish", "finished", "done", "is_end", "ended":
		return "end"
	}
	return ""
}

// IsWorkbenchKey reports whether a member of a record is one of Semantic Workbench's
// messages, and not another name for a key of LMC: a sender that is an object, or a
// message_type with one of its values.
func IsWorkbenchKey(n *source.Node) bool {
	switch n.Name {
	case "sender":
		return n.Kind == source.Object
	case "message_type":
		return IsWorkbenchType(n.Text())
	}
	return false
}

// IsWorkbenchType reports whether a word is a message type of Semantic Workbench, also
// as its documentation spells it.
func IsWorkbenchType(word string) bool {
	return word == workbench.CommandResponseTypo || slices.Contains(workbench.MessageTypes(), word)
}

// HasWorkbenchKey reports whether a record has such a key.
func HasWorkbenchKey(r *lmc.Record) bool {
	root := r.Source.Root
	for i := range root.Children {
		if IsWorkbenchKey(&root.Children[i]) {
			return true
		}
	}
	return false
}

// IsWorkbenchMessage reports whether a record is a message of Semantic Workbench, with
// neither a role nor a type.
func IsWorkbenchMessage(r *lmc.Record) bool {
	return r.Key("role") == nil && r.Key("type") == nil && HasWorkbenchKey(r)
}
