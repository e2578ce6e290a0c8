package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Window is unread text of the input for a caller that matches records by their
// bytes (see package recognise) instead of parsing them. It is valid until the
// next call of a method of the reader other than Advance.
type Window struct {
	Text            []byte
	HasWholeRecords bool           // Text is complete lines with a record each; else it starts with a record and ends anywhere
	At              value.Position // of Text
	Number          int            // index of the first record in its conversation, from 0
	Limit           int            // maximum size of a record in bytes; larger ones must be left to Reader.Next

	Conversation int  // as in Record
	ShowsJSON    bool // one of the records that the window was moved over is certainly JSON, not Python

	pointer string // as in Record, for the window of a record
	event   string // as in Record
	list    []byte // pointer to the list of the element, with a slash after it; else nil
}

// LineEndSize returns the size in bytes of the line end that text starts with,
// or 0 if there is none.
func LineEndSize(text []byte) int {
	switch {
	case len(text) > 0 && text[0] == '\n':
		return 1
	case len(text) > 1 && text[0] == '\r' && text[1] == '\n':
		return 2
	}
	return 0
}

// Advance moves the window over lines of records that have size bytes.
func (w *Window) Advance(size, records int) {
	w.Text = w.Text[size:]
	w.At.Offset += int64(size)
	w.At.Line += records
	w.Number += records
}

// AdvanceElement moves the window over an element of size bytes. IsASCII says
// that it is ASCII without a line feed.
func (w *Window) AdvanceElement(size int, isASCII bool) {
	if isASCII {
		w.At = w.At.AdvanceASCII(size)
	} else {
		w.At = w.At.Advance(w.Text[:size])
	}
	w.Text = w.Text[size:]
	w.Number++
}

// NextElement moves the window from the end of an element to the next one. It
// returns false, and does not move, if anything but a comma is between them, the
// next one has not arrived, or the window is not of a list.
func (w *Window) NextElement() bool {
	i := value.SpaceSize(w.Text)
	if w.list == nil || i == len(w.Text) || w.Text[i] != ',' {
		return false
	}
	i++
	i += value.SpaceSize(w.Text[i:])
	if i == len(w.Text) || w.Text[i] != '{' {
		return false
	}
	w.At = w.At.Advance(w.Text[:i])
	w.Text = w.Text[i:]
	return true
}

// Locate sets the place of r to the start of the window.
func (w *Window) Locate(r *Record) {
	r.Pointer, r.Event, r.asciiLine = w.pointer, w.event, false
	r.Start, r.Index, r.Conversation, r.listPointer = w.At, w.Number, w.Conversation, w.list
}

// Peek returns the unread text after the first record if records can be matched
// there: at the start of a line of JSON Lines, at the data of an event, for which it
// blocks, or at an element of an array. Use Advance to skip the matched records.
func (r *Reader) Peek() (Window, bool) {
	if r.form == nil || r.err != nil || r.preface != nil || r.wraps() || r.cur.Scan.Python {
		return Window{}, false
	}
	limit := int(r.cur.Options.MaxRecordBytes)
	switch m := r.cur.FormReader.(type) {
	case *sequence:
		if !m.isDocuments {
			return r.peekLines(m)
		}
		if m.list != nil && m.list.atValue() {
			rest := m.list.Rest()
			w := r.window(m.list.segment, rest[:min(len(rest), limit)])
			w.list = m.list.prefix
			return w, true
		}
	case *events:
		if m.atValue() {
			rest := m.Rest() // of the data line, from a value on
			w := r.window(m.segment, rest[:min(len(rest), limit)])
			w.event = m.name
			return w, true
		}
	}
	return Window{}, false
}

// WindowOf returns a window of a record that Next returned, like the one that
// Peek would have returned before. It returns false if Peek does not support
// the form, or the record must be parsed.
func (r *Reader) WindowOf(rec *Record) (Window, bool) {
	switch r.cur.FormReader.(type) {
	case *sequence, *events:
	default:
		return Window{}, false
	}
	if r.wraps() || rec.IsGap || rec.IsDecoded() || rec.Python || rec.Root == nil || len(rec.Problems) > 0 {
		return Window{}, false
	}
	return Window{
		Text: rec.Data, At: rec.Start, Number: rec.Index, Limit: len(rec.Data), Conversation: rec.Conversation,
		pointer: rec.Pointer, event: rec.Event, list: rec.listPointer,
	}, true
}

func (r *Reader) peekLines(s *sequence) (Window, bool) {
	if s.midLine || s.only || s.hasArrows || r.cur.In.Pos.Column > 1 {
		return Window{}, false
	}
	for r.cur.In.LineEnd() < 0 {
		if len(r.cur.In.Unread()) > int(r.cur.Options.MaxRecordBytes) || !r.cur.In.Fetch() {
			return Window{}, false
		}
	}
	unread := r.cur.In.Unread()
	w := r.window(s.segment, unread[:bytes.LastIndexByte(unread, '\n')+1])
	w.HasWholeRecords = true
	return w, true
}

func (r *Reader) window(s segment, text []byte) Window {
	r.peeked, r.peekedTo = s.Segment, r.cur.In.Pos.Offset+int64(len(text))
	return Window{
		Text: text[:len(text):len(text)], At: r.cur.In.Pos, Number: r.cur.Index, Conversation: r.cur.Conversation,
		Limit: int(r.cur.Options.MaxRecordBytes),
	}
}

// atValue skips to the next element, and reports whether there is one without a
// fault before it.
func (l *list) atValue() bool {
	if l.state >= lostPlace {
		return false
	}
	c, ok := l.Peek()
	if ok && c == ',' && l.state == afterElement {
		_, _ = l.separator(c) // a comma after a value is right
		c, ok = l.Peek()
	}
	return ok && c == '{' && l.state != afterElement
}

// WaitForMore blocks until at least by more bytes have arrived after those that
// Peek returned, or the input ends, or the record does where what has arrived ends,
// and reports whether a record can have more text. Peek must be called again. A
// caller that examines all text each time must double it for linear cost.
func (r *Reader) WaitForMore(by int) bool {
	before := int(r.peekedTo - r.cur.In.Pos.Offset)
	if before >= int(r.cur.Options.MaxRecordBytes) {
		return false
	}
	var b value.BracketMatcher // of the record
	for isWhole := false; len(r.peeked.Rest()) < before+by && !isWhole && r.peeked.More(); {
		rest := r.peeked.Rest()
		isWhole = bytes.HasSuffix(bytes.TrimRight(rest, " \t\r\n,]"), []byte{'}'}) && b.Feed(rest)
	}
	return len(r.peeked.Rest()) > before
}

// Advance skips text that Peek returned, up to a position in it: a number of
// lines, or records up to the end of one. ShowsJSON is
// that of the window.
func (r *Reader) Advance(records int, to value.Position, showsJSON bool) {
	n := int(to.Offset - r.cur.In.Pos.Offset)
	r.cur.Index += records
	l := &r.cur.language
	l.read, l.json = true, l.json || showsJSON
	r.form = r.cur.FormReader // no record is wrapped
	switch m := r.cur.FormReader.(type) {
	case *sequence:
		if l := m.list; l != nil {
			r.cur.In.SkipTo(n, to)
			l.count += records
			l.state, l.reported, l.last = afterElement, false, r.cur.In.Pos
			if records > 1 {
				l.hasComma, l.lacksAll = true, false
			}
			return
		}
		m.truncated, m.inText, r.cur.separatorReported = false, false, false
		r.cur.In.SkipTo(n, value.Position{Offset: to.Offset, Line: r.cur.In.Pos.Line + records, Column: 1})
	case *events:
		m.beginValue()
		m.truncated = false
		r.cur.In.SkipTo(n, to)
	}
}

// atValue moves to the value of the next data line, for which it blocks. It reports
// false if something must be reported before it, or it is not an object.
func (e *events) atValue() bool {
	for e.outside == nil {
		switch {
		case !e.inData:
			e.outside, _ = e.line()
			if !e.inData {
				return false
			}
		case e.midLine:
			if _, more := e.Peek(); more {
				return false
			}
			e.endLine()
		default:
			c, _ := e.Peek()
			return c == '{' && !e.isPing()
		}
	}
	return false
}
