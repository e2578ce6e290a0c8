package validate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// turned returns an object with its members in another order, and those of its
// objects; the first one again at the end if it is to be doubled.
func turned(n *source.Node, doubled bool) string {
	if n.Kind != source.Object {
		return string(n.Raw())
	}
	var members []string
	for i := range n.Children {
		child := &n.Children[i]
		members = append(members, `"`+child.Name+`": `+turned(child, doubled))
	}
	slices.Reverse(members)
	if doubled && len(members) > 0 {
		members = append(members, members[0])
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// A record is valid in any order of its members, also where that is known
// without asking the schemas, and not because of a member that another of its
// name replaces.
func TestAnyOrderOfMembers(t *testing.T) {
	for _, dialect := range []string{"interpreter", "server", extended, strange} {
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			p := newPair(t, dialect, part)
			for _, record := range append(tableRecords(), recorded(t, "interpreter", "*")...) {
				root := readable(record)
				if root == nil || len(root.Children) == 0 {
					continue
				}
				p.agree(t, turned(root, false))
				p.agree(t, turned(root, true))
				p.agree(t, `{"role": "nobody", `+turned(root, false)[1:])
			}
		}
	}
}
