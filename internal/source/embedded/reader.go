package embedded

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// embeddedReader reads records among other text: after a prefix on a line of a
// log, or between the prose of a Markdown document. It skips everything else.
type embeddedReader struct {
	cur          *source.Cursor
	isLog        bool
	hasPreamble  bool // the input is read as Markdown only because words precede its records
	mayBeProgram bool // nothing but objects shows that the input is a log
	hasMarks     bool // arrows mark the direction of the records of the log

	line              lineState
	inExcerpt         bool             // the line is part of a report, and shows another input
	sender            source.Direction // of the record that comes next
	afterAnnouncement bool             // the line above announced the record, which may take several lines
	followsOtherText  bool             // other text follows the last record
	prefix            prefixComparer
	neighbor          []string // names of the members of the last record
	fence             fence    // the current code block of a document

	wraps        wraps
	held         heldObjects
	skipped      skippedLines
	partsFailed  int64           // offset in the input of what prevented the join of the parts before it
	joined       *source.Nested  // the records of lines that are read together: quoted ones, or the parts of one
	joinedReader *embeddedReader // of joined
	inset        *inset          // the text that is being read on its own, or nil

	conversations *conversations // of the input
	sawRecord     bool           // a record was read, or a list that only repeats others
	ended         bool
}

// newEmbedded returns a reader of a log or a Markdown document. Markdown shows
// records to humans, so that neither Python literals nor comments in it are reported.
func newEmbedded(cur *source.Cursor, form source.Form) *embeddedReader {
	cur.Form = form
	isDocument := form == source.FormMarkdown
	cur.PythonReported = cur.PythonReported || isDocument
	cur.Scan.Comments, cur.Scan.LongStrings = isDocument, isDocument
	return &embeddedReader{cur: cur, isLog: form == source.FormLog, followsOtherText: true, conversations: &conversations{}}
}

func (a *embeddedReader) Next() (*source.Record, error) {
	if rec := a.nextReleased(); rec != nil {
		return rec, nil
	}
	for a.inset != nil || a.joined != nil || a.seek() {
		var rec *source.Record
		var err error
		switch {
		case a.inset != nil:
			rec = a.nextOfInset()
		case a.joined != nil:
			rec = a.nextJoined()
		default:
			rec, err = a.nextRecord()
		}
		if rec != nil || err != nil {
			return rec, err
		}
	}
	return a.finish()
}

// beginJoined starts to read the lines that begin here together, if they are to
// be, and reports whether they are.
func (a *embeddedReader) beginJoined() bool {
	if a.isLog {
		return a.beginParts()
	}
	return a.beginMarkedFrame() || a.beginQuote()
}

// nextJoined returns the next record of the joined lines, or nil after the last.
func (a *embeddedReader) nextJoined() *source.Record {
	ofLog := a.isLog || a.line.isLogLine
	rec := a.joined.Next()
	for rec != nil && rec.IsGap && ofLog {
		rec = a.joined.Next() // skip the report of lines without records
	}
	inner := a.joinedReader
	a.followsOtherText = inner.followsOtherText
	if ofLog {
		a.prefix.last, a.prefix.next, a.neighbor = inner.prefix.last, inner.prefix.next, inner.neighbor
	}
	if ofLog && rec != nil {
		a.line.hasRecord = true
		a.fence.begin(&a.skipped)
	}
	if rec == nil {
		a.line.hasRecord = a.line.hasRecord || inner.sawRecord
		a.joined, a.joinedReader = nil, nil
	}
	return rec
}

// nextRecord reads what may be a record. It returns nil if it is not one.
func (a *embeddedReader) nextRecord() (*source.Record, error) {
	in := &a.cur.In
	in.LineBound = (a.isLog || a.line.isLogLine) && !a.afterAnnouncement || a.line.searched
	column := in.Pos.Column
	p := a.readValue()
	if p.Stop != nil && a.recordFollows(p.Stop) {
		in.LineBound = true
		p = a.readValue()
	}
	isWrapped := in.LineBound && p.Stop != nil && p.Stop.Truncated && a.wraps.size(a.cur, 0, a.line.indent) > 0
	if isWrapped {
		in.LineBound = false
		p = a.readValue()
	}
	if a.line.isLogLine && p.Root != nil && a.prefix.connection == "" {
		p = a.findConnection(p)
	}
	switch {
	case a.line.isLogLine && a.beginInset(p):
		return nil, nil
	case p.Stop != nil && !a.hasMarks && a.isCode(p.Stop):
		a.skipCode(p.Stop)
		return nil, nil
	case p.Root != nil && a.cur.Scan.Comments && isTemplate(in.Rest()[:p.End]):
		in.Skip(p.End)
		return nil, nil
	case !a.isLog && !a.line.isLogLine && beforeRecords(p.Root) > 0:
		in.Skip(beforeRecords(p.Root))
		return nil, nil
	}
	index, reported := a.cur.Index, a.cur.PythonReported
	rec, err := a.record(p, column)
	if err != nil {
		return nil, err
	}
	rec.Wrapped = isWrapped
	rec.AlignedWithRecords = a.line.isLogLine && a.prefix.matchesLast() || !a.isLog && !a.followsOtherText
	if rec.AlignedWithRecords {
		rec.Neighbor = a.neighbor
	}
	if !a.hasMarks && !a.cur.Options.Accepts(rec) {
		a.cur.Index, a.cur.PythonReported = index, reported
		a.hold(rec)
		return nil, nil
	}
	a.prefix.setLast()
	a.neighbor = namesOf(rec)
	rec.FollowsOtherText, rec.Direction = a.followsOtherText && !a.isLog, a.sender
	a.followsOtherText, a.line.hasRecord, a.sawRecord = false, true, true
	if first := a.release(rec); first != nil {
		return first, nil
	}
	if a.line.isLogLine {
		a.fence.begin(&a.skipped)
		a.conversations.setStage(rec, a.prefix.last, a.prefix.connection)
		if rec.IsAssigned() {
			a.cur.Index = index
		}
	}
	return rec, nil
}

// findConnection looks for the id of a connection after the record p on its line.
// It loads that text, and scans the record again if this may have moved it.
func (a *embeddedReader) findConnection(p source.RawValue) source.RawValue {
	in := &a.cur.In
	if end := p.End + maxLogMark; in.LineBound && len(in.Rest()) < end && !in.Complete() {
		in.Load(end)
		p = a.readValue()
	}
	rest := in.Rest()[p.End:]
	rest = rest[:min(len(rest), maxLogMark)]
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	a.prefix.connection = connectionAfter(rest)
	return p
}

// recordFollows reports whether an invalid object, whose fault is on a later
// line, lacks its end on its first line: the next line begins a record.
func (a *embeddedReader) recordFollows(stop *value.Fault) bool {
	in := &a.cur.In
	end := in.LineEnd()
	if in.LineBound || end < 0 || stop.Start <= end {
		return false
	}
	next, found := in.NextAfter(end)
	return found && source.OpensObject(in.Unread()[next:])
}

func (a *embeddedReader) record(p source.RawValue, column int) (*source.Record, error) {
	if a.cur.In.LineBound {
		return a.cur.LineRecord(p)
	}
	rec, _, err := a.cur.LooseRecord(p, column)
	return rec, err
}

// skipCode skips an object that is code, up to the end of the line of the fault
// that shows it.
func (a *embeddedReader) skipCode(stop *value.Fault) {
	in := &a.cur.In
	in.Skip(stop.Start)
	in.LineBound = true
	in.Discard()
}

// readValue scans an object or list, which may be JSON or a Python literal.
func (a *embeddedReader) readValue() source.RawValue {
	r := a.cur
	r.Scan.Python = opensPython(loadKey(&r.In))
	p := r.ScanValue()
	if p.Stop == nil || p.TooLarge || r.Scan.Python || a.isLog {
		return p // print writes no key in double quotes; humans do
	}
	stop := p.Stop.Start
	r.Scan.Python = true
	if q := r.ScanValue(); q.TooLarge || q.Stop == nil || q.Stop.Start > stop {
		return q
	}
	r.Scan.Python = false
	return r.ScanValue()
}

// IsAmid reports whether the current quoted lines, the current inset, or the
// objects that were held may have more records.
func (a *embeddedReader) IsAmid() bool {
	return len(a.held.released) > 0 || a.joined != nil && !a.joined.IsAtEnd() || a.inset != nil && !a.inset.records.IsAtEnd()
}

// Skipped returns the problem of the lines that were skipped, if there are any. Those
// of held objects are among them, unless a record follows on a line of its own.
func (a *embeddedReader) Skipped() []source.Problem {
	skipped := a.skipped
	for _, h := range a.held.objects {
		skipped.addHeld(h)
	}
	return skipped.Skipped()
}

// finish ends the reading. It reports once how many lines were skipped.
func (a *embeddedReader) finish() (*source.Record, error) {
	err := a.cur.In.End()
	problems := a.Skipped()
	if a.ended || a.cur.In.Failure() != nil || problems == nil || a.cur.Index == 0 && a.conversations.last == 0 {
		return nil, err
	}
	a.ended = true
	rec := a.cur.NewGap(nil, a.cur.In.Pos)
	rec.Problems = problems
	return rec, nil
}
