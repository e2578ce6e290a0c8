package source

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns the decoded text of a string, and "" for any other value. A
// lone surrogate is decoded as U+FFFD.
func (n *Node) Text() string {
	if n == nil || n.Kind != String {
		return ""
	}
	if !n.escaped {
		return string(n.raw[1 : len(n.raw)-1])
	}
	return string(n.AppendText(make([]byte, 0, len(n.raw))))
}

// AppendText appends the decoded text of a string to buf, as Text returns it.
func (n *Node) AppendText(buf []byte) []byte { return n.appendDecoded(buf, false) }

// AppendExact is AppendText, but that a lone surrogate keeps its value: it
// becomes the three bytes that UTF-8 would have for it, and does not allow. So
// two halves that two strings hold are not lost when the strings are joined.
func (n *Node) AppendExact(buf []byte) []byte { return n.appendDecoded(buf, true) }

func (n *Node) appendDecoded(buf []byte, exact bool) []byte {
	if n == nil || n.Kind != String {
		return buf
	}
	if n.joined {
		return appendJoined(buf, n.raw, exact)
	}
	if n.escaped && n.python {
		return appendPython(buf, n.raw, exact)
	}
	inside := n.raw[1 : len(n.raw)-1]
	if !n.escaped {
		return append(buf, inside...)
	}
	return appendText(buf, inside, exact, decodeEscape)
}

// decodeText decodes the escapes of a string without its quotes.
func decodeText(raw []byte, exact bool) string {
	return string(appendText(make([]byte, 0, len(raw)), raw, exact, decodeEscape))
}

// appendText appends a string to buf, without its quotes and with its escapes
// decoded. With exact set, a lone surrogate keeps its value, which is no valid
// UTF-8.
func appendText(buf, raw []byte, exact bool, decode func(text []byte) (r rune, size int)) []byte {
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(buf, raw...)
		}
		buf = append(buf, raw[:i]...)
		r, size := decode(raw[i:])
		buf = appendRune(buf, r, exact)
		raw = raw[i+size:]
	}
	return buf
}

// decodeEscape decodes the escape that text begins with.
func decodeEscape(text []byte) (r rune, size int) {
	switch text[1] {
	case 'u':
		r, size, _ := decodeUnit(text)
		return r, size
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	return rune(text[1]), 2
}

// rawRange maps the bytes from and to of a string's text to the bytes of the
// string with its quotes. A byte inside a code point or an escape stands for
// all of it; any byte of joined strings stands for all of them.
func (n *Node) rawRange(from, to int) (start, end int) {
	inside := n.RawContent()
	before := len(n.raw) - 1 - len(inside)
	if n.joined {
		return before, len(n.raw) - 1
	}
	at := 0 // in the text
	i := 0
	start = -1
	for i < len(inside) && at < to {
		step, size := n.unitSizes(inside[i:])
		if start < 0 && at+size > from {
			start = i
		}
		i, at = i+step, at+size
	}
	if start < 0 {
		start = i
	}
	return before + start, before + i
}

// unitSizes returns how many bytes the first code point of a string takes, as
// it is written and decoded.
func (n *Node) unitSizes(inside []byte) (raw, decoded int) {
	if inside[0] != '\\' || n.python && isRaw(n.raw) {
		_, size := utf8.DecodeRune(inside)
		return size, size
	}
	r, size := n.decodeEscape(inside)
	if utf16.IsSurrogate(r) {
		r = utf8.RuneError
	}
	return size, utf8.RuneLen(r)
}

func (n *Node) decodeEscape(text []byte) (r rune, size int) {
	if n.python {
		return decodePython(text)
	}
	return decodeEscape(text)
}
