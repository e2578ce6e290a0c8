package source

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
	Start, End int    // the value; End is the offset behind it
	Name       string // the decoded member name, "" outside objects
	NameStart  int    // the member name with its quotes, 0 outside objects
	NameEnd    int
	Children   []Node // members or elements, in source order; duplicate names are kept

	raw     []byte // the value as it stands in the input
	base64  int    // so many bytes inside a string are known to be base64 characters
	escaped bool   // a string with at least one escape, or with a prefix
	plain   bool   // a string that is known to be plain
	python  bool   // a Python literal
	joined  bool   // several Python strings, one behind the other
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

// Inside returns what stands between the quotes of a string in the input, and
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

// Base64 returns how many bytes of Inside, from the first, are known to be
// characters of base64. It is 0 where nobody has looked.
func (n *Node) Base64() int { return n.base64 }

// Escaped reports whether the value is a string that holds an escape, or has a
// prefix as Python's strings may.
func (n *Node) Escaped() bool { return n.escaped }
