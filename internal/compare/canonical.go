package compare

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
)

// appendCanonical appends a value as JSON in which nothing depends on how it was
// written: the order of keys, whitespace, escapes, or Python's words. Numbers are
// unchanged.
func appendCanonical(b []byte, n *source.Node) []byte {
	switch n.Kind {
	case source.Object:
		return appendMembers(b, n, nil)
	case source.Array:
		b = append(b, '[')
		for i := range n.Children {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, &n.Children[i])
		}
		return append(b, ']')
	case source.String:
		return appendString(b, n.Text())
	case source.Bool:
		if n.Value() == true {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	case source.Number:
		return append(b, n.Raw()...)
	}
	return append(b, "null"...)
}

// appendMembers appends an object without one of its members, or with all if that
// is nil.
func appendMembers(b []byte, n, without *source.Node) []byte {
	var order []*source.Node
	for i := range n.Children {
		if child := &n.Children[i]; child != without {
			order = append(order, child)
		}
	}
	slices.SortStableFunc(order, func(a, b *source.Node) int { return strings.Compare(a.Name, b.Name) })
	b = append(b, '{')
	for i, child := range order {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, child.Name), ':')
		b = appendCanonical(b, child)
	}
	return append(b, '}')
}

func appendString(b []byte, text string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can be encoded
	return append(b, bytes.TrimSuffix(out.Bytes(), []byte{'\n'})...)
}
