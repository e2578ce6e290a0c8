package embedded

import (
	"bytes"
	"encoding/json"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// maxLogPrefix is the maximum number of bytes before a record of a log, from the
// start of its line or the end of the record before it.
const maxLogPrefix = 4 << 10

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

// lineState is what is known of the current line. It is reset where a line begins.
type lineState struct {
	isBegun     bool // beginLine has seen the line
	indent      int  // in bytes
	isBlank     bool // it is empty or a comment
	isLogLine   bool // it is read like a line of a log
	searched    bool // for an object
	hasRecord   bool // it contains a record
	hasRejected bool // an object looks like a record, but its prefix does not look like a log's
}

// newEmbedded returns a reader of a log or a Markdown document. Markdown shows
// records to humans, so that neither Python literals nor comments in it are reported.
func newEmbedded(cur *source.Cursor, form source.Form) *embeddedReader {
	cur.Form = form
	cur.PythonReported, cur.Scan.Comments = form == source.FormMarkdown, form == source.FormMarkdown
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

// seek skips, in bounded memory, to the next place where a record may begin, and
// reports whether there is one.
func (a *embeddedReader) seek() bool {
	in := &a.cur.In
	for {
		in.LineBound = true
		begins := !a.line.isBegun
		a.beginLine()
		if !a.inExcerpt && (begins && a.beginJoined() || a.seekOnLine()) {
			return true
		}
		a.endLine()
		if !in.NextLine() {
			return false
		}
	}
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

// beginLine inspects a line before any of it is skipped.
func (a *embeddedReader) beginLine() {
	if a.line.isBegun {
		return
	}
	in := &a.cur.In
	head := in.Load(2 * source.ExcerptWidth)
	a.line = lineState{isBegun: true, isLogLine: a.isLog && !a.hasMarks, indent: source.Indent(head)}
	a.prefix.beginLine()
	if !a.isLog {
		a.fence.beginLine(in.Load(value.MaxWord))
	}
	a.inExcerpt = !a.hasMarks && isExcerpt(in.Load(2*source.ExcerptWidth), a.inExcerpt)
	a.line.isBlank = a.isIgnorable()
	if a.isLog && !a.hasMarks && !a.line.isBlank {
		a.readAnnouncement(in.Load(2 * source.ExcerptWidth))
	}
	if a.line.isBlank {
		return
	}
	if a.countsSkipped() || a.fence.isOpen {
		a.skipped.rememberLine(a.cur)
	}
	if a.fence.isOpen {
		a.fence.skipped.rememberLine(a.cur)
	}
}

// isIgnorable reports whether the line is empty, or of a kind that is not counted
// if it has no record.
func (a *embeddedReader) isIgnorable() bool {
	in := &a.cur.In
	c := in.FollowedBy(0)
	word := in.Load(value.MaxWord)
	switch {
	case c == 0:
		return true
	case c == 'b' && (a.isLog || a.fence.isOpen) && isEmptyLiteral(word):
		return true
	case c == '#' && !a.isLog && !elides(word):
		return true // a heading, or a comment of Python
	case a.fence.isOpen && eventField().Match(word):
		return true
	case a.hasMarks && statusLine().Match(word):
		return true
	}
	return a.hasPreamble && source.IsRuler(in.Load(2*source.ExcerptWidth))
}

// elides reports whether a comment marks records that a document omits.
func elides(line []byte) bool {
	return bytes.Contains(line, []byte("...")) || bytes.Contains(line, []byte("…"))
}

// countsSkipped reports whether lines without a record are counted and reported.
func (a *embeddedReader) countsSkipped() bool {
	return a.isLog || a.fence.isLog && !a.fence.isProgram || a.hasPreamble
}

// readAnnouncement sets the direction of the next record if a line of a log
// announces it.
func (a *embeddedReader) readAnnouncement(line []byte) {
	if direction := announcedDirection(line); direction != source.Undirected {
		a.sender, a.afterAnnouncement, a.line.isBlank = direction, true, true
	} else if line[value.SpaceSize(line)] != '{' {
		a.afterAnnouncement = false
	}
}

// endLine skips the rest of a line.
func (a *embeddedReader) endLine() {
	if !a.line.hasRecord && !a.line.isBlank {
		a.followsOtherText = a.followsOtherText || !a.fence.isLog
		switch {
		case a.countsSkipped(), a.line.hasRejected:
			a.skipped.add()
			if a.line.hasRejected {
				a.skipped.cause = value.InCodeBlock
			}
		case a.fence.isOpen && !a.fence.isEdge:
			a.fence.skipped.add()
		}
	}
	a.line.isBegun = false
	a.cur.In.Discard()
}

// seekOnLine moves to the next place on the line where a record may begin, and
// reports whether there is one.
func (a *embeddedReader) seekOnLine() bool {
	in := &a.cur.In
	switch {
	case a.isLog && a.hasMarks:
		return a.skipMark()
	case a.isLog && !a.afterAnnouncement:
		return !a.line.searched && (a.beginSocketFrame() || a.beginLiteral()) || a.seekAfterPrefix()
	}
	for {
		c, ok := in.Peek()
		switch {
		case !ok:
			return false
		case c == '{':
			return atObject(a.cur)
		case c == '[', isListSeparator(c) && a.line.hasRecord:
			in.Skip(1)
			a.line.isBlank = a.line.isBlank || a.hasPreamble // it belongs to the records
		case isListSeparator(c) && a.hasPreamble:
			a.line.isBlank = true
			return false
		default:
			a.followsOtherText = a.followsOtherText || a.line.hasRecord && value.IsLetter(c) && !a.line.isLogLine
			return a.seekAfterWords() || a.atRemnant()
		}
	}
}

// atRemnant reports whether the line, directly below a record, is a record that
// lacks its opening brace.
func (a *embeddedReader) atRemnant() bool {
	if a.followsOtherText || a.line.hasRecord || a.line.searched {
		return false
	}
	a.line.searched = true
	found := brokenObjectStart().FindIndex(a.cur.In.Load(maxLogPrefix))
	return found != nil && found[0] == 0
}

// seekAfterPrefix moves to the next object on a line of a log, or to the remnant of
// its only one.
func (a *embeddedReader) seekAfterPrefix() bool {
	in := &a.cur.In
	var member json.RawMessage
	if !a.line.searched {
		member = a.member()
	}
	if len(member) > 0 && member[0] == '"' {
		a.line.searched = true
		return false // text about records, such as a program
	}
	prefix, ok := skipPrefix(in)
	if !ok {
		prefix, ok = a.skipToWrapped()
	}
	a.prefix.setNext(prefix)
	a.sender = source.Undirected
	if !ok && !a.line.searched && member == nil {
		ok = skipTo(in, brokenObjectStart())
	}
	a.line.searched = true
	return ok
}

// member returns the value of the rest of the line if that is one member of an
// object, or nil.
func (a *embeddedReader) member() json.RawMessage {
	in := &a.cur.In
	if in.FollowedBy(0) != '"' {
		return nil
	}
	end, _, ok := in.LineFrom(0, int(a.cur.Options.MaxRecordBytes))
	if !ok {
		return nil
	}
	return memberOn(in.Unread()[:end])
}

// skipToWrapped skips the text before a record that begins at the end of the line
// and continues on the next ones, and returns it.
func (a *embeddedReader) skipToWrapped() (prefix []byte, ok bool) {
	start, end := a.wraps.record(a.cur, 0)
	prefix = bytes.Clone(a.cur.In.Unread()[:start])
	a.cur.In.Skip(start)
	return prefix, end > 0
}

// atObject reports whether an object begins here. Its first key may be on a later
// line, or may lack its first quote.
func atObject(cur *source.Cursor) bool {
	text := cur.In.Load(openingWindow)
	if source.OpensObject(text) || lacksQuote().Match(text) {
		return true
	}
	cur.In.LineBound = false
	opens := source.OpensObject(loadKey(&cur.In))
	cur.In.LineBound = true
	return opens
}

// isListSeparator reports whether c may be after a record in a list.
func isListSeparator(c byte) bool { return c == ',' || c == ']' || c == ';' }

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

// Skipped returns the problem of the lines that were skipped, if there are any.
func (a *embeddedReader) Skipped() []source.Problem { return a.skipped.Skipped() }

// finish ends the reading. It reports once how many lines were skipped.
func (a *embeddedReader) finish() (*source.Record, error) {
	err := a.cur.In.End()
	for _, h := range a.held.objects {
		a.skipHeld(h) // no record was on a line of its own
	}
	a.held.objects = nil
	if a.ended || a.cur.In.Failure() != nil || a.skipped.lines == 0 || a.cur.Index == 0 && a.conversations.last == 0 {
		return nil, err
	}
	a.ended = true
	rec := a.cur.NewGap(nil, a.cur.In.Pos)
	rec.Problems = a.skipped.Skipped()
	return rec, nil
}
