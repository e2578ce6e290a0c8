package value

// Writer writes values on one line, as JSON or as Python literals. Numbers are written
// as they are.
type Writer struct {
	Python  bool
	Compact bool // without spaces after commas and colons

	// String appends a string, Name the name of a member.
	String, Name func(b []byte, n *Node) []byte

	// Members returns the members of an object to write; nil writes all of them.
	Members func(all []Node) []Node
}

// Append appends a value.
func (w *Writer) Append(b []byte, n *Node) []byte {
	switch n.Kind {
	case Object:
		members := n.Children
		if w.Members != nil {
			members = w.Members(members)
		}
		return append(w.list(append(b, '{'), members, true), '}')
	case Array:
		return append(w.list(append(b, '['), n.Children, false), ']')
	case String:
		return w.String(b, n)
	case Number:
		return append(b, n.raw...)
	}
	json, python := "null", "None"
	switch {
	case n.Value() == true:
		json, python = "true", "True"
	case n.Kind == Bool:
		json, python = "false", "False"
	}
	if w.Python {
		return append(b, python...)
	}
	return append(b, json...)
}

// list appends members or elements.
func (w *Writer) list(b []byte, nodes []Node, areMembers bool) []byte {
	comma, colon := ", ", ": "
	if w.Compact {
		comma, colon = ",", ":"
	}
	for i := range nodes {
		if i > 0 {
			b = append(b, comma...)
		}
		if areMembers {
			b = append(w.Name(b, &nodes[i]), colon...)
		}
		b = w.Append(b, &nodes[i])
	}
	return b
}
