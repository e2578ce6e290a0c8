package source

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Cursor is a position in an input, shared by the readers of the forms: the
// window over the bytes, the scanner, the form, and the numbers of the next
// record.
type Cursor struct {
	Options    Options
	In         input.Input
	Scan       value.Scanner
	Form       Form
	FormReader RecordReader // reads the records as they lie in the input

	Origin            *TextMap // maps the text to the input; nil if the input is not nested
	Index             int      // index of the next record in its conversation, from 0
	Conversation      int      // conversation of the next record, from 0; -1 if there is only one
	isDocument        bool     // the input is a document whose records are in the elements of a list
	hasEnvelope       bool     // the records are, or were, elements of the list of an envelope
	hasEmptyList      bool     // an array without elements was read in place of records
	record            Record   // the current record; the next one overwrites it
	hasRecord         bool     // a record or a gap was made since Reader.NoteChecked was called
	separatorReported bool     // a stray separator was reported, and the next one is not
	comments          comments // that were skipped
	PythonReported    bool     // PythonLiteral was reported, or must not be
	language          language
	recoveryBytes     int64 // bytes read by recovery
}

// segment is a part of the input that a value may take, and the cursor at its start.
type segment struct {
	*Cursor
	input.Segment
}

// line returns the segment that ends with the line.
func (cur *Cursor) line() segment { return segment{cur, cur.In.Line()} }

// all returns the segment that ends with the input.
func (cur *Cursor) all() segment { return segment{cur, cur.In.All()} }

// SetForm sets the detected form, unless the records are Python literals or
// frames of a session log, which are forms of their own.
func (cur *Cursor) SetForm(form Form) {
	if cur.Form != FormPython && cur.Form != FormSessionLog {
		cur.Form = form
	}
}

// NewRecord returns the record for a value that was scanned at the start of the
// unread input. Data is its text. The record is valid until the next call of
// NewRecord or NewGap.
func (cur *Cursor) NewRecord(data []byte, pointer string, v value.Result) *Record {
	cur.record, cur.hasRecord = cur.GapAt(data, cur.In.Pos), true
	cur.record.IsGap, cur.record.Index, cur.record.Pointer, cur.record.Root = false, cur.Index, pointer, v.Root
	faults := v.Faults
	switch {
	case v.Stop != nil:
		faults = append(faults, *v.Stop)
	case v.Root != nil && v.Root.Kind != value.Object:
		faults = []value.Fault{RejectValue(v.Root)}
	}
	cur.record.describe(faults)
	cur.ReportPython(&cur.record)
	cur.Index++
	return &cur.record
}

// NewValue is NewRecord for a value that contains records, and need not be one: neither
// a list nor a Python literal is reported.
func (cur *Cursor) NewValue(data []byte, v value.Result) *Record {
	cur.record, cur.hasRecord = cur.GapAt(data, cur.In.Pos), true
	cur.record.IsGap, cur.record.Index, cur.record.Root = false, -1, v.Root
	cur.record.describe(v.Faults)
	return &cur.record
}

// ReportPython adds the report of the first record that is a Python literal to a record.
func (cur *Cursor) ReportPython(r *Record) {
	if !r.Python || cur.PythonReported {
		return
	}
	cur.PythonReported = true
	report := value.Fault{Kind: PythonLiteral, End: len(r.Data), Detail: "records are Python literals, not JSON"}
	r.describe(slices.Insert(slices.Clone(r.faults), 0, report))
}

// NewGap returns a gap: text between records, with its faults. It is valid
// until the next call of NewRecord or NewGap.
func (cur *Cursor) NewGap(data []byte, start value.Position, faults ...value.Fault) *Record {
	cur.record, cur.hasRecord = cur.GapAt(data, start), true
	cur.record.describe(faults)
	return &cur.record
}

// GapAt returns a gap without faults, which stays valid as long as its data.
func (cur *Cursor) GapAt(data []byte, start value.Position) Record {
	gap := Record{Conversation: cur.Conversation, Data: data, Start: start, IsGap: true, Python: cur.Scan.Python}
	if cur.Origin != nil {
		gap.origin, gap.base = cur.Origin, int(start.Offset)
		gap.Start = gap.PositionOf(0)
	}
	return gap
}

// RejectValue returns the NotAnObject fault of a value.
func RejectValue(n *value.Node) value.Fault {
	return value.Fault{Kind: NotAnObject, Start: n.Start, End: n.End, Detail: "found " + value.KindPhrase(n.Kind) + ", expected an object"}
}

// describe sets the record's problems from faults.
func (r *Record) describe(faults []value.Fault) {
	if len(faults) == 0 {
		return
	}
	place := func(start, end int) Place { return r.place(start, r.spanOf(start, end), r.pointerTo(start)) }
	r.faults = faults
	r.Problems = make([]Problem, len(faults))
	for i, f := range faults {
		r.Problems[i] = Problem{Kind: f.Kind, Place: place(f.Start, f.End), Detail: f.Detail, Cause: f.Cause}
		if f.Related != nil {
			related := place(f.Related.Start, f.Related.End)
			r.Problems[i].Related = &related
		}
	}
}

// Nested reads the records of decoded text, such as a string that contains a
// record. The records have their places in the outer input, and the next
// numbers of the outer cursor.
type Nested struct {
	outer *Cursor
	inner Reader
}

// Nest returns a reader of the records of a text. Pointers start at the text.
// Form is its form, or FormAuto to detect it. If read is not nil, it returns
// the reader of the text's form instead.
func (cur *Cursor) Nest(o *TextMap, form Form, read func(*Cursor) RecordReader) *Nested {
	t := &Nested{outer: cur}
	t.Begin(o, form, read)
	return t
}

// Begin starts reading another text, as Nest does. It reuses the memory of the
// previous text.
func (t *Nested) Begin(o *TextMap, form Form, read func(*Cursor) RecordReader) {
	inner := &t.inner
	*inner = Reader{cur: Cursor{Options: t.outer.Options, Scan: inner.cur.Scan.Reuse(), Form: form, Conversation: -1, Origin: o}}
	inner.cur.Options.Form, inner.cur.Scan.MaxDepth, inner.cur.recoveryBytes = form, t.outer.Options.MaxDepth, t.outer.recoveryBytes
	inner.cur.In = input.NewText(o.Text)
	if read != nil {
		inner.cur.FormReader = read(&inner.cur)
		inner.form = inner.cur.FormReader
	}
}

// Next returns the next record, and nil at the end of the text.
func (t *Nested) Next() *Record {
	t.inner.cur.PythonReported = t.outer.PythonReported
	rec, err := t.inner.Next()
	t.outer.PythonReported, t.outer.recoveryBytes = t.inner.cur.PythonReported, t.inner.cur.recoveryBytes
	if err != nil {
		return nil // io.EOF is the only error of a text in memory
	}
	if rec.assigned {
		return rec
	}
	rec.Conversation = t.outer.Conversation
	if !rec.IsGap {
		rec.SetIndex(t.outer.Index)
		t.outer.Index++
	}
	return rec
}

// Sizes for the search of a value's end, in bytes.
const (
	smallValue   = 4 << 10           // up to this size, a value is scanned again whenever more of it has arrived, then when it has grown by a factor or its brackets close
	settledBytes = 2 * value.MaxWord // text after a fault with which its description does not change any more
	contextBytes = 64 << 10          // of the data of an unreadable record after its fault
	PrefixBytes  = 1 << 10           // that are kept of a record that is too large
)

// RawValue is the scanned value at the start of the unread input.
type RawValue struct {
	value.Result
	TooLarge     bool
	lacksBracket bool                 // the value lacks its opening bracket
	matcher      value.BracketMatcher // of a value that is too large: the brackets so far
}

// ScanValue scans the value at the start of the unread input in the current language. While
// it is short-sighted, a value must end with its line.
func (cur *Cursor) ScanValue() RawValue {
	s := cur.all()
	if cur.isShortSighted() {
		s = cur.line()
	}
	p := s.scanValue()
	if p.Stop != nil {
		cur.recoveryBytes += int64(p.Stop.End)
	}
	return p
}

// scanValue is readValue for the current language. It scans what has arrived when the
// brackets close, and from time to time before that, to find a fault early.
func (s segment) scanValue() RawValue {
	b := value.BracketMatcher{Python: s.Scan.Python}
	limit := int(s.Options.MaxRecordBytes)
	for retry := 0; ; s.More() {
		rest := s.Rest()
		data := rest[:min(len(rest), limit)]
		if retry > 0 && !b.Feed(data) && len(rest) < retry && !s.Complete() {
			continue
		}
		v := s.Scan.Scan(data, true)
		whole := s.Complete() && len(data) == len(rest)
		switch {
		case v.Stop == nil && (v.End < len(data) || whole || value.IsDelimited(data[0])):
			return RawValue{Result: v}
		case len(rest) > limit && (v.Stop == nil || v.Stop.Truncated):
			return RawValue{Result: value.Result{Partial: v.Partial, Stop: v.Stop}, TooLarge: true, matcher: b}
		case v.Stop != nil && !v.Stop.Truncated:
			if len(data) < v.Stop.End+settledBytes && !whole { // more of the input may change what is found there
				v = s.Scan.Scan(s.loadOnLine(v.Stop.End, settledBytes), true)
			}
			return RawValue{Result: v}
		case whole:
			return RawValue{Result: v}
		}
		if retry = 1; len(rest) > smallValue {
			retry = min(4*len(rest), limit+1)
		}
	}
}

// loadOnLine blocks until n bytes after offset i or the end of its line have arrived, and
// returns the segment up to there at least. A pipe may not continue after the line for a
// long time.
func (s segment) loadOnLine(i, n int) []byte {
	for len(s.Rest()) < i+n && bytes.IndexByte(s.Rest()[min(max(0, i-1), len(s.Rest())):], '\n') < 0 && s.More() {
	}
	return s.Rest()[:min(i+n, len(s.Rest()))]
}

// largeRecord returns a record with the first bytes of a value that exceeds a
// limit, and skips to the end of the value. Closed is false if the segment ends
// first.
func (s segment) largeRecord(p RawValue, pointer string) (rec *Record, closed bool) {
	if p.TooLarge {
		stop := s.TooLarge()
		p.Stop = &stop
	}
	data := s.Rest()
	if p.Stop.Kind == value.RecordTooLarge {
		data = data[:max(p.Stop.End, value.RuneStart(data, int(min(PrefixBytes, s.Options.MaxRecordBytes))))]
	} else {
		data = lineWith(s.loadOnLine(p.Stop.End, contextBytes), p.Stop.End)
		if end := (value.BracketMatcher{Python: s.Scan.Python}); end.Feed(data) && end.IsClosed() {
			data = data[:end.Size()]
		}
	}
	rec = s.NewRecord(bytes.Clone(data), pointer, p.Result)
	return rec, s.skipBalanced(&p.matcher)
}

// TooLarge returns the fault of a record that exceeds Options.MaxRecordBytes.
func (cur *Cursor) TooLarge() value.Fault {
	return value.Fault{
		Kind: value.RecordTooLarge, Start: 0, End: 1,
		Detail: fmt.Sprintf("the record is larger than %d bytes", cur.Options.MaxRecordBytes),
	}
}

// skipBalanced skips the value at the start of the segment in constant
// memory. The matcher may have matched some of it. It returns false if the
// segment ends, or the matcher is broken, before the value is closed.
func (s segment) skipBalanced(b *value.BracketMatcher) bool {
	for {
		rest := s.Rest()
		if b.Feed(rest) {
			s.Skip(b.Size())
			return b.IsClosed()
		}
		n := len(rest)
		if !s.Complete() {
			n = value.PartialRune(rest)
		}
		s.Skip(n)
		b.Discard(n)
		if !s.More() {
			return false
		}
	}
}

// comments counts the comments between the records of data. People paste the examples of
// the documentation, which have one above each record: all are one mistake.
type comments struct {
	count int
	first Record // a gap with the first one
}

// skipsComment skips a comment that the unread text begins with, whose first byte is c,
// up to the end of its line, and reports whether there was one.
func (cur *Cursor) skipsComment(c byte) bool {
	line := cur.In.Line()
	if c != '#' && (c != '/' || string(line.Load(len("//"))) != "//") {
		return false
	}
	if cur.comments.count == 0 {
		text := line.Load(2 * ExcerptWidth)
		cur.comments.first = cur.GapAt(bytes.Clone(value.TrimRight(text[:value.PartialRune(text)])), line.Pos)
	}
	cur.comments.count++
	line.Discard()
	return true
}

// report returns a gap that reports the comments, or nil if there are none.
func (c *comments) report(cur *Cursor) *Record {
	if c.count == 0 {
		return nil
	}
	found := "found a comment, which JSON does not have"
	if c.count > 1 {
		found = fmt.Sprintf("found %d comments, which JSON does not have; this is the first of them", c.count)
	}
	c.count = 0
	rec := cur.NewGap(nil, cur.In.Pos)
	rec.Problems = []Problem{{Kind: Comments, Place: c.first.placeAt(0, 1, ""), Detail: found}}
	return rec
}
