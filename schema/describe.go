package schema

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// maxNumber is how many bytes of a number are looked at to show it. It is more
// than what is shown.
const maxNumber = 64

// describe says for people what a value is: a string in quotes, escaped and
// cut; a number or boolean behind its JSON type; null, array and object by
// their names.
func describe(n *source.Node) string {
	switch n.Kind {
	case source.String:
		return value.Quoted(n.Text())
	case source.Number, source.Bool:
		return n.Kind.String() + " " + value.Truncate(string(n.Raw()[:min(len(n.Raw()), maxNumber)]))
	}
	return n.Kind.String()
}
