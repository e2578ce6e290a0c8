package schema

import (
	"slices"
	"sync/atomic"

	"github.com/lmclint/lmclint/internal/source"
)

// memory is the verdict on the records of one shape.
type memoEntry struct {
	by    *definition
	shape string
	found []*memoViolation // empty if they are valid
}

// remembered is a violation without the record that it was found in.
type memoViolation struct {
	violation Violation
	path      []int // where its node is, by the numbers of children
	vague     bool  // what is made of its node's key or value differs between records of the shape
	instead   int   // which child of the record Instead is the key of, -1 without one

	latest atomic.Pointer[memoWords] // a program makes the same mistake again and again
}

// told is what was made of a string.
type memoWords struct{ found, nearest string }

// newMemory reports false if a violation is about a place that the shape does
// not reach.
func newMemory(by *definition, shape []byte, root *source.Node, violations []Violation) (*memoEntry, bool) {
	m := &memoEntry{by: by, shape: string(shape)}
	for _, v := range violations {
		path, at, ok := by.known().relevance.find(root, v.Node)
		if !ok {
			return nil, false
		}
		vague := v.origin == fromName || v.origin != fromKeys && !at.decides(v.Node)
		instead := childNamed(root, v.Instead)
		v.Node, v.Expected = nil, slices.Clone(v.Expected)
		m.found = append(m.found, &memoViolation{violation: v, path: path, vague: vague, instead: instead})
	}
	return m, true
}

func (m *memoEntry) is(by *definition, shape []byte) bool {
	return m.by == by && m.shape == string(shape)
}

// append appends the verdict on a record of the shape to a list.
func (m *memoEntry) append(list []Violation, root *source.Node) []Violation {
	for _, r := range m.found {
		list = append(list, r.violation)
		r.fit(&list[len(list)-1], root)
	}
	return list
}

// fit makes a copy of the violation one of a record.
func (r *memoViolation) fit(v *Violation, root *source.Node) {
	v.Node = root
	for _, child := range r.path {
		v.Node = &v.Node.Children[child]
	}
	if r.instead >= 0 {
		v.Instead = root.Children[r.instead].Name
	}
	if r.vague {
		r.describe(v)
	}
}

// describe fills in what is made of the node's key or value, which is the same
// as for the latest if that was the same string.
func (r *memoViolation) describe(v *Violation) {
	if v.origin == fromName || v.Node.Kind != source.String {
		v.describe(v.origin)
		return
	}
	text := textOf(v.Node)
	if last := r.latest.Load(); last != nil && last.found[1:len(last.found)-1] == string(text) {
		v.Found, v.Nearest = last.found, last.nearest
		return
	}
	v.describe(v.origin)
	if v.Found[1:len(v.Found)-1] == string(text) { // not cut, and without escapes
		r.latest.Store(&memoWords{v.Found, v.Nearest})
	}
}

// childNamed is the number of the member that Instead is the key of, -1 if it is
// empty: no unknown key that is near a known one is.
func childNamed(root *source.Node, key string) int {
	if key == "" {
		return -1
	}
	return slices.IndexFunc(root.Children, func(n source.Node) bool { return n.Name == key })
}

// find returns the way from a value to a node in it, and the node's location.
// It looks only where shapes tell how many members there are.
func (l *relevanceNode) find(from, node *source.Node) (path []int, at *relevanceNode, ok bool) {
	if from == node {
		return nil, l, true
	}
	if l == nil || l.members == nil || from.Kind != source.Object {
		return nil, nil, false
	}
	for i := range from.Children {
		child := &from.Children[i]
		if path, at, ok := l.members[child.Name].find(child, node); ok {
			return append([]int{i}, path...), at, true
		}
	}
	return nil, nil, false
}

// decides reports whether the shape of a value says all that is ever told
// about it.
func (l *relevanceNode) decides(n *source.Node) bool {
	switch {
	case !isScalar(n.Kind):
		return true
	case l == nil:
		return false
	case n.Kind == source.String:
		return slices.Contains(l.texts, n.Text())
	}
	return l.exact
}
