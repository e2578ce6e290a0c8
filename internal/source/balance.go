package source

// maxKinds is up to which depth a balance remembers the kinds of brackets;
// deeper ones are only counted.
const maxKinds = 1 << 16

// balance follows brackets and strings from the first byte of a value to the
// byte that closes it; a value without either ends before the first byte that
// no word or number has. It does not care what else stands there, and goes on
// where it stopped, so that a value may come in pieces.
type bracketMatcher struct {
	open     []byte // the closing brackets that are due, innermost last
	deeper   int    // brackets open beyond those
	inString bool
	escaped  bool // the next byte belongs to an escape
	begun    bool
	bare     bool // neither brackets nor quotes
	python   bool // a Python literal
	closing  byte // the quote that ends the string
	comment  bool // in a comment
	lines    bool // a line feed ends a string, as if its quote were missing
	seen     int  // bytes since the value's first
	closed   bool // the value ended at seen
	broken   bool // the bracket at seen is of the wrong kind
}

// feed looks at text from b.seen on, and reports whether that is the end of
// it: the value is closed, or it never will be. Text begins with the value.
func (b *bracketMatcher) feed(text []byte) bool {
	if !b.begun && len(text) > 0 {
		b.begun, b.bare = true, !b.isClosed(text[0])
	}
	if b.bare && (b.feedBare(text) || b.bare) {
		return b.closed
	}
	for b.seen < len(text) && !b.closed && !b.broken {
		if b.inString {
			switch {
			case b.escaped:
			case b.python:
				b.seen += countPlain(text[b.seen:], b.closing)
			default:
				b.seen, _ = skipPlain(text, b.seen)
			}
			if b.seen == len(text) {
				break
			}
			b.string(text[b.seen])
		} else if !b.python || !b.inPython(text[b.seen]) {
			b.structure(text[b.seen])
		}
		if !b.broken {
			b.seen++
		}
	}
	return b.closed || b.broken
}

func (b *bracketMatcher) feedBare(text []byte) bool {
	for b.seen < len(text) && isWordByte(text[b.seen]) {
		b.seen++
	}
	b.closed = b.seen < len(text)
	if b.closed && b.python && prefixSize(text) == b.seen {
		b.bare, b.closed = false, false // it was the prefix of a string
	}
	return b.closed
}

// isClosed is isClosed of the balance's own language.
func (b *bracketMatcher) isClosed(c byte) bool {
	return isClosed(c) || b.python && (c == '\'' || c == '(')
}

// string takes a byte inside a string that is not plain, or that is escaped.
func (b *bracketMatcher) string(c byte) {
	switch {
	case c == '\n' && b.lines:
		b.inString, b.escaped = false, false
	case b.escaped:
		b.escaped = false
	case c == '\\':
		b.escaped = true
	case c == b.closing:
		b.inString = false
		b.closed = b.depth() == 0
	}
}

// structure takes a byte outside strings. An escape can stand there only if a
// quote is missing, and what looks like text is in truth between strings.
func (b *bracketMatcher) structure(c byte) {
	if b.escaped {
		b.escaped = false
		return
	}
	switch c {
	case '\\':
		b.escaped = true
	case '"':
		b.inString, b.closing = true, c
	case '{':
		b.push('}')
	case '[':
		b.push(']')
	case '}', ']':
		b.pop(c)
	}
}

func (b *bracketMatcher) depth() int { return len(b.open) + b.deeper }

func (b *bracketMatcher) push(closing byte) {
	if len(b.open) == maxKinds {
		b.deeper++
		return
	}
	b.open = append(b.open, closing)
}

func (b *bracketMatcher) pop(c byte) {
	if b.deeper > 0 {
		b.deeper--
		return
	}
	last := len(b.open) - 1
	if last < 0 || b.open[last] != c {
		b.broken = true
		return
	}
	b.open = b.open[:last]
	b.closed = last == 0
}

// inPython takes a byte outside strings that means something in Python only,
// and reports whether it does.
func (b *bracketMatcher) inPython(c byte) bool {
	switch {
	case b.escaped:
		return false
	case b.comment:
		b.comment = c != '\n'
	case c == '#':
		b.comment = true
	case c == '\'':
		b.inString, b.closing = true, c
	case c == '(':
		b.push(')')
	case c == ')':
		b.pop(c)
	default:
		return false
	}
	return true
}
