package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Stretch is text that is to be read next, for a caller who knows records by
// their bytes (see Layout) and need not have them taken apart. It is valid
// until the next call of any method of the reader but Pass.
type Window struct {
	Text   []byte
	Lines  bool           // records with what stands behind each, mostly lines; else an element of an array, and what has arrived behind it
	At     value.Position // of Text
	Number int            // of the first record in its conversation
	Limit  int            // bytes that a record may have; one with more is not to be recognised

	Conversation int  // as in Record
	Python       bool // Python literals

	list      []byte // pointer to the list of the element, with a slash behind it
	separator separator
	from      *Input // whose lines the text is, up to buf[end]; nil if it is no lines
	end       int
}

// Pass moves the stretch over records, which have so many bytes with what
// stands behind each.
func (s *Window) Advance(size, records int) {
	s.Text = s.Text[size:]
	s.At.Offset += int64(size)
	s.Number += records
	if s.separator.bytes == nil {
		s.At.Line += records
		return
	}
	s.At.Line += records * s.separator.lines
	s.At.Column = s.separator.column()
}

// PassElement moves the stretch over an element of an array, which is of a
// layout and has so many bytes.
func (s *Window) PassElement(l *Template, hole Placeholder, size int) {
	if l.flat && !hole.Wide {
		s.At = s.At.Along(size)
	} else {
		s.At = s.At.Advance(s.Text[:size])
	}
	s.Text = s.Text[size:]
	s.Number++
}

// NextElement moves the stretch from behind an element to the next one. It
// reports false, and does not move, if anything but a comma stands between
// them, or the next one has not arrived.
func (s *Window) NextElement() bool {
	i := value.SpaceSize(s.Text)
	if i == len(s.Text) || s.Text[i] != ',' {
		return false
	}
	i++
	i += value.SpaceSize(s.Text[i:])
	if i == len(s.Text) || s.Text[i] != '{' {
		return false
	}
	if bytes.IndexByte(s.Text[:i], '\n') >= 0 {
		s.At = s.At.Advance(s.Text[:i])
	} else {
		s.At = s.At.Along(i)
	}
	s.Text = s.Text[i:]
	return true
}

// Ahead returns what is to be read next, if that is where a caller may
// recognise records: at the start of a line of JSON Lines or at the data of an
// event, of which it waits for one, or at an element of an array. With Pass it
// moves over what was recognised.
func (r *Reader) Peek() (Window, bool) {
	if r.err == nil && r.form == nil {
		r.err = r.begin()
	}
	if r.err != nil || r.preface != nil || r.wraps() || r.cur.Scan.Python && !r.cur.PythonReported {
		return Window{}, false
	}
	switch m := r.cur.Mode.(type) {
	case *lines:
		return r.linesAhead(m)
	case *documentReader:
		return r.elementAhead(m)
	case *events:
		return r.eventsAhead(m)
	}
	return Window{}, false
}

func (r *Reader) linesAhead(l *lines) (Window, bool) {
	if l.midLine || r.cur.In.Pos.Column > 1 {
		return Window{}, false
	}
	for r.cur.In.lineEnd() < 0 {
		if len(r.cur.In.Unread()) > int(r.cur.Options.MaxRecordBytes) || !r.cur.In.Fetch() {
			return Window{}, false
		}
	}
	unread := r.cur.In.Unread()
	s := r.stretch(unread[:bytes.LastIndexByte(unread, '\n')+1])
	s.Lines, s.from, s.end = true, &r.cur.In, r.cur.In.r+len(s.Text)
	return s, true
}

func (r *Reader) elementAhead(d *documentReader) (Window, bool) {
	d.enter()
	a := d.array()
	if a == nil || !a.atValue() {
		return Window{}, false
	}
	rest := r.cur.In.Rest()
	s := r.stretch(rest[:min(len(rest), int(r.cur.Options.MaxRecordBytes))])
	s.list = a.prefix
	return s, true
}

func (r *Reader) stretch(text []byte) Window {
	r.shown = r.cur.In.Pos.Offset + int64(len(text))
	return Window{
		Text: text[:len(text):len(text)], At: r.cur.In.Pos, Number: r.cur.Index, Conversation: r.cur.Conversation, Python: r.cur.Scan.Python,
		Limit: int(r.cur.Options.MaxRecordBytes),
	}
}

// enter begins to read the list that the input begins with, if it does.
func (d *documentReader) enter() {
	if d.current != nil || d.count > 0 {
		return
	}
	if c, _ := d.r.In.Peek(); c == '[' {
		_, _ = d.begin()
	}
}

// array is the list that is being read, or nil.
func (d *documentReader) array() *array {
	switch m := d.current.(type) {
	case *array:
		return m
	case *envelope:
		return m.list
	}
	return nil
}

// atValue moves to the next element, and reports whether one is there and
// nothing before it is wrong.
func (a *array) atValue() bool {
	if a.done || a.lost {
		return false
	}
	c, ok := a.r.In.Peek()
	if ok && c == ',' && a.afterValue {
		_, _ = a.separator(c) // a comma behind a value is right
		c, ok = a.r.In.Peek()
	}
	return ok && c == '{' && !a.afterValue
}

// Grow waits until the element that Ahead returned has so many more bytes of
// text behind it, or the input ends, and reports whether there is more, and any
// use in it. Ahead must be called again. Who looks at all the text each time
// must let it double, lest that be quadratic.
func (r *Reader) WaitForMore(by int) bool {
	before := int(r.shown - r.cur.In.Pos.Offset)
	if before >= int(r.cur.Options.MaxRecordBytes) {
		return false
	}
	for len(r.cur.In.Rest()) < before+by && r.cur.In.More() {
	}
	return len(r.cur.In.Rest()) > before
}

// Pass moves over what Ahead returned, to a position in it: over so many
// records with what stands behind each, or elements up to the end of one.
func (r *Reader) Advance(records int, to value.Position) {
	n := int(to.Offset - r.cur.In.Pos.Offset)
	r.cur.Index += records
	r.form = r.cur.Mode // no record is wrapped
	if d, ok := r.cur.Mode.(*documentReader); ok {
		a := d.array()
		r.cur.In.r += n
		r.cur.In.searched = max(0, r.cur.In.searched-n)
		r.cur.In.Pos = to
		a.afterValue, a.afterComma, a.quiet, a.last = true, false, false, r.cur.In.Pos
		return
	}
	switch m := r.cur.Mode.(type) {
	case *events:
		m.pass(n, records)
		return
	case *lines:
		m.torn, r.cur.strayed = false, false
	}
	r.cur.In.pass(n)
	r.cur.In.Pos = value.Position{Offset: to.Offset, Line: r.cur.In.Pos.Line + records, Column: 1}
}
