package value

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Kind is the kind of a value. Python values have the kinds of their JSON
// counterparts: a dict is an object, a list or tuple an array.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

// String returns the name of the kind as JSON Schema writes it.
func (k Kind) String() string {
	names := [...]string{"", "null", "boolean", "number", "string", "array", "object"}
	if int(k) >= len(names) {
		return ""
	}
	return names[k]
}

// Node is one JSON value of a record. Offsets count bytes from the start of
// the record's Data.
type Node struct {
	Kind       Kind
	Start, End int    // the value; End is the offset after it
	Name       string // the decoded member name, "" outside objects
	NameStart  int    // the member name with its quotes, 0 outside objects
	NameEnd    int
	Children   []Node // members or elements, in source order; duplicate names are kept

	raw     []byte // the source text of the value
	escaped bool   // a string with at least one escape, or adjacent ones
	plain   bool   // IsPlain is known to be true
	python  bool   // a Python literal
	joined  bool   // adjacent Python strings, which form one value
}

// Member returns the first member with a name, or nil. The node may be nil or
// not an object.
func (n *Node) Member(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for i := range n.Children {
		if n.Children[i].Name == name {
			return &n.Children[i]
		}
	}
	return nil
}

// Raw returns the source text of the value. It is valid as long as the record's
// Data.
func (n *Node) Raw() []byte { return n.raw }

// RawContent returns the source text between the quotes of a string, and nil
// for other values. It equals the string's text if it has no escape.
func (n *Node) RawContent() []byte {
	if n == nil || n.Kind != String {
		return nil
	}
	return n.raw[1 : len(n.raw)-1]
}

// IsJoined reports whether the value is adjacent Python strings, which form one
// value.
func (n *Node) IsJoined() bool { return n.joined }

// CloneTo copies the tree to another node. The copy refers to data, which must
// equal the data of the record.
func (n *Node) CloneTo(to *Node, data []byte) {
	*to = *n
	to.raw = data[n.Start:n.End:n.End]
	to.Children = slices.Clone(n.Children)
	for i := range to.Children {
		n.Children[i].CloneTo(&to.Children[i], data)
	}
}

// QuoteSize returns the size of the quote at either end of a JSON string in
// bytes: 1, and 0 for other values.
func (n *Node) QuoteSize() int {
	if n.Kind == String {
		return 1
	}
	return 0
}

// AppendPointer appends the RFC 6901 pointer from root to the innermost value
// whose name or value contains the byte at offset.
func AppendPointer(pointer []byte, root *Node, offset int) []byte {
	for root != nil {
		i := root.childAt(offset)
		if i < 0 {
			break
		}
		child := &root.Children[i]
		pointer = append(pointer, '/')
		if root.Kind == Object {
			pointer = append(pointer, pointerEscapes.Replace(child.Name)...)
		} else {
			pointer = strconv.AppendInt(pointer, int64(i), 10)
		}
		root = child
	}
	return pointer
}

// childAt returns the index of the member or element that contains the byte at
// offset, or -1.
func (n *Node) childAt(offset int) int {
	i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].End > offset })
	if i < len(n.Children) && n.Children[i].StartWithName() <= offset {
		return i
	}
	return -1
}

// pointerEscapes escapes a member name for a JSON pointer.
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// StartWithName returns the offset at which the member starts, or the value if
// it has no name.
func (n *Node) StartWithName() int {
	if n.NameEnd > 0 {
		return n.NameStart
	}
	return n.Start
}

// Move adds by to all offsets of the node and its descendants.
func (n *Node) Move(by int) {
	n.MoveShallow(by)
	for i := range n.Children {
		n.Children[i].Move(by)
	}
}

// MoveShallow adds by to the offsets of the node, but not to those of its
// descendants.
func (n *Node) MoveShallow(by int) {
	n.Start += by
	n.End += by
	if n.NameEnd > 0 {
		n.NameStart += by
		n.NameEnd += by
	}
}

// SetRaw replaces the source text of the value. The caller sets Start and End.
func (n *Node) SetRaw(raw []byte) { n.raw = raw }

// SetPlain is SetRaw for a string for which IsPlain is true. The text includes
// the quotes; escaped says that it has an escape.
func (n *Node) SetPlain(raw []byte, escaped bool) { n.raw, n.escaped, n.plain = raw, escaped, true }

// HasLiteral reports whether the value is or contains true, false or null.
func (n *Node) HasLiteral() bool {
	return n.Kind == Bool || n.Kind == Null || slices.ContainsFunc(n.Children, func(child Node) bool { return child.HasLiteral() })
}
