package convert

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/base/wtf8"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
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
	w := newTextWriter(r.Data, r.Python, python)
	b = w.Append(b, r.Root)
	return b, w.err
}

// textWriter writes values on one line. Strings on a line that stay in their language
// are written as they are.
type textWriter struct {
	value.Writer
	err error
}

// newTextWriter returns the writer of values in data, from a language and to one:
// Python rather than JSON.
func newTextWriter(data []byte, from, to bool) *textWriter {
	w := &textWriter{Writer: value.Writer{Python: to}}
	write := func(b, raw []byte, joined bool, decode func([]byte) []byte) []byte {
		if from == to && !joined && bytes.IndexByte(raw, '\n') < 0 {
			return append(b, raw...)
		}
		text := decode(nil)
		if to {
			return appendPython(b, text)
		}
		if from && len(wtf8.JoinSurrogates(text)) < len(text) {
			w.err = errSurrogatePair // and what is written does not count
		}
		return assemble.AppendASCII(b, text)
	}
	w.String = func(b []byte, n *source.Node) []byte { return write(b, n.Raw(), n.IsJoined(), n.AppendExact) }
	w.Name = func(b []byte, n *source.Node) []byte {
		raw := data[n.NameStart:n.NameEnd]
		return write(b, raw, false, func(b []byte) []byte { return appendName(b, raw, from) })
	}
	return w
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
