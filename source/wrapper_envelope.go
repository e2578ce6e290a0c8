package source

import (
	"slices"
	"strings"
)

// envelopeKeys are the members of an envelope that may hold its record.
var envelopeKeys = []string{"chunk", "data", "record", "payload", "frame", "message"}

// envelopeTypes are what the type of an envelope may be: it names what it holds.
var envelopeTypes = append([]string{""}, envelopeKeys...)

// envelopeKey returns the member of an object that holds a record, or "". All
// others must be plain values.
func envelopeKey(root *Node) (key string) {
	if !slices.Contains(envelopeTypes, root.Member("type").Text()) {
		return ""
	}
	for i := range root.Children {
		switch n := &root.Children[i]; {
		case slices.Contains(envelopeKeys, n.Name) && key == "" && holdsRecord(n):
			key = n.Name
		case n.Kind == Object || n.Kind == Array:
			return ""
		}
	}
	return key
}

// holdsRecord reports whether a value is a record, or a text that is one.
func holdsRecord(n *Node) bool {
	if n.Kind == String {
		text := n.Text()
		return strings.HasPrefix(strings.TrimSpace(text), "{") &&
			(strings.Contains(text, `"`+roleKey+`"`) || strings.Contains(text, `'`+roleKey+`'`))
	}
	return n.Member(roleKey) != nil
}

// envelopeFrame says what an envelope holds. One with plain values alone says
// something about the stream, as that it has ended.
func envelopeFrame(root *Node, key string) frame {
	f := frame{value: root.Member(key), event: root.Member("event").Text()}
	if f.value != nil {
		return f.checked()
	}
	for i := range root.Children {
		if kind := root.Children[i].Kind; kind == Object || kind == Array {
			return wrongFrame(f, root, "found an envelope without `"+key+"`, expected the record there")
		}
	}
	return frame{}
}
