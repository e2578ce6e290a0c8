package source

import (
	"slices"
	"strconv"
	"strings"
)

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointerTo returns the RFC 6901 pointer from root to the innermost value
// that holds the byte at offset, in its name or in itself.
func pointerTo(root *Node, offset int) string {
	var pointer strings.Builder
	for root != nil {
		i, found := slices.BinarySearchFunc(root.Children, offset, func(n Node, at int) int {
			switch {
			case n.End <= at:
				return -1
			case n.first() > at:
				return 1
			}
			return 0
		})
		if !found {
			break
		}
		child := &root.Children[i]
		pointer.WriteByte('/')
		if root.Kind == Object {
			pointer.WriteString(pointerEscapes.Replace(child.Name))
		} else {
			pointer.WriteString(strconv.Itoa(i))
		}
		root = child
	}
	return pointer.String()
}

// first is where a value begins with its name, if it has one.
func (n *Node) first() int {
	if n.NameEnd > 0 {
		return n.NameStart
	}
	return n.Start
}
