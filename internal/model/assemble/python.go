package assemble

import (
	"bytes"
	"strings"

	"github.com/lmclint/lmclint/internal/base/wtf8"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// dumps writes values as Python's json.dumps writes them: with a space after commas and
// colons, and in ASCII. Of a duplicate key, the last value is used.
var dumps = value.Writer{
	String: func(b []byte, n *source.Node) []byte { return AppendASCII(b, n.AppendExact(nil)) },
	Name:   func(b []byte, n *source.Node) []byte { return AppendASCII(b, []byte(n.Name)) },
	Members: func(all []source.Node) (kept []source.Node) {
		at := make(map[string]int, len(all)) // in kept
		for i := range all {
			if j, ok := at[all[i].Name]; ok {
				kept[j] = all[i]
				continue
			}
			at[all[i].Name] = len(kept)
			kept = append(kept, all[i])
		}
		return kept
	},
}

func appendValue(b []byte, n *source.Node) []byte { return dumps.Append(b, n) }

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

// truthy reports whether a value is true where Python asks for a condition. An absent
// value is not; lists and objects are, which no consumer tests.
func truthy(n *source.Node) bool {
	switch {
	case n == nil, n.Kind == source.Null:
		return false
	case n.Kind == source.Bool:
		return n.Value() == true
	case n.Kind == source.String:
		return len(n.AppendText(nil)) > 0
	case n.Kind == source.Number:
		mantissa, _, _ := strings.Cut(strings.ToLower(string(n.Raw())), "e")
		return strings.ContainsAny(mantissa, "123456789")
	}
	return true
}
