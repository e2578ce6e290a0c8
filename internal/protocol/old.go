package protocol

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// newKeys are the keys of which every LMC record has at least one.
var newKeys = []string{"type", "content", "start", "end", "stop", "format"}

// oldKeys are the keys by which chunks and messages of 0.1.16 and older say
// what they are [R v0.1.16].
var oldKeys = []string{
	"message", "code", "language", "executing", "active_line", "output",
	"start_of_message", "end_of_message", "start_of_code", "end_of_code", "end_of_execution",
}

// isOld reports whether a record is from before LMC. Its message was a text:
// what holds an object there comes from somewhere else.
func isOld(root *source.Node) bool {
	if m := root.Member("message"); m != nil && m.Kind == source.Object {
		return false
	}
	return !hasAny(root, newKeys) && hasAny(root, oldKeys)
}

// isOldBeyondDoubt reports whether a record can only be from before LMC. Log
// lines have a message, too, and packages of any kind a language.
func isOldBeyondDoubt(root *source.Node) bool {
	if !isOld(root) {
		return false
	}
	if role := root.Member("role"); role != nil {
		return slices.Contains(everyRole, role.Text())
	}
	for _, child := range root.Children {
		if !slices.Contains(oldKeys, child.Name) {
			return false
		}
	}
	return hasAny(root, oldFlags)
}

func hasAny(root *source.Node, keys []string) bool {
	for _, key := range keys {
		if root.Member(key) != nil {
			return true
		}
	}
	return false
}
