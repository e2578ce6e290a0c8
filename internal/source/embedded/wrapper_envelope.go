package embedded

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"
)

// envelopeKeys are the members of an envelope that may hold its record.
var envelopeKeys = []string{"chunk", "data", "record", "payload", "frame", "message"}

// eventKeys are the members of a record of which every chunk has one.
var eventKeys = []string{"start", "end", "content"}

// envelopeTypes are what the type of an envelope may be: it names what it holds.
var envelopeTypes = append([]string{""}, envelopeKeys...)

// envelopeKey returns the member of an object that holds a record, or "". All
// others must be plain values.
func envelopeKey(root *value.Node) (key string) {
	if !slices.Contains(envelopeTypes, root.Member("type").Text()) {
		return ""
	}
	for i := range root.Children {
		switch n := &root.Children[i]; {
		case slices.Contains(envelopeKeys, n.Name) && key == "" && holdsRecord(n):
			key = n.Name
		case n.Kind == value.Object || n.Kind == value.Array:
			return ""
		}
	}
	return key
}

// holdsRecord reports whether a value is a record, be it one without a role, or
// a text that is one.
func holdsRecord(n *value.Node) bool {
	if n.Kind == value.String {
		text := n.Text()
		return strings.HasPrefix(strings.TrimSpace(text), "{") &&
			(strings.Contains(text, `"`+roleKey+`"`) || strings.Contains(text, `'`+roleKey+`'`))
	}
	return n.Member(roleKey) != nil || n.Member("type") != nil && slices.ContainsFunc(eventKeys, func(key string) bool { return n.Member(key) != nil })
}

// isHollow reports whether an object is an envelope around an object that is no
// record.
func wrapsNonRecord(root *value.Node) bool {
	return slices.Contains(envelopeTypes, root.Member("type").Text()) &&
		slices.ContainsFunc(envelopeKeys, func(key string) bool { n := root.Member(key); return n != nil && n.Kind == value.Object })
}

// envelopeFrame says what an envelope holds. One with plain values alone says
// something about the stream, as that it has ended.
func envelopeFrame(root *value.Node, key string) frame {
	f := frame{value: root.Member(key), event: root.Member("event").Text()}
	if f.value != nil {
		return f.checked()
	}
	for i := range root.Children {
		if kind := root.Children[i].Kind; kind == value.Object || kind == value.Array {
			return wrongFrame(f, root, "found an envelope without `"+key+"`, expected the record there")
		}
	}
	return frame{}
}
