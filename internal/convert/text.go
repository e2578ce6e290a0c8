package convert

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/assemble"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/internal/wtf8"
)

// errSurrogatePair reports a Python string that JSON cannot express: its two
// halves are two characters in Python and one in JSON.
var errSurrogatePair = errors.New("a string has both halves of a surrogate pair as two characters, which JSON reads as one")

// appendRecord appends the text of a record on one line, as JSON or as a Python
// literal. A record that is on one line in that language is appended unchanged.
func appendRecord(b []byte, r *source.Record, python bool) ([]byte, error) {
	if r.Python == python && !bytes.ContainsAny(r.Data, "\r\n") {
		return append(b, r.Data...), nil
	}
	w := textWriter{data: r.Data, from: r.Python, to: python, out: b}
	w.value(r.Root)
	return w.out, w.err
}

// textWriter writes the values of a record on one line. Numbers, and strings on a
// line that stay in their language, are written as they are.
type textWriter struct {
	data     []byte
	from, to bool // Python rather than JSON
	out      []byte
	err      error
}

func (w *textWriter) value(n *source.Node) {
	switch n.Kind {
	case source.Object:
		w.list(n, '{', '}')
	case source.Array:
		w.list(n, '[', ']')
	case source.String:
		w.string(n.Raw(), n.IsJoined(), n.AppendExact)
	case source.Number:
		w.out = append(w.out, n.Raw()...)
	case source.Bool:
		if n.Value() == true {
			w.word("true", "True")
		} else {
			w.word("false", "False")
		}
	default:
		w.word("null", "None")
	}
}

// word appends a word in the language of the output.
func (w *textWriter) word(json, python string) {
	if w.to {
		json = python
	}
	w.out = append(w.out, json...)
}

func (w *textWriter) list(n *source.Node, opening, closing byte) {
	w.out = append(w.out, opening)
	for i := range n.Children {
		if i > 0 {
			w.out = append(w.out, ", "...)
		}
		child := &n.Children[i]
		if n.Kind == source.Object {
			raw := w.data[child.NameStart:child.NameEnd]
			w.string(raw, false, func(b []byte) []byte { return appendName(b, raw, w.from) })
			w.out = append(w.out, ": "...)
		}
		w.value(child)
	}
	w.out = append(w.out, closing)
}

// string appends a string, given verbatim and by a function that appends its decoded
// text.
func (w *textWriter) string(raw []byte, joined bool, decode func([]byte) []byte) {
	switch {
	case w.from == w.to && !joined && bytes.IndexByte(raw, '\n') < 0:
		w.out = append(w.out, raw...)
	case w.to:
		w.out = appendPython(w.out, decode(nil))
	default:
		text := decode(nil)
		if w.from && len(wtf8.JoinSurrogates(text)) < len(text) {
			w.err = errSurrogatePair // and what is written does not count
		}
		w.out = assemble.AppendASCII(w.out, text)
	}
}

// appendName appends the decoded name of a member, given with its quotes. Unlike
// [value.Node.Name] it is exact: a lone surrogate stays.
func appendName(b, raw []byte, python bool) []byte {
	decode := value.DecodeEscape
	if python {
		decode = value.DecodePython
	}
	return value.AppendText(b, raw[1:len(raw)-1], true, decode)
}

// appendPython appends a string as Python's repr writes it: in single quotes
// unless only those occur in the text, printable characters as they are.
func appendPython(b, text []byte) []byte {
	quote := byte('\'')
	if bytes.IndexByte(text, '\'') >= 0 && bytes.IndexByte(text, '"') < 0 {
		quote = '"'
	}
	b = append(b, quote)
	for len(text) > 0 {
		r, size := wtf8.DecodeRune(text)
		switch {
		case r == rune(quote) || r == '\\':
			b = append(b, '\\', byte(r))
		case unicode.IsPrint(r) && (r != utf8.RuneError || size > 1):
			b = append(b, text[:size]...)
		default:
			b = appendPythonEscape(b, r)
		}
		text = text[size:]
	}
	return append(b, quote)
}

// appendPythonEscape appends a character that is not printable as repr does.
func appendPythonEscape(b []byte, r rune) []byte {
	if i := strings.IndexRune("\t\n\r", r); i >= 0 {
		return append(b, '\\', "tnr"[i])
	}
	switch {
	case r > 0xffff:
		return fmt.Appendf(b, `\U%08x`, r)
	case r > 0xff:
		return fmt.Appendf(b, `\u%04x`, r)
	}
	return fmt.Appendf(b, `\x%02x`, r)
}
