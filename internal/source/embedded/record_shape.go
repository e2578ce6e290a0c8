package embedded

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"
)

// eventKeys are members of which every chunk has one.
var eventKeys = []string{"start", "end", "content"}

// recordKeys are the members that only records have.
var recordKeys = []string{roleKey, "type", "format", "content", "start", "end"}

func hasRecordKey(object *value.Node) bool {
	return slices.ContainsFunc(recordKeys, func(key string) bool { return object.Member(key) != nil })
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

// isRowRecord is isWholeRecord for a value that may be anywhere in an object: its
// role is a string, and a text begins with a key of records.
func isRowRecord(n *value.Node) bool {
	if n.Kind != value.String {
		return isWholeRecord(n) && n.Member(roleKey).Kind == value.String
	}
	text, opens := strings.CutPrefix(strings.TrimSpace(n.Text()), "{")
	text, quoted := strings.CutPrefix(strings.TrimSpace(text), `"`)
	key, _, closed := strings.Cut(text, `"`)
	return opens && quoted && closed && slices.Contains(recordKeys, key) && isWholeRecord(n)
}

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
