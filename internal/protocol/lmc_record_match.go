package protocol

import (
	"regexp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
)

// anyKey matches each key of a record in text.
var anyKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`["']?\b(role|type|format|content|start|end|stop)["']\s*:`)
})

// preLMCFlags are keys that only pre-LMC records have.
var preLMCFlags = []string{"start_of_message", "end_of_message", "start_of_code", "end_of_code", "executing", "end_of_execution"}

// hasOnly reports whether all members of an object have one of the names.
func hasOnly(root *source.Node, names []string) bool {
	return !slices.ContainsFunc(root.Children, func(n source.Node) bool { return !slices.Contains(names, n.Name) })
}

// MaxInspected is how many bytes of an unreadable record are inspected to find
// out what it is.
const MaxInspected = 64 << 10

// lmcKeys are the keys of which every LMC record has at least one.
var lmcKeys = []string{"type", "content", "start", "end", "stop", "format"}

// preLMCKeys are the keys that identify chunks and messages of Open Interpreter
// 0.1.16 and older.
var preLMCKeys = []string{
	"message", "code", "language", "executing", "active_line", "output",
	"start_of_message", "end_of_message", "start_of_code", "end_of_code", "end_of_execution",
}

// isPreLMC reports whether a record is a pre-LMC record. A record with an object
// as its message belongs to another format.
func isPreLMC(root *source.Node) bool {
	if m := root.Member("message"); m != nil && m.Kind == source.Object {
		return false
	}
	return !hasAny(root, lmcKeys) && hasAny(root, preLMCKeys)
}

// MayBePreLMC reports whether an object has the keys of a record of Open
// Interpreter 0.1.16 or older, and those of no LMC record.
func MayBePreLMC(src *source.Record) bool { return isPreLMC(src.Root) }

// IsPreLMC reports whether an object can only be a record of Open Interpreter
// 0.1.16 or older.
func IsPreLMC(src *source.Record) bool {
	return isCertainlyPreLMC(src.Root) && ForeignShape(src.Root) == ""
}

// isCertainlyPreLMC reports whether a record can only be a pre-LMC record. Log
// lines also have a message, and packages of all kinds a language.
func isCertainlyPreLMC(root *source.Node) bool {
	if !isPreLMC(root) {
		return false
	}
	if role := root.Member("role"); role != nil {
		return slices.Contains(words().roles, role.Text())
	}
	for _, child := range root.Children {
		if !slices.Contains(preLMCKeys, child.Name) {
			return false
		}
	}
	return hasAny(root, preLMCFlags)
}

func hasAny(root *source.Node, keys []string) bool {
	for _, key := range keys {
		if root.Member(key) != nil {
			return true
		}
	}
	return false
}
