package schema

import (
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// addSorted adds members by their keys, so that two objects that differ in the
// order of their members alone have one shape. It reports false where two keys
// have one name, of which the last one counts, and where a key is none that the
// schemas name.
func (s *shape) addSorted(at *relevanceNode, n *source.Node) bool {
	var space [maxMembers]*source.Node
	members := space[:0]
	for i := range n.Children {
		members = append(members, &n.Children[i])
	}
	slices.SortFunc(members, func(a, b *source.Node) int { return cmp.Compare(a.Name, b.Name) })
	for i, member := range members {
		inside, named := at.members[member.Name]
		if !named || i > 0 && members[i-1].Name == member.Name {
			return false
		}
		if !s.putText(member.Name) || !s.add(inside, member) {
			return false
		}
	}
	return true
}
