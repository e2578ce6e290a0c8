package protocol

import (
	"regexp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
)

// firstKey matches the first key of an object that could not be read.
var firstKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{(?:\s|#[^\n]*\n)*["'](role|type|format|content|start|end|recipient|id|created_at)["']\s*:`)
})

// anyKey matches each key of a record in text.
var anyKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`["']?\b(role|type|format|content|start|end|stop)["']\s*:`)
})

// IsRecord reports whether an object among other text is meant to be a record:
// logs and Markdown documents contain other objects and templates, too.
func (LMC) IsRecord(src *source.Record) bool {
	if src.Root == nil {
		head := src.Data[:min(len(src.Data), MaxInspected)]
		return firstKey().Match(head) || len(anyKey().FindAll(head, 2)) == 2
	}
	if src.Root.Kind != source.Object {
		return false
	}
	r := lmc.NewRecord(src)
	switch {
	case ForeignShape(src.Root) != "":
		return src.AlignedWithRecords && HasParts(r.Content) && slices.Contains(allRoles, r.Role)
	case isPreLMC(src.Root):
		return hasAny(src.Root, preLMCFlags) || isPreLMCMessage(src.Root) || slices.ContainsFunc(src.Neighbor, isPreLMCKey) && hasOnly(src.Root, preLMCKeys)
	case slices.Contains(allTypes, r.Type) && resemblesLMC(src):
		return true
	case slices.Contains(distinctiveRoles, r.Role), r.Flag() && r.Role != "":
		return true
	case slices.Contains(allRoles, r.Role) && (r.Type != "" || slices.ContainsFunc(src.Root.Children, isNearlyType) || isMisspelled(src.Root)):
		return true
	case r.Role == "" && r.Type == "" && resemblesLMC(src):
		return true
	}
	return src.AlignedWithRecords && isMeant(r)
}

// isMeant reports whether an object where a record is expected has the keys of one
// only, which may be misspelled.
func isMeant(r *lmc.Record) bool {
	root := r.Source.Root
	if slices.Contains(allRoles, r.Role) && hasAnotherKey(r) {
		return true
	}
	for i := range root.Children {
		n := &root.Children[i]
		key, ok := spelling.Nearest(n.Name, recordKeys)
		if !ok || (key == "start" || key == "end") && n.Kind != source.Bool {
			return false
		}
	}
	return r.Flag() || r.Content != nil || slices.Contains(allRoles, r.Role) || slices.Contains(allTypes, r.Type)
}

// recordKeys are the keys of records in any dialect.
var recordKeys = []string{"role", "type", "format", "content", "start", "end", "recipient", "id", "created_at"}

// isPreLMCMessage reports whether a pre-LMC record is a stored message, which has
// a role. Other programs have further keys.
func isPreLMCMessage(root *source.Node) bool {
	return isCertainlyPreLMC(root) && hasOnly(root, append([]string{"role"}, preLMCKeys...))
}

// isPreLMCKey reports whether a key identifies a pre-LMC record.
func isPreLMCKey(key string) bool { return slices.Contains(preLMCKeys, key) }

// hasOnly reports whether all members of an object have one of the names.
func hasOnly(root *source.Node, names []string) bool {
	return !slices.ContainsFunc(root.Children, func(n source.Node) bool { return !slices.Contains(names, n.Name) })
}

// hasAnotherKey reports whether a record without a type has another key of a
// record besides its role.
func hasAnotherKey(r *lmc.Record) bool { return r.Flag() || r.Content != nil || r.Key("format") != nil }

// isNearlyType reports whether the name of a member is nearly type.
func isNearlyType(n source.Node) bool {
	_, near := spelling.Nearest(n.Name, []string{"type"})
	return near && n.Name != "role"
}

// preLMCFlags are keys that only pre-LMC records have.
var preLMCFlags = []string{"start_of_message", "end_of_message", "start_of_code", "end_of_code", "executing", "end_of_execution"}

// allRoles lists the roles of all dialects.
var allRoles = []string{"user", "assistant", "computer", "system", "server"}

// distinctiveRoles lists the roles that no other protocol has.
var distinctiveRoles = []string{"computer", "server"}

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
		return slices.Contains(allRoles, role.Text())
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
