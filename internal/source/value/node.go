package value

import (
	"fmt"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Kind is the kind of a value. Those of Python are called by what JSON has for
// them: a dict is an object, a list or tuple an array.
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

	raw     []byte // the value as it is in the input
	escaped bool   // a string with at least one escape, or with a prefix
	plain   bool   // a string that is known to be plain
	python  bool   // a Python literal
	joined  bool   // several Python strings, one after another
}

// Member returns the first member of that name, or nil.
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

// Raw returns the value as it is in the input. It is valid as long as the
// record's Data is.
func (n *Node) Raw() []byte { return n.raw }

// RawContent returns what is between the quotes of a string in the input, and
// nil for any other value. It is the string's text unless that is Escaped.
func (n *Node) RawContent() []byte {
	if n == nil || n.Kind != String {
		return nil
	}
	if n.python {
		return insideLiteral(n.raw)
	}
	return n.raw[1 : len(n.raw)-1]
}

// Escaped reports whether the value is a string that contains an escape, or has a
// prefix as Python's strings may.
func (n *Node) Escaped() bool { return n.escaped }

// CloneTo copies a tree into to, over a copy of the record's data.
func (n *Node) CloneTo(to *Node, data []byte) {
	*to = *n
	to.raw = data[n.Start:n.End:n.End]
	to.Children = slices.Clone(n.Children)
	for i := range to.Children {
		n.Children[i].CloneTo(&to.Children[i], data)
	}
}

// QuoteSize is how many bytes a value has before what it contains, and after.
func (n *Node) QuoteSize() int {
	if n.Kind == String {
		return 1
	}
	return 0
}

// PointerTo returns the pointer that appendPointer appends.
func PointerTo(root *Node, offset int) string { return string(AppendPointer(nil, root, offset)) }

// AppendPointer appends the RFC 6901 pointer from root to the innermost value
// that contains the byte at offset, in its name or in itself.
func AppendPointer(pointer []byte, root *Node, offset int) []byte {
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

// childAt is the index of the member or element that contains the byte at an
// offset, -1 if none does. The few of a sample may come in any order (see
// Hole.Shuffled).
func (n *Node) childAt(offset int) int {
	holds := func(i int) bool { return n.Children[i].Begin() <= offset && offset < n.Children[i].End }
	i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].End > offset })
	if i < len(n.Children) && holds(i) {
		return i
	}
	for i := range n.Children[:min(len(n.Children), fewChildren)] {
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

// Begin is where a value begins with its name, if it has one.
func (n *Node) Begin() int {
	if n.NameEnd > 0 {
		return n.NameStart
	}
	return n.Start
}

// Move moves a value, with its name and all that it contains, by that many bytes.
func (n *Node) Move(by int) {
	n.MoveAlone(by)
	for i := range n.Children {
		n.Children[i].Move(by)
	}
}

// MoveAlone moves a value with its name, and nothing that it contains.
func (n *Node) MoveAlone(by int) {
	n.Start += by
	n.End += by
	if n.NameEnd > 0 {
		n.NameStart += by
		n.NameEnd += by
	}
}

// fewChildren is how many children are searched one by one for an offset when
// they are not in source order.
const fewChildren = 16

// SetRaw makes the node stand for another value of its kind, whose text is raw.
// Start and End are the caller's to set.
func (n *Node) SetRaw(raw []byte) { n.raw = raw }

// SetText is SetRaw for a plain string (see Plain), with its quotes, of which it is
// known whether it has escapes.
func (n *Node) SetText(raw []byte, escaped bool) { n.raw, n.escaped, n.plain = raw, escaped, true }

// Values gives the JSON values of a text that are one after another, with
// whitespace between them, up to the first that is not one. It is for texts that
// are known to be valid; recordings have a Reader. A value is valid until the
// next.
func Values(text []byte) iter.Seq2[*Node, error] {
	return func(yield func(*Node, error) bool) {
		scan := Scanner{MaxDepth: MaxDepth}
		for at := SpaceSize(text); at < len(text); at += SpaceSize(text[at:]) {
			v := scan.Scan(text[at:], true)
			if v.Stop != nil {
				yield(nil, fmt.Errorf("byte %d: %s", at+v.Stop.Start, v.Stop.Detail))
				return
			}
			if at += v.End; !yield(v.Root, nil) {
				return
			}
		}
	}
}
