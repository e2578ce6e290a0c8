package schema

import (
	"strconv"

	"github.com/lmclint/lmclint/source"
)

// maxFound is how much of a value is shown, in code points.
const maxFound = 40

// Describe says for people what a value is: a string in quotes, escaped and
// cut after 40 code points; a number or boolean behind its JSON type; null,
// array and object by their names.
func Describe(n *source.Node) string {
	switch n.Kind {
	case source.String:
		return quoted(n.Text())
	case source.Number, source.Bool:
		return n.Kind.String() + " " + shortened(string(n.Raw()[:min(len(n.Raw()), maxFound+1)]))
	}
	return n.Kind.String()
}

func quoted(text string) string { return strconv.Quote(shortened(text)) }

func shortened(text string) string {
	count := 0
	for i := range text {
		if count == maxFound {
			return text[:i] + "…"
		}
		count++
	}
	return text
}
