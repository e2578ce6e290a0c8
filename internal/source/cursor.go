package source

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Cursor is a position in an input at which a form reads records: the window
// over the bytes, the scanner, and the numbers of the next record. The readers
// of the forms share it.
type Cursor struct {
	Options    Options
	In         input.Input
	Scan       value.Scanner
	Form       Form
	FormReader RecordReader // reads the records as they lie in the input

	documents documentReader // memory for mode
	array     array          // memory for what is read of documents

	Origin            *TextMap // of the text that is read; nil for the input itself
	Index             int      // of the next record
	Conversation      int      // of the next record
	hasEnvelope       bool     // the records are, or were, elements of the list of an envelope
	record            Record   // the only one: making the next overwrites it
	separatorReported bool     // a separator between values was reported
	PythonReported    bool     // that the records are Python literals was reported
	keptData          []byte   // bytes of a record that are no longer in the input's buffer
	recoveryBytes     int64    // bytes read by recovery
}

// SetForm sets the form of the input, unless the records are Python literals or
// the frames of a logged connection, which are forms of their own.
func (cur *Cursor) SetForm(form Form) {
	if !cur.Scan.Python && cur.Form != FormSessionLog {
		cur.Form = form
	}
}

// ReadPython sets whether the records are Python literals.
func (cur *Cursor) ReadPython(python bool) {
	cur.Scan.Python = python
	cur.In.Comments = python
}

// NewRecord returns the record of data, which is at the start of the unread
// input, with the result of its scan. The pointer is that of the record in its
// document. The cursor has memory for one record: the next call of NewRecord or
// NewGap overwrites it.
func (cur *Cursor) NewRecord(data []byte, pointer string, v value.Result) *Record {
	cur.record = Record{
		Index: cur.Index, Conversation: cur.Conversation, Pointer: pointer,
		Data: data, Start: cur.In.Pos, Root: v.Root, Python: cur.Scan.Python,
	}
	if cur.Origin != nil {
		cur.record.setOrigin(cur.Origin, cur.In.Pos)
	}
	faults := v.Faults
	switch {
	case v.Stop != nil:
		faults = append(faults, *v.Stop)
	case v.Root != nil && v.Root.Kind != value.Object:
		faults = []value.Fault{RejectValue(v.Root)}
	}
	cur.record.describe(cur.withPythonReport(faults))
	cur.Index++
	return &cur.record
}

// NewGap returns the gap that starts at a position, with its faults as problems.
// The next call of NewRecord or NewGap overwrites it.
func (cur *Cursor) NewGap(data []byte, start value.Position, faults ...value.Fault) *Record {
	cur.record = Record{Conversation: cur.Conversation, Data: data, Start: start, IsGap: true, Python: cur.Scan.Python}
	if cur.Origin != nil {
		cur.record.setOrigin(cur.Origin, start)
	}
	cur.record.describe(faults)
	return &cur.record
}

// withPythonReport adds to the faults of the first record that it is a Python literal.
func (cur *Cursor) withPythonReport(faults []value.Fault) []value.Fault {
	if cur.PythonReported || !cur.Scan.Python {
		return faults
	}
	cur.PythonReported = true
	told := value.Fault{Kind: PythonLiteral, End: len(cur.record.Data), Detail: "records are Python literals, not JSON"}
	return slices.Insert(slices.Clone(faults), 0, told)
}

// RejectValue returns the fault of a value that is not an object.
func RejectValue(n *value.Node) value.Fault {
	return value.Fault{Kind: NotAnObject, Start: n.Start, End: n.End, Detail: "found " + value.KindPhrase(n.Kind) + ", expected an object"}
}

// describe turns faults into the record's problems.
func (r *Record) describe(faults []value.Fault) {
	if len(faults) == 0 {
		return
	}
	at := r.locate(faults)
	r.Problems = make([]Problem, len(faults))
	for i, f := range faults {
		r.Problems[i] = Problem{Kind: f.Kind, Place: r.faultPlace(f.Start, f.End, at), Detail: f.Detail}
		if f.Related != nil {
			related := r.faultPlace(f.Related.Start, f.Related.End, at)
			r.Problems[i].Related = &related
		}
	}
}

func (r *Record) faultPlace(start, end int, at map[int]value.Position) Place {
	span := value.Span{Start: at[start], End: at[end]}
	if r.origin != nil {
		span = r.spanOf(start, end)
	}
	return r.place(start, span, r.pointerTo(start))
}

// locate returns the positions of all faults by their offsets, with one scan of
// the data, or nil if the data is decoded.
func (r *Record) locate(faults []value.Fault) map[int]value.Position {
	if r.origin != nil {
		return nil
	}
	var offsets []int
	for _, f := range faults {
		offsets = append(offsets, f.Start, f.End)
		if f.Related != nil {
			offsets = append(offsets, f.Related.Start, f.Related.End)
		}
	}
	slices.Sort(offsets)
	at := make(map[int]value.Position, len(offsets))
	pos, done := r.Start, 0
	for _, offset := range offsets {
		pos, done = pos.Advance(r.Data[done:offset]), offset
		at[offset] = pos
	}
	return at
}

// Nested reads the records in decoded text, such as that of a JSON string. The
// text has a cursor of its own.
type Nested struct {
	outer *Cursor
	inner Reader
}

// Nest returns a reader of the records of a text in a form; FormAuto detects it.
// The records continue the numbers of the cursor's records, their places are in
// the input, and their pointers start at the text. If read is not nil, it returns
// the reader of the text.
func (cur *Cursor) Nest(o *TextMap, form Form, read func(*Cursor) RecordReader) *Nested {
	t := &Nested{outer: cur, inner: Reader{cur: Cursor{Scan: value.Scanner{MaxDepth: cur.Options.MaxDepth}}}}
	t.Begin(o, form, read)
	return t
}

// Begin starts to read another text, as Nest does, and reuses the memory of the
// previous one.
func (t *Nested) Begin(o *TextMap, form Form, read func(*Cursor) RecordReader) {
	inner := &t.inner
	*inner = Reader{cur: Cursor{Options: t.outer.Options, Scan: inner.cur.Scan.Reuse(), Form: form, Conversation: -1, Origin: o, keptData: inner.cur.keptData[:0]}}
	inner.cur.Options.Form = form
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
	t.outer.PythonReported = t.inner.cur.PythonReported
	if err != nil {
		return nil // a text in memory has no other error than its end
	}
	rec.Conversation = t.outer.Conversation
	if !rec.IsGap {
		rec.SetIndex(t.outer.Index)
		t.outer.Index++
	}
	return rec
}

// IsAtEnd reports whether the rest of the text is whitespace.
func (t *Nested) IsAtEnd() bool {
	rest := t.inner.cur.In.Unread()
	return value.SpaceSize(rest) == len(rest)
}

// Sizes for the search of a value's end, in bytes.
const (
	firstRetry   = 4 << 10           // a value that is not closed yet is scanned again at this size, then at four times that
	SettledBytes = 2 * value.MaxWord // text after a fault with which its description does not change any more
	contextBytes = 64 << 10          // of the data of an unreadable record after its fault
	PrefixBytes  = 1 << 10           // that are kept of a record that is too large
)

// RawValue is a value at the start of the unread input, with the result of its
// scan.
type RawValue struct {
	value.Result
	TooLarge     bool
	lacksBracket bool                 // the value lacks its opening bracket
	matcher      value.BracketMatcher // of a value that is too large: the brackets so far
}

// ScanValue scans the value at the start of the unread input. It reads no more of
// the input than it needs to find the end of the value. The result does not
// depend on the sizes in which the input arrives.
func (cur *Cursor) ScanValue() RawValue {
	b := value.BracketMatcher{Python: cur.Scan.Python}
	if p, decided := cur.tryScan(true); decided {
		p.matcher = b
		return p
	}
	limit := int(cur.Options.MaxRecordBytes)
	for retry := firstRetry; ; {
		rest := cur.In.Rest()
		closed := b.Feed(rest[:min(len(rest), limit)])
		if closed || len(rest) >= retry || cur.In.Complete() {
			if p, decided := cur.tryScan(closed || cur.In.Complete()); decided {
				p.matcher = b
				return p
			}
			retry = 4 * max(len(rest), retry)
		}
		retry = min(retry, limit+1)
		cur.In.More()
	}
}

// tryScan scans the bytes that have arrived. Decided is false while more of the
// input may change the result.
func (cur *Cursor) tryScan(build bool) (p RawValue, decided bool) {
	limit := int(cur.Options.MaxRecordBytes)
	rest := cur.In.Rest()
	data := rest[:min(len(rest), limit)]
	v := cur.Scan.Scan(data, build)
	whole := cur.In.Complete() && len(data) == len(rest)
	switch {
	case v.Stop == nil && (v.End < len(data) || whole || value.IsDelimited(data[0])):
		if !build {
			v = cur.Scan.Scan(data, true)
		}
		return RawValue{Result: v}, true
	case len(rest) > limit && (v.Stop == nil || v.Stop.Truncated):
		return RawValue{TooLarge: true}, true
	case v.Stop != nil && !v.Stop.Truncated:
		return RawValue{Result: cur.rescan(v, len(data))}, true
	}
	return RawValue{Result: v}, whole
}

// rescan repeats a scan that a fault stopped, if the fault is so close to the end
// of the scanned bytes that more of the input may change its description.
func (cur *Cursor) rescan(v value.Result, scanned int) value.Result {
	size := v.Stop.End + SettledBytes
	if scanned >= size || cur.In.Complete() && scanned == len(cur.In.Rest()) {
		return v
	}
	again := cur.Scan.Check(cur.In.Load(size))
	if again.Stop == nil || again.Stop.Truncated {
		return v
	}
	return again
}

// largeRecord returns a record with the first bytes of a value only, skips the
// value, and reports whether the value is closed.
func (cur *Cursor) largeRecord(p RawValue, pointer string, stop value.Fault) (rec *Record, closed bool) {
	size := stop.End
	if stop.Kind == value.RecordTooLarge {
		size = int(min(PrefixBytes, cur.Options.MaxRecordBytes))
	}
	data := cur.In.Rest()
	data = data[:max(stop.End, value.RuneStart(data, size))]
	cur.keptData = append(cur.keptData[:0], data...)
	rec = cur.NewRecord(cur.keptData, pointer, value.Result{Faults: p.Faults, Stop: &stop})
	return rec, SkipBalanced(&cur.In, &p.matcher)
}

// TooLarge is the fault of a record over the limit.
func (cur *Cursor) TooLarge() value.Fault {
	return value.Fault{
		Kind: value.RecordTooLarge, Start: 0, End: 1,
		Detail: fmt.Sprintf("the record is larger than %d bytes", cur.Options.MaxRecordBytes),
	}
}

// SkipBalanced skips the value at the start of the unread input, of which b may
// have read a part, in bounded memory. It reports false if the segment ends, or
// has a wrong bracket, before the value is closed.
func SkipBalanced(in *input.Input, b *value.BracketMatcher) bool {
	for {
		rest := in.Rest()
		if b.Feed(rest) {
			in.Skip(b.Size())
			return b.IsClosed()
		}
		n := len(rest)
		if !in.Complete() {
			n = value.PartialRune(rest)
		}
		in.Skip(n)
		b.Discard(n)
		if !in.More() {
			return false
		}
	}
}
