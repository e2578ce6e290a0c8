package source

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Cursor is a position in an input at which a form reads records: the window
// over the bytes, the scanner, and the numbers of the next record. The readers
// of the forms share it.
type Cursor struct {
	Options Options
	In      input.Input
	Scan    value.Scanner
	Form    Form
	Mode    RecordReader // reads the records as they lie in the input

	documents documentReader // memory for mode
	array     array          // memory for what is read of documents

	Origin         *TextMap // of the text that is read; nil for the input itself
	Index          int      // of the next record
	Conversation   int      // of the next record
	record         Record   // the only one: making the next overwrites it
	strayed        bool     // a separator between values was reported
	PythonReported bool     // that the records are Python literals was reported
	kept           []byte   // bytes of a record that are no longer in the input's buffer
	effort         int64    // bytes read by recovery
}

// packed notes how the input is packed. Python literals are a form of their own,
// and so are the frames of a logged connection.
func (r *Cursor) SetForm(form Form) {
	if !r.Scan.Python && r.Form != FormSessionLog {
		r.Form = form
	}
}

// readPython sets whether the records are Python literals.
func (r *Cursor) ReadPython(python bool) {
	r.Scan.Python = python
	r.In.Comments = python
}

// newRecord makes the record that data holds, which stands at the start of
// the unread input, of what a scan said about it. It is the reader's only
// one: making the next spoils it.
func (r *Cursor) NewRecord(data []byte, pointer string, v value.Result) *Record {
	r.record = Record{
		Index: r.Index, Conversation: r.Conversation, Pointer: pointer,
		Data: data, Start: r.In.Pos, Root: v.Root, Python: r.Scan.Python,
	}
	if r.Origin != nil {
		r.record.stand(r.Origin, r.In.Pos)
	}
	faults := v.Faults
	switch {
	case v.Stop != nil:
		faults = append(faults, *v.Stop)
	case v.Root != nil && v.Root.Kind != value.Object:
		faults = []value.Fault{RejectValue(v.Root)}
	}
	r.record.describe(r.tellPython(faults))
	r.Index++
	return &r.record
}

// newBetween makes what stands between records, with its problems.
func (r *Cursor) NewGap(data []byte, start value.Position, faults ...value.Fault) *Record {
	r.record = Record{Conversation: r.Conversation, Data: data, Start: start, IsGap: true, Python: r.Scan.Python}
	if r.Origin != nil {
		r.record.stand(r.Origin, start)
	}
	r.record.describe(faults)
	return &r.record
}

// tellPython adds to the faults of the first record that it is a Python literal.
func (r *Cursor) tellPython(faults []value.Fault) []value.Fault {
	if r.PythonReported || !r.Scan.Python {
		return faults
	}
	r.PythonReported = true
	told := value.Fault{Kind: PythonLiteral, End: len(r.record.Data), Detail: "records are Python literals, not JSON"}
	return slices.Insert(slices.Clone(faults), 0, told)
}

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

// locate finds the positions of all faults in one pass over the data, if that
// stands in the input as it is.
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

// Nested reads the records of decoded text in the input.
type Nested struct {
	outer *Cursor
	inner Reader
}

// inside returns a reader of the records of a text in a form, or in the one
// that is detected. They have the next numbers of the cursor's records and their
// places in the input; pointers start at the text. If read is not nil, it makes
// the reader of the text.
func (r *Cursor) Nest(o *TextMap, form Form, read func(*Cursor) RecordReader) *Nested {
	t := &Nested{outer: r, inner: Reader{cur: Cursor{Scan: value.Scanner{MaxDepth: r.Options.MaxDepth}}}}
	t.Begin(o, form, read)
	return t
}

// begin begins to read a text, in the memory of the one before.
func (t *Nested) Begin(o *TextMap, form Form, read func(*Cursor) RecordReader) {
	inner := &t.inner
	*inner = Reader{cur: Cursor{Options: t.outer.Options, Scan: inner.cur.Scan.Reuse(), Form: form, Conversation: -1, Origin: o, kept: inner.cur.kept[:0]}}
	inner.cur.Options.Form = form
	inner.cur.In = input.NewText(o.Text)
	if read != nil {
		inner.cur.Mode = read(&inner.cur)
		inner.form = inner.cur.Mode
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

// isThrough reports whether nothing but white space is left of the text.
func (t *Nested) IsThrough() bool {
	rest := t.inner.cur.In.Unread()
	return value.SpaceSize(rest) == len(rest)
}
