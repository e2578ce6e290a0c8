package embedded

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
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
	switch i := input.EndOfLine(raw); {
	case i > 0:
		return i, i
	case i < 0:
		return len(raw), len(raw)
	}
	end := input.SizeOfEnd(raw)
	return end + quotePrefix(raw[end:end+input.LineSize(raw[end:])]), 1
}

// quote begins to read the records of the quoted lines that the unread input
// begins with, if it does. They are a page of their own.
func (a *embeddedReader) quote() bool {
	in := &a.r.In
	if c, ok := in.Peek(); !ok || c != '>' {
		return false
	}
	in.Bound = false
	text, end := a.quotedLines()
	if in.Bound = end == 0; in.Bound {
		in.Skip(quotePrefix(in.Load(value.MaxWord))) // the line is longer than any record
		return false
	}
	from := quotePrefix(in.Unread()[:end])
	apart := a.apart
	a.inside = a.r.Nest(a.originOfQuote(text, from, end), source.FormMarkdown, func(inner *source.Cursor) source.RecordReader {
		a.quoted = newAmong(inner, source.FormMarkdown)
		a.quoted.apart = apart
		return a.quoted
	})
	in.Skip(end)
	in.Bound, a.held = true, true
	return true
}

// originOfQuote is where the text of quoted lines stands, which are the unread
// bytes between two offsets.
func (a *embeddedReader) originOfQuote(text []byte, from, end int) *source.TextMap {
	in := &a.r.In
	if o := a.r.Origin; o != nil {
		at := int(in.Pos.Offset)
		return o.Inner(text, at+from, at+end, quoteUnits)
	}
	unread := in.Unread()
	return source.NewTextMap(text, bytes.Clone(unread[from:end]), in.Pos.Advance(unread[:from]), quoteUnits)
}

// quotedLines returns the text of the quoted lines at hand, and where they end. They
// have no more bytes than a record may have.
func (a *embeddedReader) quotedLines() (text []byte, end int) {
	in, limit := &a.r.In, int(a.r.Options.MaxRecordBytes)
	for next := 0; ; {
		lineEnd, behind, ok := in.LineFrom(next, limit)
		line := in.Unread()[next:lineEnd]
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
func (a *embeddedReader) fromQuote() *source.Record {
	rec := a.inside.Next()
	if rec == nil {
		a.apart = a.quoted.apart
		a.inside = nil
	}
	return rec
}
