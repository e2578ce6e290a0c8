package value

import "slices"

// maxOpen is how many brackets may be open. A deeper one counts as of the wrong kind.
const maxOpen = 1 << 16

// BracketMatcher finds the end of a JSON value or Python literal from its
// brackets and strings alone, without checking its grammar. A number or word
// ends before the first byte that neither can contain. The value may arrive in
// parts: Feed continues where the previous call stopped. The zero value is
// ready to match a JSON value.
type BracketMatcher struct {
	Python bool // the value is a Python literal

	open     []byte // closing brackets that are due, innermost last
	inString bool
	escaped  bool // the next byte belongs to an escape
	begun    bool // the first byte was seen
	isBare   bool // the value has neither brackets nor quotes
	closing  byte // the quote that ends the current string
	size     int  // bytes of the value that were matched
	closed   bool // the value ends at size
	broken   bool // the byte at size is a bracket of the wrong kind
}

// StartInsideObject makes a new matcher start after an object's opening
// bracket.
func (b *BracketMatcher) StartInsideObject() { b.begun, b.open = true, []byte{'}'} }

// Size returns how many bytes of the value were matched: all of it if it is
// closed, and those before the offending bracket if it is broken.
func (b *BracketMatcher) Size() int { return b.size }

// IsClosed reports whether the end of the value was found.
func (b *BracketMatcher) IsClosed() bool { return b.closed }

// IsBroken reports whether a bracket of the wrong kind was found.
func (b *BracketMatcher) IsBroken() bool { return b.broken }

// Due returns the closing brackets that are due, innermost last. It reports false inside
// a string.
func (b *BracketMatcher) Due() ([]byte, bool) { return slices.Clone(b.open), !b.inString }

// Discard drops the first n matched bytes: the text of the next Feed starts n
// bytes later.
func (b *BracketMatcher) Discard(n int) { b.size -= n }

// Feed matches the part of text that it has not seen yet, and reports whether
// the value is closed or broken. The text must start with the value.
func (b *BracketMatcher) Feed(text []byte) bool {
	if !b.begun && len(text) > 0 {
		b.begun, b.isBare = true, !IsDelimited(text[0]) && (!b.Python || text[0] != '\'')
	}
	if b.isBare {
		for b.size < len(text) && IsWordByte(text[b.size]) {
			b.size++
		}
		b.closed = b.size < len(text)
		return b.closed
	}
	for b.size < len(text) && !b.closed {
		switch {
		case !b.inString:
			if b.structure(text[b.size]); b.broken {
				return true
			}
		case b.escaped:
			b.escaped = false
		default:
			if b.Python {
				b.size += countPlain(text[b.size:], b.closing)
			} else {
				b.size, _ = skipPlain(text, b.size)
			}
			if b.size == len(text) {
				return false
			}
			b.escaped = text[b.size] == '\\'
			b.inString = text[b.size] != b.closing
			b.closed = !b.inString && len(b.open) == 0
		}
		b.size++
	}
	return b.closed || b.broken
}

// structure processes a byte outside strings. A backslash there means that a
// quote is missing, so that the inside and the outside of strings are swapped;
// the byte after it is ignored as if it were escaped.
func (b *BracketMatcher) structure(c byte) {
	last := len(b.open) - 1
	switch {
	case b.escaped:
		b.escaped = false
	case c == '\\':
		b.escaped = true
	case c == '"', c == '\'' && b.Python:
		b.inString, b.closing = true, c
	case c == '{', c == '[':
		b.broken = len(b.open) == maxOpen
		b.open = append(b.open, c+('}'-'{'))
	case c == '}', c == ']':
		if b.broken = last < 0 || b.open[last] != c; !b.broken {
			b.open = b.open[:last]
			b.closed = last == 0
		}
	}
}

// IsDelimited reports whether a JSON value that starts with c has a closing
// bracket or quote.
func IsDelimited(c byte) bool { return c == '{' || c == '[' || c == '"' }
