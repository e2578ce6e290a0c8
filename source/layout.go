package source

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Layout is how a record stands in its input, byte for byte, but for one
// string that may differ. A line that begins as the layout does, and goes on
// as the layout does behind some string, is as sound a record as the one that
// the layout was taken from.
type Layout struct {
	head []byte // up to the string's opening quote, or the whole record
	tail []byte // from the string's closing quote
	open bool   // there is a string that may differ
}

// Hole is where a line holds the string that its layout leaves open, without
// its quotes. Offsets are bytes from the line's start.
type Hole struct {
	From, To int
	Escaped  bool // it holds escapes, but none with \u
}

// NewLayout takes the layout of a record with one of its strings left open;
// with none if n is nil. It keeps copies.
func NewLayout(r *Record, n *Node) Layout {
	data := bytes.Clone(r.Data)
	if n == nil {
		return Layout{head: data}
	}
	return Layout{head: data[:n.Start+1], tail: data[n.End-1:], open: true}
}

// Size is how many bytes the layout keeps.
func (l *Layout) Size() int { return len(l.head) + len(l.tail) }

// Match finds out whether text begins with a line of the layout, and how many
// bytes that has, with its line feed. It says no where it is not certain:
// where the string holds a \u escape, a control character or the bytes of a
// C1 control, and where anything stands behind the record.
func (l *Layout) Match(text []byte) (hole Hole, size int, ok bool) {
	if !bytes.HasPrefix(text, l.head) {
		return hole, 0, false
	}
	end := len(l.head)
	if l.open {
		hole.From = end
		hole.To, hole.Escaped, ok = skipText(text, end)
		if !ok || !bytes.HasPrefix(text[hole.To:], l.tail) {
			return hole, 0, false
		}
		end = hole.To + len(l.tail)
	}
	if end < len(text) && text[end] == '\n' {
		return hole, end + 1, true
	}
	if end+1 < len(text) && text[end] == '\r' && text[end+1] == '\n' {
		return hole, end + 2, true
	}
	return hole, 0, false
}

// Eight bytes at a time: a byte is found by turning it into zero, and a zero
// by the borrow that subtracting one from it makes.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// skipText finds the closing quote of a string from behind its opening one.
func skipText(text []byte, i int) (end int, escaped, ok bool) {
	start, wide := i, uint64(0)
	for {
		var stop uint64
		for i+8 <= len(text) {
			word := binary.LittleEndian.Uint64(text[i:])
			quote, slash := word^(ones*'"'), word^(ones*'\\')
			stop = ((quote-ones)&^quote | (slash-ones)&^slash | (word-ones*' ')&^word) & highs
			wide |= word & highs
			if stop != 0 {
				break
			}
			i += 8
		}
		if stop != 0 {
			i += bits.TrailingZeros64(stop) / 8
		}
		c, found := at(text, &i, &wide)
		switch {
		case !found || c < ' ':
			return 0, false, false
		case c == '"':
			return i, escaped, wide == 0 || !hasC1(text[start:i])
		}
		if i+1 >= len(text) || !isPlainEscape(text[i+1]) {
			return 0, false, false
		}
		escaped = true
		i += 2
	}
}

// at moves i to the next byte that may end a stretch of plain text: near the
// end of the text, where eight bytes cannot be taken at once.
func at(text []byte, i *int, wide *uint64) (c byte, found bool) {
	for ; *i < len(text); *i++ {
		switch c := text[*i]; {
		case c == '"', c == '\\', c < ' ':
			return c, true
		case c >= 0x80:
			*wide |= highs
		}
	}
	return 0, false
}

// isPlainEscape reports whether c makes an escape of two characters.
func isPlainEscape(c byte) bool {
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	}
	return false
}

// hasC1 reports whether text holds a control character of the second kind
// (U+0080 to U+009F), which terminals obey as they do escapes.
func hasC1(text []byte) bool {
	for {
		i := bytes.IndexByte(text, 0xC2)
		if i < 0 || i+1 >= len(text) {
			return false
		}
		if text[i+1] < 0xA0 {
			return true
		}
		text = text[i+1:]
	}
}
