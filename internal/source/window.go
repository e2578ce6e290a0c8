package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Window is text of the input that was not read yet, for a caller that
// recognizes records by their bytes (see package recognise) and need not have
// them parsed. It is valid until the next call of a method of the reader other
// than Advance.
type Window struct {
	Text            []byte
	HasWholeRecords bool           // Text is whole records, each with its separator; else an array's element and what has arrived of the text after it
	At              value.Position // of Text
	Number          int            // of the first record in its conversation, from 0
	Limit           int            // maximum size of a record in bytes; a larger one must not be recognized

	Conversation int  // as in Record
	Python       bool // the records are Python literals

	pointer   string // as in Record, for the window of a record
	event     string // as in Record, for the window of a record
	list      []byte // pointer to the list of the element, with a slash after it
	separator separator
}

// SeparatorSize is how many bytes of a separator of the window's records text
// begins with, 0 if it begins with none.
func (w *Window) SeparatorSize(text []byte) int {
	if w.separator.bytes == nil {
		return lineEndSize(text)
	}
	if bytes.HasPrefix(text, w.separator.bytes) {
		return len(w.separator.bytes)
	}
	return 0
}

// lineEndSize is how many bytes of a line's end text begins with, 0 if it begins
// with none.
func lineEndSize(text []byte) int {
	switch {
	case len(text) > 0 && text[0] == '\n':
		return 1
	case len(text) > 1 && text[0] == '\r' && text[1] == '\n':
		return 2
	}
	return 0
}

// Advance moves the window over records that have so many bytes together, with
// the separator of each.
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

// AdvanceElement moves the window over an element of so many bytes. IsASCII says
// that the element is ASCII on one line.
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
// reports false, and does not move, if there is anything but a comma between
// them, or the next one has not arrived.
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

// Locate makes r the record that the window begins with, as far as its place is
// concerned.
func (w *Window) Locate(r *Record) {
	r.Pointer, r.Event, r.asciiLine = w.pointer, w.event, false
	r.Start, r.Index, r.Conversation, r.listPointer = w.At, w.Number, w.Conversation, w.list
}

// Peek returns the text that is to be read next, if that is where a caller may
// recognize records: at the start of a line of JSON Lines, at the data of an
// event, for which it blocks, or at an element of an array. With Advance the
// reader moves over the records that the caller recognized.
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

// WindowOf returns a window of a record that Next returned, as Peek would have
// before. It reports false if Peek returns no windows of such inputs, and for a
// record that must be parsed.
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

// enter begins to read the list that the input begins with, if it does.
func (d *documentReader) startArray() {
	if d.current != nil || d.count > 0 {
		return
	}
	if c, _ := d.cur.In.Peek(); c == '[' {
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

// atValue moves to the next element, and reports whether there is one and
// nothing before it is wrong.
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

// WaitForMore blocks until the element that Peek returned has at least so many
// more bytes of text, or the input ends, and reports whether there is more text
// that a record may have. Peek must be called again. A caller that examines all
// the text each time must let it double, to be linear.
func (r *Reader) WaitForMore(by int) bool {
	before := int(r.peekedTo - r.cur.In.Pos.Offset)
	if before >= int(r.cur.Options.MaxRecordBytes) {
		return false
	}
	for len(r.cur.In.Rest()) < before+by && r.cur.In.More() {
	}
	return len(r.cur.In.Rest()) > before
}

// Advance moves over text that Peek returned, to a position in it: over so many
// records with the separator of each, or over elements up to the end of one.
func (r *Reader) Advance(records int, to value.Position) {
	n := int(to.Offset - r.cur.In.Pos.Offset)
	r.cur.Index += records
	r.form = r.cur.FormReader // no record is wrapped
	switch m := r.cur.FormReader.(type) {
	case *documentReader:
		a := m.array()
		r.cur.In.SkipTo(n, to)
		a.afterValue, a.afterComma, a.reported, a.last = true, false, false, r.cur.In.Pos
	case *events:
		m.advance(n, records)
	case *lines:
		m.truncated, r.cur.separatorReported = false, false
		r.cur.In.SkipTo(n, value.Position{Offset: to.Offset, Line: r.cur.In.Pos.Line + records, Column: 1})
	}
}

// separator is what stands behind each record of a stretch: the end of its
// line, and what else there is up to the next record. Without any bytes it is
// the end of a line, of either kind.
type separator struct {
	bytes []byte
	lines int // line feeds in it
}

// newSeparator makes a separator that stays valid.
func newSeparator(text []byte) separator {
	return separator{bytes: bytes.Clone(text), lines: bytes.Count(text, []byte{'\n'})}
}

// column is where a record begins on the line that it follows on.
func (s *separator) column() int { return len(s.bytes) - bytes.LastIndexByte(s.bytes, '\n') }

// longestGap is the size of the longest separator of events, and of the byte
// behind it.
const maxSeparator = len("\r\n\r\ndata: {")

// gap returns what separates a record from the next one, if nothing does but
// the end of its line, maybe an empty line, and the name of the field.
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

// atRecord moves to the value of the next event, if nothing but the usual
// stands before it, and reports whether it did.
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

// passed says that a record and what separates it from the next one was passed.
func (e *events) startNextEvent() {
	e.midLine, e.truncated, e.comma, e.cur.separatorReported = false, false, false, false
	if e.gap.lines > 1 {
		e.name = ""
	}
}

// peekEvents is what is to be read of a stream of events, up to the last
// record that has arrived.
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
		if len(unread) > int(r.cur.Options.MaxRecordBytes) || !r.cur.In.Fetch() {
			return Window{}, false
		}
		searched = max(0, len(unread)-len(e.gap.bytes))
	}
}

// pass moves over n bytes of records with what separates them.
func (e *events) advance(n, records int) {
	in := &e.cur.In
	in.SkipTo(n, value.Position{
		Offset: in.Pos.Offset + int64(n), Line: in.Pos.Line + records*e.gap.lines, Column: e.gap.column(),
	})
	e.startNextEvent()
}
