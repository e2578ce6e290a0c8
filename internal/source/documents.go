package source

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// documentReader reads consecutive documents, each of which is a conversation:
// an array of records, an envelope, or a single record. Most inputs have one
// document.
type documentReader struct {
	cur     *Cursor
	bound   bool         // each document ends with its line
	only    bool         // only one document is allowed
	count   int          // number of documents so far
	begun   int64        // offset of the last one
	current RecordReader // reader of the current document, or nil
	midLine bool         // a document was read from this line
	column  int          // column at which the line of the last document starts
	lost    bool         // skip to the next line that starts with a value at column
}

func (d *documentReader) Next() (*Record, error) {
	for {
		if d.current != nil {
			rec, err := d.current.Next()
			if rec != nil || err != nil {
				return rec, err
			}
			d.current = nil
		}
		rec, err := d.begin()
		if rec != nil || err != nil {
			return rec, err
		}
	}
}

// begin starts the next document. It returns nil, nil if d.current reads it.
func (d *documentReader) begin() (*Record, error) {
	in := &d.cur.In
	if d.lost && !d.bound {
		seekLine(in, d.column)
	}
	d.lost = false
	c, ok := in.Peek()
	switch {
	case !ok && in.NextLine():
		d.midLine, d.cur.separatorReported = false, false
		return nil, nil
	case !ok:
		return nil, in.End()
	case d.cur.skipsComment():
		return nil, nil
	case d.only && d.count > 0:
		return d.afterOnly(), nil
	case c == '[':
		d.start()
		in.Skip(1)
		d.current = newArray(d.cur, "")
		return nil, nil
	case c == '{':
		d.start()
		return d.object()
	case d.count > 0 && (d.midLine || !d.bound):
		return d.strayText(), nil
	}
	d.start()
	return d.single(d.cur.ScanValue())
}

// start counts a document, and makes it a conversation of its own if there may
// be several.
func (d *documentReader) start() {
	if d.bound || d.count > 0 {
		d.cur.Conversation = d.count
	}
	d.cur.Index = 0
	d.count++
	d.begun = d.cur.In.Pos.Offset
	if !d.midLine {
		d.column = d.cur.In.Pos.Column
	}
	d.midLine = true
}

// object starts reading an object: an envelope, or else a record.
func (d *documentReader) object() (*Record, error) {
	if head := d.cur.findEnvelope(0); head != nil {
		return d.startEnvelope(head), nil
	}
	p := d.cur.ScanValue()
	if ListOf(p.Root) != nil {
		return d.startEnvelope(bufferedHead(p.Root, p.Faults)), nil
	}
	return d.single(p)
}

// startEnvelope starts reading the envelope at the start of the unread input.
// It returns a gap with the faults before its list, or nil if there are none.
func (d *documentReader) startEnvelope(head *value.ObjectHead) (gap *Record) {
	d.cur.hasEnvelope = true
	d.current, gap = d.cur.newEnvelope(head)
	return gap
}

// single reads a document that is a single record.
func (d *documentReader) single(p RawValue) (*Record, error) {
	if d.bound {
		return d.cur.LineRecord(p)
	}
	rec, lost, err := d.cur.LooseRecord(p, d.column)
	d.lost = lost
	if d.only && d.lost {
		d.cur.discardAfter(rec)
	}
	return rec, err
}

// strayText reports text between documents.
func (d *documentReader) strayText() *Record {
	if d.bound {
		return d.cur.strayOnLine()
	}
	rec := d.cur.strayText()
	d.lost = rec != nil && !isSeparator(rec.Data[0])
	return rec
}

// afterOnly reports what follows the only allowed document.
func (d *documentReader) afterOnly() *Record {
	in := &d.cur.In
	end, found := value.Describe(in.Load(SettledBytes), 0)
	rec := d.cur.NewGap(in.Rest()[:end:end], in.Pos, value.Fault{
		Kind: value.InvalidJSON, End: end, Detail: "found " + found + " after the JSON text, expected the end of the input",
	})
	d.cur.discardAfter(rec)
	return rec
}

// ListOf returns the list of records of an envelope, and nil for other values.
func ListOf(n *value.Node) *value.Node {
	if n == nil || n.Kind != value.Object {
		return nil
	}
	i := slices.IndexFunc(n.Children, isList)
	if i < 0 {
		return nil
	}
	return &n.Children[i]
}

func isList(n value.Node) bool { return n.Kind == value.Array && IsListName(n.Name) }

// beginsWithEnvelope reports whether the value is the first of the input and an
// envelope, which detection could not see because too much precedes its list.
func (cur *Cursor) beginsWithEnvelope(p RawValue) bool {
	return cur.Index == 0 && ListOf(p.Root) != nil
}

// wholeDocuments switches to reading documents, of which p is the first.
func (cur *Cursor) wholeDocuments(p RawValue) (*Record, error) {
	d := &documentReader{cur: cur, bound: cur.In.LineBound}
	if cur.Options.Form != FormJSONL && cur.In.IsBlankAfter(p.End) {
		cur.In.LineBound, d.bound = false, false
	}
	if !d.bound {
		cur.SetForm(FormJSON)
	}
	d.start()
	cur.FormReader = d
	if rec := d.startEnvelope(bufferedHead(p.Root, p.Faults)); rec != nil {
		return rec, nil
	}
	return d.Next()
}

// bufferedHead returns the head of an envelope that was scanned as a whole,
// because too much precedes its list.
func bufferedHead(root *value.Node, faults []value.Fault) *value.ObjectHead {
	i := slices.IndexFunc(root.Children, isList)
	list := root.Children[i].Start
	before := slices.DeleteFunc(faults, func(f value.Fault) bool { return f.Start >= list })
	return &value.ObjectHead{List: list, Members: root.Children[:i+1], Faults: before}
}

// envelope reads an object with a list of records, one record at a time.
type envelope struct {
	cur     *Cursor
	list    *array         // nil after its end
	data    []byte         // the object up to the opening bracket of its list
	start   value.Position // position of data
	members []value.Node   // members up to the list, with offsets in data
}

// newEnvelope starts reading the envelope at the start of the unread input. The
// gap has the faults before its list; it is nil if there are none.
func (cur *Cursor) newEnvelope(head *value.ObjectHead) (*envelope, *Record) {
	e := &envelope{
		cur: cur, start: cur.In.Pos, members: slices.Clone(head.Members),
		data: bytes.Clone(cur.In.Rest()[:head.List+1]),
	}
	cur.In.Skip(head.List + 1)
	e.list = newArray(cur, "/"+e.members[len(e.members)-1].Name)
	if len(head.Faults) == 0 {
		return e, nil
	}
	return e, cur.NewGap(e.data, e.start, head.Faults...)
}

// Next returns the records of the list, then a gap with the faults after it if
// there are any, and then nil, nil.
func (e *envelope) Next() (*Record, error) {
	if e.list == nil {
		return nil, nil
	}
	if rec, err := e.list.Next(); rec != nil || err != nil {
		return rec, err
	}
	closed := e.list.closed
	e.list = nil
	if !closed {
		return nil, nil
	}
	return e.tail()
}

// tail reads the members after the list.
func (e *envelope) tail() (*Record, error) {
	in := &e.cur.In
	limit := int(e.cur.Options.MaxRecordBytes)
	b := value.BracketMatcher{Python: e.cur.Scan.Python}
	b.StartInsideObject()
	for !b.Feed(in.Rest()[:min(limit, len(in.Rest()))]) && len(in.Rest()) <= limit && in.More() {
	}
	text := in.Load(b.Size() + SettledBytes)
	over := !b.IsClosed() && !b.IsBroken() && len(in.Rest()) > limit
	if over {
		text = in.Rest()[:limit]
	}
	members, v := e.cur.Scan.ScanTail(text)
	switch {
	case v.Stop == nil:
		return e.closedTail(members, v), nil
	case v.Stop.Truncated && over:
		v.Stop = &value.Fault{Kind: value.RecordTooLarge, End: 1, Detail: e.cur.TooLarge().Detail}
	case v.Stop.Truncated:
		return e.cur.truncatedBetween()
	}
	data := input.TrimEnd(in.Load(min(b.Size(), v.Stop.End+PrefixBytes)), v.Stop.End)
	rec := e.cur.NewGap(bytes.Clone(data), in.Pos, append(v.Faults, *v.Stop)...)
	if b.IsBroken() {
		in.Skip(len(data))
	} else if skipBalanced(in, &b) {
		return rec, nil
	}
	skipDocument(in, e.start.Column)
	return rec, nil
}

// closedTail reports the faults of a tail that was read to its end.
func (e *envelope) closedTail(members []value.Node, v value.Result) *Record {
	in := &e.cur.In
	repeated, first := e.repeated(members)
	faults := value.SortFaults(append(v.Faults, repeated...))
	rec := e.cur.NewGap(in.Rest()[:v.End:v.End], in.Pos, faults...)
	for i, f := range faults {
		if place := first[f.Start]; place != nil {
			rec.Problems[i].Related = place
		}
	}
	in.Skip(v.End)
	if len(faults) == 0 {
		return nil
	}
	return rec
}

// repeated returns the faults of keys after the list that also occur before it,
// and the places of their first occurrences by the start offset of the fault.
func (e *envelope) repeated(members []value.Node) (faults []value.Fault, firsts map[int]*Place) {
	firsts = map[int]*Place{}
	seen := make(map[string]*value.Node, len(e.members))
	for i := range e.members {
		seen[e.members[i].Name] = &e.members[i]
	}
	for i := range members {
		first := seen[members[i].Name]
		if first == nil {
			continue
		}
		delete(seen, members[i].Name)
		f := value.RepeatedKey(first, &members[i])
		f.Related = nil
		firsts[f.Start] = e.placeOfName(first)
		faults = append(faults, f)
	}
	return faults, firsts
}

func (e *envelope) placeOfName(n *value.Node) *Place {
	head := Record{Data: e.data, Start: e.start, IsGap: true}
	if e.cur.Origin != nil {
		head.setOrigin(e.cur.Origin, e.start)
	}
	place := head.placeAt(n.NameStart, n.NameEnd, "")
	return &place
}

// truncatedBetween reports that the segment ends before an envelope is closed.
// The place is after the last member.
func (cur *Cursor) truncatedBetween() (*Record, error) {
	if err := cur.In.Failure(); err != nil {
		return nil, err
	}
	last := cur.In.IsBlankAfter(len(cur.In.Rest()))
	data := value.TrimRight(cur.In.Rest())
	rec := cur.NewGap(data, cur.In.Pos, *endOfRecord(data, last))
	cur.In.Skip(len(cur.In.Rest()))
	return rec, nil
}

// IsListName reports whether the member of an envelope that contains its records
// may have a name.
func IsListName(name string) bool { return name == "messages" || name == "chunks" }

// envelopeWindow is how many bytes of an object may precede its list of records
// for the records to be read one at a time. An envelope with more before its
// list is scanned whole first.
const envelopeWindow = 64 << 10

// findEnvelope returns the head of the object that starts at the unread byte i
// if it is an envelope, else nil. It reads no more than it needs to decide, and
// at most envelopeWindow bytes.
func (cur *Cursor) findEnvelope(i int) *value.ObjectHead {
	return cur.findList(i, IsListName, envelopeWindow)
}

// findList is findEnvelope for a list with some name, and another window.
func (cur *Cursor) findList(i int, isName func(string) bool, window int) *value.ObjectHead {
	for size := 1; ; {
		data := cur.In.Rest()[i:]
		data = data[:min(len(data), window)]
		if len(data) >= size || cur.In.Complete() {
			head, stop := cur.Scan.ScanHead(data, isName)
			if head != nil || stop == nil || !stop.Truncated || len(data) == window || cur.In.Complete() {
				return head
			}
			size = min(2*len(data), window)
		}
		cur.In.More()
	}
}

// ElementsOf returns a reader of the elements of a list in the object at the unread text.
// Each element is a record. It also returns a gap with the faults before them, or nil. The
// reader returns nil after the end of the object; it is nil if the object has no such list.
func (cur *Cursor) ElementsOf(name string) (RecordReader, *Record) {
	head := cur.findList(0, func(n string) bool { return n == name }, int(cur.Options.MaxRecordBytes))
	if head == nil {
		return nil, nil
	}
	return cur.newEnvelope(head)
}
