package embedded

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// quotePrefix returns how many bytes of a line mark it as quoted: `>`, maybe
// several times and after whitespace, with a space after them. It is 0 for
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

// withSpace counts the space after a mark, which belongs to that.
func withSpace(line []byte, mark int) int {
	if mark > 0 && mark < len(line) && line[mark] == ' ' {
		return mark + 1
	}
	return mark
}

// quoteUnits are the units of quoted lines after the mark of the first: the text
// of a line, and a line end with the mark of the next line.
func quoteUnits(raw []byte) (written, decoded int) { return prefixedUnits(raw, quotePrefix, 1) }

// prefixedUnits are the units of joined lines after the prefix of the first: the text
// of a line, and a line end with the prefix of the next line, which decodes to
// that many bytes.
func prefixedUnits(raw []byte, prefixSize func(line []byte) int, end int) (written, decoded int) {
	switch i := input.EndOfLine(raw); {
	case i > 0:
		return i, i
	case i < 0:
		return len(raw), len(raw)
	}
	next := input.SizeOfEnd(raw)
	return next + prefixSize(raw[next:next+input.LineSize(raw[next:])]), end
}

// beginQuote starts to read the records of quoted lines if the unread input
// begins with such lines. It treats them as a document of their own.
func (a *embeddedReader) beginQuote() bool {
	in := &a.cur.In
	if c, ok := in.Peek(); !ok || c != '>' {
		return false
	}
	in.LineBound = false
	text, end := a.quotedLines()
	if in.LineBound = end == 0; in.LineBound {
		in.Skip(quotePrefix(in.Load(value.MaxWord))) // the line is longer than any record
		return false
	}
	from := quotePrefix(in.Unread()[:end])
	apart := a.followsOtherText
	a.joined = a.cur.Nest(a.unreadText(text, from, end, quoteUnits), source.FormMarkdown, func(inner *source.Cursor) source.RecordReader {
		a.joinedReader = newEmbedded(inner, source.FormMarkdown)
		a.joinedReader.followsOtherText = apart
		return a.joinedReader
	})
	in.Skip(end)
	in.LineBound, a.line.hasRecord = true, true
	return true
}

// unreadText returns the map of a text that was decoded from the unread bytes
// between two offsets.
func (a *embeddedReader) unreadText(text []byte, from, end int, units value.Units) *source.TextMap {
	in := &a.cur.In
	if o := a.cur.Origin; o != nil {
		at := int(in.Pos.Offset)
		return o.Inner(text, at+from, at+end, units)
	}
	unread := in.Unread()
	return source.NewTextMap(text, bytes.Clone(unread[from:end]), in.Pos.Advance(unread[:from]), units)
}

// quotedLines returns the text of the current quoted lines, and the index of
// their end. Their size is limited to that of a record.
func (a *embeddedReader) quotedLines() (text []byte, end int) {
	in, limit := &a.cur.In, int(a.cur.Options.MaxRecordBytes)
	for next := 0; ; {
		lineEnd, after, ok := in.LineFrom(next, limit)
		line := in.Unread()[next:lineEnd]
		mark := quotePrefix(line)
		if !ok || mark == 0 || end > 0 && len(text)+len(line) > limit {
			return text, end
		}
		if end > 0 {
			text = append(text, '\n')
		}
		text, end = append(text, line[mark:]...), lineEnd
		if after == lineEnd {
			return text, end
		}
		next = after
	}
}
