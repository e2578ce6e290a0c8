package embedded

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// eventKeys are members of which every chunk has one.
var eventKeys = []string{"start", "end", "content"}

// recordKeys are the members that only records have.
var recordKeys = []string{roleKey, "type", "format", "content", "start", "end"}

func hasRecordKey(object *value.Node) bool {
	return slices.ContainsFunc(recordKeys, func(key string) bool { return object.Member(key) != nil })
}

// countRecordKeys returns how many keys of a record an object has. One may be the
// name of a column.
func countRecordKeys(object *value.Node) (n int) {
	for _, key := range recordKeys {
		if object.Member(key) != nil {
			n++
		}
	}
	return n
}

// isRecordValue reports whether a value is a record, which may lack a role, or a
// string that contains one.
func isRecordValue(n *value.Node) bool {
	if n.Kind == value.String {
		text := strings.TrimSpace(n.Text())
		return strings.HasPrefix(text, "{") && namesRole(text) || isQuoted(text, roleKey)
	}
	return n.Member(roleKey) != nil || n.Member("type") != nil && slices.ContainsFunc(eventKeys, func(key string) bool { return n.Member(key) != nil })
}

// beforeRecords returns the size in bytes of the text before the first record in an
// envelope that a document shows, or 0 if a value is not an envelope. The frames of
// a session are not: a document is one stream.
func beforeRecords(n *value.Node) int {
	if n == nil || n.Kind != value.Object || isSessionFrame(n) {
		return 0
	}
	if list := source.ListOf(n); list != nil {
		return list.Start + 1
	}
	if key := envelopeKey(n); key != "" {
		member := n.Member(key)
		if member.Kind == value.Object && (hasKnownRole(member) || slices.Contains(envelopeKeys, key)) {
			return member.Start
		}
	}
	lists := detectLists(n)
	switch {
	case len(lists) == 0:
		return 0
	case lists[0].Kind == value.Object:
		return lists[0].Start
	}
	return lists[0].Start + 1
}

// recordIn returns the first value of a kind that has all keys of a record, or nil,
// under any name in an object or in the objects that it contains. An array has
// them if its first element does.
func recordIn(object *value.Node, kind value.Kind) *value.Node {
	if n := recordAmong(object, kind); n != nil {
		return n
	}
	for i := range object.Children {
		if inner := &object.Children[i]; inner.Kind == value.Object {
			if n := recordAmong(inner, kind); n != nil {
				return n
			}
		}
	}
	return nil
}

func recordAmong(object *value.Node, kind value.Kind) *value.Node {
	for i := range object.Children {
		n := &object.Children[i]
		whole := n
		if kind == value.Array {
			whole = firstElement(n)
		}
		if n.Kind == kind && whole != nil && isWholeRecord(whole) {
			return n
		}
	}
	return nil
}

// isWholeRecord is isRecordValue for a value under any name. Messages of other
// programs have a list of contents.
func isWholeRecord(n *value.Node) bool {
	if n.Kind == value.String {
		return isRecordValue(n) && (strings.Contains(n.Text(), `"type"`) || isQuoted(strings.TrimSpace(n.Text()), "type"))
	}
	content := n.Member("content")
	return n.Member(roleKey) != nil && n.Member("type") != nil && (content != nil && content.Kind != value.Array || content == nil && isFlag(n))
}

// isRowRecord reports whether a value that may be anywhere in an object is a record,
// or the text of one: it has all keys and a role of the protocol.
func isRowRecord(n *value.Node) bool {
	r := rowRecord(n)
	return r != nil && hasKnownRole(r)
}

// rowRecord returns a value that has all keys of a record, or the one that a text
// consists of, or nil.
func rowRecord(n *value.Node) *value.Node {
	if n.Kind == value.String {
		text := strings.TrimSpace(n.Text())
		if !strings.HasPrefix(text, "{") || !strings.Contains(text, `"`+roleKey+`"`) {
			return nil
		}
		scanner := value.Scanner{MaxDepth: maxRowDepth}
		n = scanner.Scan([]byte(text), true).Root
	}
	if n == nil || n.Kind != value.Object || !isWholeRecord(n) {
		return nil
	}
	return n
}

// hasKnownRole reports whether the role of a record is one of the protocol.
func hasKnownRole(n *value.Node) bool {
	role := n.Member(roleKey)
	return role != nil && slices.Contains(knownRoles, role.Text())
}

// knownRoles are the roles that tell a record from other objects with a role, a type
// and contents.
var knownRoles = []string{"user", "assistant", "computer", "system", "server"}

// isQuoted reports whether text is a literal of an object with a key, as Rust's
// Debug writes text.
func isQuoted(text, key string) bool {
	return strings.HasPrefix(text, `"{\"`) && strings.Contains(text, `\"`+key+`\"`)
}

// namesRole reports whether text contains the key of a role.
func namesRole(text string) bool {
	return strings.Contains(text, `"`+roleKey+`"`) || strings.Contains(text, `'`+roleKey+`'`)
}

// roleKey is a key of records that wrappers do not have.
const roleKey = "role"
