package value

// maxKinds is up to which depth a balance remembers the kinds of brackets;
// deeper ones are only counted.
const maxKinds = 1 << 16

// BracketMatcher follows brackets and strings from the first byte of a value to the
// byte that closes it; a value without either ends before the first byte that
// no word or number has. It does not care what else is there, and continues
// where it stopped, so that a value may come in pieces.
type BracketMatcher struct {
	Open     []byte // the closing brackets that are due, innermost last
	deeper   int    // brackets open beyond those
	InString bool
	escaped  bool // the next byte belongs to an escape
	Begun    bool
	bare     bool // neither brackets nor quotes
	Python   bool // a Python literal
	closing  byte // the quote that ends the string
	comment  bool // in a comment
	Lines    bool // a line feed ends a string, as if its quote were missing
	Size     int  // bytes since the value's first
	Closed   bool // the value ended at seen
	Broken   bool // the bracket at seen is of the wrong kind
}

// Feed looks at text from b.seen on, and reports whether that is the end of
// it: the value is closed, or it never will be. Text begins with the value.
func (b *BracketMatcher) Feed(text []byte) bool {
	if !b.Begun && len(text) > 0 {
		b.Begun, b.bare = true, !b.isClosed(text[0])
	}
	if b.bare && (b.feedBare(text) || b.bare) {
		return b.Closed
	}
	for b.Size < len(text) && !b.Closed && !b.Broken {
		if b.InString {
			switch {
			case b.escaped:
			case b.Python:
				b.Size += countPlain(text[b.Size:], b.closing)
			default:
				b.Size = skipPlain(text, b.Size)
			}
			if b.Size == len(text) {
				break
			}
			b.string(text[b.Size])
		} else if !b.Python || !b.inPython(text[b.Size]) {
			b.structure(text[b.Size])
		}
		if !b.Broken {
			b.Size++
		}
	}
	return b.Closed || b.Broken
}

func (b *BracketMatcher) feedBare(text []byte) bool {
	for b.Size < len(text) && IsWordByte(text[b.Size]) {
		b.Size++
	}
	b.Closed = b.Size < len(text)
	if b.Closed && b.Python && PrefixSize(text) == b.Size {
		b.bare, b.Closed = false, false // it was the prefix of a string
	}
	return b.Closed
}

// isClosed is isClosed of the balance's own language.
func (b *BracketMatcher) isClosed(c byte) bool {
	return IsClosed(c) || b.Python && (c == '\'' || c == '(')
}

// string takes a byte inside a string that is not plain, or that is escaped.
func (b *BracketMatcher) string(c byte) {
	switch {
	case c == '\n' && b.Lines:
		b.InString, b.escaped = false, false
	case b.escaped:
		b.escaped = false
	case c == '\\':
		b.escaped = true
	case c == b.closing:
		b.InString = false
		b.Closed = b.depth() == 0
	}
}

// structure takes a byte outside strings. An escape can be there only if a
// quote is missing, and what looks like text is in truth between strings.
func (b *BracketMatcher) structure(c byte) {
	if b.escaped {
		b.escaped = false
		return
	}
	switch c {
	case '\\':
		b.escaped = true
	case '"':
		b.InString, b.closing = true, c
	case '{':
		b.push('}')
	case '[':
		b.push(']')
	case '}', ']':
		b.pop(c)
	}
}

func (b *BracketMatcher) depth() int { return len(b.Open) + b.deeper }

func (b *BracketMatcher) push(closing byte) {
	if len(b.Open) == maxKinds {
		b.deeper++
		return
	}
	b.Open = append(b.Open, closing)
}

func (b *BracketMatcher) pop(c byte) {
	if b.deeper > 0 {
		b.deeper--
		return
	}
	last := len(b.Open) - 1
	if last < 0 || b.Open[last] != c {
		b.Broken = true
		return
	}
	b.Open = b.Open[:last]
	b.Closed = last == 0
}

// inPython takes a byte outside strings that means something in Python only,
// and reports whether it does.
func (b *BracketMatcher) inPython(c byte) bool {
	switch {
	case b.escaped:
		return false
	case b.comment:
		b.comment = c != '\n'
	case c == '#':
		b.comment = true
	case c == '\'':
		b.InString, b.closing = true, c
	case c == '(':
		b.push(')')
	case c == ')':
		b.pop(c)
	default:
		return false
	}
	return true
}

// IsClosed reports whether a value that begins with c shows by itself where
// it ends.
func IsClosed(c byte) bool { return c == '{' || c == '[' || c == '"' }
