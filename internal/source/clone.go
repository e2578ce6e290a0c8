package source

import (
	"bytes"
	"slices"
)

// Clone returns a copy of the record that stays valid.
func (r *Record) Clone() *Record {
	c := *r
	c.Data = bytes.Clone(r.Data)
	c.Problems = slices.Clone(r.Problems)
	if r.Root != nil {
		c.Root = &Node{}
		r.Root.cloneTo(c.Root, c.Data)
	}
	return &c
}

// cloneTo copies a tree into to, over a copy of the record's data.
func (n *Node) cloneTo(to *Node, data []byte) {
	*to = *n
	to.raw = data[n.Start:n.End:n.End]
	to.Children = slices.Clone(n.Children)
	for i := range to.Children {
		n.Children[i].cloneTo(&to.Children[i], data)
	}
}
