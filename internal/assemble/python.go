package assemble

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/internal/wtf8"
)

// appendValue appends a value as Python's json.dumps writes it: with a space
// after commas and colons, and in ASCII. Numbers are unchanged.
func appendValue(b []byte, n *source.Node) []byte {
	switch n.Kind {
	case source.Object:
		return appendObject(b, n)
	case source.Array:
		b = append(b, '[')
		for i := range n.Children {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendValue(b, &n.Children[i])
		}
		return append(b, ']')
	case source.String:
		return AppendASCII(b, n.AppendExact(nil))
	case source.Bool:
		if n.Value() == true {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	case source.Number:
		return append(b, n.Raw()...)
	}
	return append(b, "null"...)
}

// appendObject appends an object. Of a duplicate key, the last value is used.
func appendObject(b []byte, n *source.Node) []byte {
	last := make(map[string]int, len(n.Children))
	for i := range n.Children {
		last[n.Children[i].Name] = i
	}
	b = append(b, '{')
	comma := false
	for i := range n.Children {
		name := n.Children[i].Name
		at, ok := last[name]
		if !ok {
			continue
		}
		delete(last, name)
		if comma {
			b = append(b, ", "...)
		}
		comma = true
		b = append(AppendASCII(b, []byte(name)), ": "...)
		b = appendValue(b, &n.Children[at])
	}
	return append(b, '}')
}

// pythonType returns the name of the Python type of a JSON value.
func pythonType(json []byte) string {
	switch json[0] {
	case '"':
		return "str"
	case '{':
		return "dict"
	case '[':
		return "list"
	case 't', 'f':
		return "bool"
	case 'n':
		return "NoneType"
	}
	if bytes.ContainsAny(json, ".eE") {
		return "float"
	}
	return "int"
}

// AppendASCII appends a text as a JSON string in ASCII, as Python's json.dumps
// writes it. A lone surrogate becomes an escape.
func AppendASCII(b, text []byte) []byte {
	b = append(b, '"')
	for len(text) > 0 {
		r, size := wtf8.DecodeRune(text)
		if ' ' <= r && r <= '~' && r != '"' && r != '\\' {
			b = append(b, text[0])
		} else {
			b = value.AppendEscape(b, r)
		}
		text = text[size:]
	}
	return append(b, '"')
}
