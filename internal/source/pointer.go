package source

import (
	"sort"
	"strconv"
	"strings"
)

// pointerTo returns the pointer that appendPointer appends.
func pointerTo(root *Node, offset int) string { return string(appendPointer(nil, root, offset)) }

// appendPointer appends the RFC 6901 pointer from root to the innermost value
// that holds the byte at offset, in its name or in itself.
func appendPointer(pointer []byte, root *Node, offset int) []byte {
	for root != nil {
		i := root.childAt(offset)
		if i < 0 {
			break
		}
		child := &root.Children[i]
		pointer = append(pointer, '/')
		if root.Kind == Object {
			pointer = appendPointerToken(pointer, child.Name)
		} else {
			pointer = strconv.AppendInt(pointer, int64(i), 10)
		}
		root = child
	}
	return pointer
}

// childAt is the index of the member or element that holds the byte at an
// offset, -1 if none does. The few of a sample may come in any order (see
// Hole.Shuffled).
func (n *Node) childAt(offset int) int {
	holds := func(i int) bool { return n.Children[i].first() <= offset && offset < n.Children[i].End }
	i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].End > offset })
	if i < len(n.Children) && holds(i) {
		return i
	}
	for i := range n.Children[:min(len(n.Children), maxMembers)] {
		if holds(i) {
			return i
		}
	}
	return -1
}

// appendPointerToken appends a name as pointers have it.
func appendPointerToken(pointer []byte, name string) []byte {
	if !strings.ContainsAny(name, "~/") {
		return append(pointer, name...)
	}
	for i := range len(name) {
		switch c := name[i]; c {
		case '~':
			pointer = append(pointer, "~0"...)
		case '/':
			pointer = append(pointer, "~1"...)
		default:
			pointer = append(pointer, c)
		}
	}
	return pointer
}

// first is where a value begins with its name, if it has one.
func (n *Node) first() int {
	if n.NameEnd > 0 {
		return n.NameStart
	}
	return n.Start
}
