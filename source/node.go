package source

// Kind is the kind of a JSON value.
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
	Start, End int    // the value; End is the offset behind it
	Name       string // the decoded member name, "" outside objects
	NameStart  int    // the member name with its quotes, 0 outside objects
	NameEnd    int
	Children   []Node // members or elements, in source order; duplicate names are kept

	raw     []byte // the value as it stands in the input
	escaped bool   // a string with at least one escape
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

// Raw returns the value as it stands in the input. It is valid as long as the
// record's Data is.
func (n *Node) Raw() []byte { return n.raw }

// Escaped reports whether the value is a string that holds an escape.
func (n *Node) Escaped() bool { return n.escaped }
