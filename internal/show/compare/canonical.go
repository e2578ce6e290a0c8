package compare

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// canonical writes values as JSON in which nothing depends on how they were written:
// the order of keys, whitespace, escapes, or Python's words. Numbers are unchanged.
var canonical = value.Writer{
	Compact: true,
	String:  func(b []byte, n *source.Node) []byte { return appendString(b, n.Text()) },
	Name:    func(b []byte, n *source.Node) []byte { return appendString(b, n.Name) },
	Members: func(all []source.Node) []source.Node {
		sorted := slices.Clone(all)
		slices.SortStableFunc(sorted, func(a, b source.Node) int { return strings.Compare(a.Name, b.Name) })
		return sorted
	},
}

func appendString(b []byte, text string) []byte {
	written, _ := plainjson.Marshal(text) // a string can be encoded
	return append(b, written...)
}
