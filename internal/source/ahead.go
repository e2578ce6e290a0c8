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
	from      *input // whose lines the text is, up to buf[end]; nil if it is no lines
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
	if r.err == nil && r.mode == nil {
		r.err = r.begin()
	}
	if r.err != nil || r.preface != nil || r.wrap.wraps() || r.scan.Python && !r.told {
		return Window{}, false
	}
	switch m := r.mode.(type) {
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
	if l.midLine || r.in.pos.Column > 1 {
		return Window{}, false
	}
	for r.in.lineEnd() < 0 {
		if len(r.in.unread()) > int(r.options.MaxRecordBytes) || !r.in.fetch() {
			return Window{}, false
		}
	}
	unread := r.in.unread()
	s := r.stretch(unread[:bytes.LastIndexByte(unread, '\n')+1])
	s.Lines, s.from, s.end = true, &r.in, r.in.r+len(s.Text)
	return s, true
}

func (r *Reader) elementAhead(d *documentReader) (Window, bool) {
	d.enter()
	a := d.array()
	if a == nil || !a.atValue() {
		return Window{}, false
	}
	rest := r.in.rest()
	s := r.stretch(rest[:min(len(rest), int(r.options.MaxRecordBytes))])
	s.list = a.prefix
	return s, true
}

func (r *Reader) stretch(text []byte) Window {
	r.shown = r.in.pos.Offset + int64(len(text))
	return Window{
		Text: text[:len(text):len(text)], At: r.in.pos, Number: r.index, Conversation: r.conversation, Python: r.scan.Python,
		Limit: int(r.options.MaxRecordBytes),
	}
}

// enter begins to read the list that the input begins with, if it does.
func (d *documentReader) enter() {
	if d.current != nil || d.count > 0 {
		return
	}
	if c, _ := d.r.in.peek(); c == '[' {
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
	c, ok := a.r.in.peek()
	if ok && c == ',' && a.afterValue {
		_, _ = a.separator(c) // a comma behind a value is right
		c, ok = a.r.in.peek()
	}
	return ok && c == '{' && !a.afterValue
}

// Grow waits until the element that Ahead returned has so many more bytes of
// text behind it, or the input ends, and reports whether there is more, and any
// use in it. Ahead must be called again. Who looks at all the text each time
// must let it double, lest that be quadratic.
func (r *Reader) WaitForMore(by int) bool {
	before := int(r.shown - r.in.pos.Offset)
	if before >= int(r.options.MaxRecordBytes) {
		return false
	}
	for len(r.in.rest()) < before+by && r.in.more() {
	}
	return len(r.in.rest()) > before
}

// Pass moves over what Ahead returned, to a position in it: over so many
// records with what stands behind each, or elements up to the end of one.
func (r *Reader) Advance(records int, to value.Position) {
	n := int(to.Offset - r.in.pos.Offset)
	r.index += records
	r.wrap.kind = noWrapper
	if d, ok := r.mode.(*documentReader); ok {
		a := d.array()
		r.in.r += n
		r.in.searched = max(0, r.in.searched-n)
		r.in.pos = to
		a.afterValue, a.afterComma, a.quiet, a.last = true, false, false, r.in.pos
		return
	}
	switch m := r.mode.(type) {
	case *events:
		m.pass(n, records)
		return
	case *lines:
		m.torn, r.strayed = false, false
	}
	r.in.pass(n)
	r.in.pos = value.Position{Offset: to.Offset, Line: r.in.pos.Line + records, Column: 1}
}
