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
	HasWholeRecords bool           // Text is complete records, each with its separator; else it starts with an array's element and ends anywhere
	At              value.Position // of Text
	Number          int            // index of the first record in its conversation, from 0
	Limit           int            // maximum size of a record in bytes; larger ones must be left to Reader.Next

	Conversation int  // as in Record
	Python       bool // the records are Python literals
	ShowsJSON    bool // one of the records that the window was moved over is certainly JSON, not Python

	pointer   string // as in Record, for the window of a record
	event     string // as in Record, for the window of a record
	list      []byte // pointer to the list of the element, with a slash after it
	separator separator
}

// SeparatorSize returns the size in bytes of the separator that text starts
// with, or 0 if there is none.
func (w *Window) SeparatorSize(text []byte) int {
	if w.separator.bytes == nil {
		return lineEndSize(text)
	}
	if bytes.HasPrefix(text, w.separator.bytes) {
		return len(w.separator.bytes)
	}
	return 0
}

// lineEndSize returns the size in bytes of the line end that text starts with,
// or 0 if there is none.
func lineEndSize(text []byte) int {
	switch {
	case len(text) > 0 && text[0] == '\n':
		return 1
	case len(text) > 1 && text[0] == '\r' && text[1] == '\n':
		return 2
	}
	return 0
}

// Advance moves the window over records that have size bytes together with
// their separators.
func (w *Window) Advance(size, records int) {
	w.Text = w.Text[size:]
	w.At.Offset += int64(size)
	w.Number += records
	if w.separator.bytes == nil {
		w.At.Line += records
		return
	}
	w.At.Line += records * w.separator.lines
	w.At.Column = w.separator.column()
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
// returns false, and does not move, if anything but a comma is between them, or
// the next one has not arrived.
func (w *Window) NextElement() bool {
	i := value.SpaceSize(w.Text)
	if i == len(w.Text) || w.Text[i] != ',' {
		return false
	}
	i++
	i += value.SpaceSize(w.Text[i:])
	if i == len(w.Text) || w.Text[i] != '{' {
		return false
	}
	if bytes.IndexByte(w.Text[:i], '\n') >= 0 {
		w.At = w.At.Advance(w.Text[:i])
	} else {
		w.At = w.At.AdvanceASCII(i)
	}
	w.Text = w.Text[i:]
	return true
}

// Locate sets the place of r to the start of the window.
func (w *Window) Locate(r *Record) {
	r.Pointer, r.Event, r.asciiLine = w.pointer, w.event, false
	r.Start, r.Index, r.Conversation, r.listPointer = w.At, w.Number, w.Conversation, w.list
}

// Peek returns the unread text if records can be matched there: at the start of
// a line of JSON Lines, at the data of an event, for which it blocks, or at an
// element of an array. Use Advance to skip the matched records.
func (r *Reader) Peek() (Window, bool) {
	if r.err == nil && r.form == nil {
		r.err = r.begin()
	}
	if r.err != nil || r.preface != nil || r.wraps() || r.cur.Scan.Python && !r.cur.PythonReported {
		return Window{}, false
	}
	switch m := r.cur.FormReader.(type) {
	case *lines:
		return r.peekLines(m)
	case *documentReader:
		return r.peekElement(m)
	case *events:
		return r.peekEvents(m)
	}
	return Window{}, false
}

// WindowOf returns a window of a record that Next returned, like the one that
// Peek would have returned before. It returns false if Peek does not support
// the form, or the record must be parsed.
func (r *Reader) WindowOf(rec *Record) (Window, bool) {
	switch r.cur.FormReader.(type) {
	case *lines, *documentReader, *events:
	default:
		return Window{}, false
	}
	if r.wraps() || rec.IsGap || rec.IsDecoded() || rec.Root == nil || len(rec.Problems) > 0 {
		return Window{}, false
	}
	return Window{
		Text: rec.Data, At: rec.Start, Number: rec.Index, Limit: len(rec.Data), Conversation: rec.Conversation, Python: rec.Python,
		pointer: rec.Pointer, event: rec.Event, list: rec.listPointer,
	}, true
}

func (r *Reader) peekLines(l *lines) (Window, bool) {
	if l.midLine || r.cur.In.Pos.Column > 1 {
		return Window{}, false
	}
	for r.cur.In.LineEnd() < 0 {
		if len(r.cur.In.Unread()) > int(r.cur.Options.MaxRecordBytes) || !r.cur.In.Fetch() {
			return Window{}, false
		}
	}
	unread := r.cur.In.Unread()
	w := r.window(unread[:bytes.LastIndexByte(unread, '\n')+1])
	w.HasWholeRecords = true
	return w, true
}

func (r *Reader) peekElement(d *documentReader) (Window, bool) {
	d.startArray()
	a := d.array()
	if a == nil || !a.atValue() {
		return Window{}, false
	}
	rest := r.cur.In.Rest()
	w := r.window(rest[:min(len(rest), int(r.cur.Options.MaxRecordBytes))])
	w.list = a.prefix
	return w, true
}

func (r *Reader) window(text []byte) Window {
	r.peekedTo = r.cur.In.Pos.Offset + int64(len(text))
	return Window{
		Text: text[:len(text):len(text)], At: r.cur.In.Pos, Number: r.cur.Index, Conversation: r.cur.Conversation, Python: r.cur.Scan.Python,
		Limit: int(r.cur.Options.MaxRecordBytes),
	}
}

// startArray starts reading the array that the input starts with, if any.
func (d *documentReader) startArray() {
	if d.current != nil || d.count > 0 {
		return
	}
	if c, _ := d.cur.In.Peek(); c == '[' {
		_, _ = d.begin()
	}
}

// array returns the current array, or nil.
func (d *documentReader) array() *array {
	switch m := d.current.(type) {
	case *array:
		return m
	case *envelope:
		return m.list
	}
	return nil
}

// atValue skips to the next element, and reports whether there is one without a
// fault before it.
func (a *array) atValue() bool {
	if a.done || a.lost {
		return false
	}
	c, ok := a.cur.In.Peek()
	if ok && c == ',' && a.afterValue {
		_, _ = a.separator(c) // a comma after a value is right
		c, ok = a.cur.In.Peek()
	}
	return ok && c == '{' && !a.afterValue
}

// WaitForMore blocks until at least by more bytes have arrived after those that
// Peek returned, or the input ends, and reports whether a record can have more
// text. Peek must be called again. A caller that examines all text each time
// must double it for linear cost.
func (r *Reader) WaitForMore(by int) bool {
	before := int(r.peekedTo - r.cur.In.Pos.Offset)
	if before >= int(r.cur.Options.MaxRecordBytes) {
		return false
	}
	for len(r.cur.In.Rest()) < before+by && r.cur.In.More() {
	}
	return len(r.cur.In.Rest()) > before
}

// Advance skips text that Peek returned, up to a position in it: a number of
// records with their separators, or elements up to the end of one. ShowsJSON is
// that of the window.
func (r *Reader) Advance(records int, to value.Position, showsJSON bool) {
	n := int(to.Offset - r.cur.In.Pos.Offset)
	r.cur.Index += records
	r.cur.noteSkipped(showsJSON)
	r.form = r.cur.FormReader // no record is wrapped
	switch m := r.cur.FormReader.(type) {
	case *documentReader:
		a := m.array()
		r.cur.In.SkipTo(n, to)
		a.afterValue, a.afterComma, a.reported, a.last = true, false, false, r.cur.In.Pos
		if records > 1 {
			a.hasComma, a.lacksAll = true, false
		}
	case *events:
		m.advance(n, records)
	case *lines:
		m.truncated, m.inText, r.cur.separatorReported = false, false, false
		r.cur.In.SkipTo(n, value.Position{Offset: to.Offset, Line: r.cur.In.Pos.Line + records, Column: 1})
	}
}

// separator is the text between consecutive records: a line end and what
// follows it up to the next record. If bytes is nil, it is a line end of either
// kind.
type separator struct {
	bytes []byte
	lines int // line feeds in it
}

// newSeparator returns a separator with a copy of text.
func newSeparator(text []byte) separator {
	return separator{bytes: bytes.Clone(text), lines: bytes.Count(text, []byte{'\n'})}
}

// column returns the column at which the next record starts.
func (s *separator) column() int { return len(s.bytes) - bytes.LastIndexByte(s.bytes, '\n') }

// maxSeparator is the size in bytes of the longest separator of events, plus
// the first byte of a record.
const maxSeparator = len("\r\n\r\ndata: {")

// separatorBefore returns the separator that text starts with, if a record
// follows it: a line end, perhaps an empty line, and the name of the data
// field.
func separatorBefore(text []byte) []byte {
	at := lineEndSize(text)
	if at == 0 {
		return nil
	}
	at += lineEndSize(text[at:])
	f, value := fieldOf(text[at:])
	at += value
	if f != dataField || at >= len(text) || text[at] != '{' {
		return nil
	}
	return text[:at]
}

// atRecord skips the separator before the value of the next event, and reports
// whether there was nothing else before it.
func (e *events) atRecord() bool {
	in := &e.cur.In
	if !e.inData || e.skip || e.joined != nil {
		return false
	}
	if !e.midLine {
		return e.gap.bytes != nil && (len(in.Unread()) > 0 || in.Fetch()) && in.Unread()[0] == '{'
	}
	for len(in.Unread()) < maxSeparator && in.Fetch() {
	}
	between := separatorBefore(in.Unread()[:min(len(in.Unread()), maxSeparator)])
	if between == nil {
		return false
	}
	if !bytes.Equal(between, e.gap.bytes) {
		e.gap = newSeparator(between)
	}
	in.Skip(len(between))
	e.startNextEvent()
	return true
}

// startNextEvent updates the state after a record and its separator were
// skipped.
func (e *events) startNextEvent() {
	e.midLine, e.truncated, e.comma, e.cur.separatorReported = false, false, false, false
	if e.gap.lines > 1 {
		e.name = ""
	}
}

// peekEvents returns the unread events up to the last complete record.
func (r *Reader) peekEvents(e *events) (Window, bool) {
	if !e.atRecord() {
		return Window{}, false
	}
	for searched := 0; ; {
		unread := r.cur.In.Unread()
		if i := bytes.LastIndex(unread[searched:], e.gap.bytes); i >= 0 {
			s := r.window(unread[:searched+i+len(e.gap.bytes)])
			s.HasWholeRecords, s.separator = true, e.gap
			return s, true
		}
		// The text that follows a record may be long in coming: Next returns the
		// record when its event ends.
		whole := bytes.Contains(unread, e.gap.endOfEvent())
		if whole || len(unread) > int(r.cur.Options.MaxRecordBytes) || !r.cur.In.Fetch() {
			return Window{}, false
		}
		searched = max(0, len(unread)-len(e.gap.bytes))
	}
}

// endOfEvent returns the start of a separator up to the empty line that ends the
// event, or up to the end of its line if both records are of one event.
func (s *separator) endOfEvent() []byte {
	size := lineEndSize(s.bytes)
	return s.bytes[:size+lineEndSize(s.bytes[size:])]
}

// advance skips n bytes of records with their separators.
func (e *events) advance(n, records int) {
	in := &e.cur.In
	in.SkipTo(n, value.Position{
		Offset: in.Pos.Offset + int64(n), Line: in.Pos.Line + records*e.gap.lines, Column: e.gap.column(),
	})
	e.startNextEvent()
}
