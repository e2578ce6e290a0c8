package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// quotePrefix returns how many bytes of a line mark it as quoted: `>`, maybe
// several times and behind white space, with a space behind them. It is 0 for
// other lines.
func quotePrefix(line []byte) int {
	size := 0
	for i, c := range line {
		switch {
		case c == '>':
			size = i + 1
		case c != ' ' && c != '\t':
			return withSpace(line, size)
		}
	}
	return withSpace(line, size)
}

// withSpace counts the space behind a mark, which belongs to that.
func withSpace(line []byte, mark int) int {
	if mark > 0 && mark < len(line) && line[mark] == ' ' {
		return mark + 1
	}
	return mark
}

// quoteUnits are the units of quoted lines behind the mark of the first: their
// text, and what stands from one line feed up to the text of the next line.
func quoteUnits(raw []byte) (written, decoded int) {
	switch i := endOfLine(raw); {
	case i > 0:
		return i, i
	case i < 0:
		return len(raw), len(raw)
	}
	end := sizeOfEnd(raw)
	return end + quotePrefix(raw[end:end+lineSize(raw[end:])]), 1
}

// quote begins to read the records of the quoted lines that the unread input
// begins with, if it does. They are a page of their own.
func (a *embeddedReader) quote() bool {
	in := &a.r.in
	if c, ok := in.peek(); !ok || c != '>' {
		return false
	}
	in.bound = false
	text, end := a.quoted()
	if in.bound = end == 0; in.bound {
		in.skip(quotePrefix(in.load(value.MaxWord))) // the line is longer than any record
		return false
	}
	from := quotePrefix(in.unread()[:end])
	a.inside = a.r.inside(a.originOfQuote(text, from, end), FormMarkdown)
	page := newAmong(a.inside.inner, FormMarkdown)
	page.apart = a.apart
	a.inside.inner.mode = page
	in.skip(end)
	in.bound, a.held = true, true
	return true
}

// originOfQuote is where the text of quoted lines stands, which are the unread
// bytes between two offsets.
func (a *embeddedReader) originOfQuote(text []byte, from, end int) *sourceMap {
	in := &a.r.in
	if o := a.r.origin; o != nil {
		at := int(in.pos.Offset)
		return o.inner(text, at+from, at+end, quoteUnits)
	}
	unread := in.unread()
	return newOrigin(text, bytes.Clone(unread[from:end]), in.pos.Advance(unread[:from]), quoteUnits)
}

// quoted returns the text of the quoted lines at hand, and where they end. They
// have no more bytes than a record may have.
func (a *embeddedReader) quoted() (text []byte, end int) {
	in, limit := &a.r.in, int(a.r.options.MaxRecordBytes)
	for next := 0; ; {
		lineEnd, behind, ok := in.lineFrom(next, limit)
		line := in.unread()[next:lineEnd]
		mark := quotePrefix(line)
		if !ok || mark == 0 || end > 0 && len(text)+len(line) > limit {
			return text, end
		}
		if end > 0 {
			text = append(text, '\n')
		}
		text, end = append(text, line[mark:]...), lineEnd
		if behind == lineEnd {
			return text, end
		}
		next = behind
	}
}

// fromQuote returns the next record of the quoted lines, and nil behind the last.
func (a *embeddedReader) fromQuote() *Record {
	rec := a.inside.next()
	if rec == nil {
		a.apart = a.inside.inner.mode.(*embeddedReader).apart
		a.inside = nil
	}
	return rec
}
