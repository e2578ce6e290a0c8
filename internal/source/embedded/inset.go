package embedded

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// inset is text in a line of a log that is read on its own: a list of records,
// or the frame of a connection.
type inset struct {
	records   recordSource
	direction source.Direction // of a frame; a list has none
	isBatch   bool             // a list of records that are part of a stream
	number    int              // of the conversation of a list that is not a batch
	index     int              // of the next record in the list
	repeated  int              // how many of the first records were in an earlier list; a batch omits them
}

// recordSource is a source of records, such as a [source.Nested].
type recordSource interface {
	// Next returns the next record, or nil after the last.
	Next() *source.Record
	// IsAtEnd reports whether no record follows.
	IsAtEnd() bool
}

// nextOfInset returns the next record of the current inset, or nil after the
// last. It skips those of a batch that were logged before.
func (a *embeddedReader) nextOfInset() *source.Record {
	index := a.cur.Index
	rec := a.inset.records.Next()
	for rec != nil && !rec.IsGap && a.inset.isBatch && a.inset.index < a.inset.repeated {
		a.inset.index++
		rec = a.inset.records.Next()
	}
	a.cur.Index = index // the record is numbered in its conversation
	if rec == nil {
		a.inset = nil
		return nil
	}
	if rec.IsGap {
		return rec
	}
	a.fence.begin(&a.skipped)
	if rec.IsElided() {
		a.skipped.elided++
	} else {
		a.line.hasRecord = true
	}
	if a.inset.direction != source.Undirected {
		a.conversations.addFrame(rec, a.inset.direction)
		return rec
	}
	position := a.inset.index
	a.inset.index++
	if !a.inset.isBatch {
		rec.Assign(a.inset.number, position)
		rec.Repeated, rec.IsState = position < a.inset.repeated, true
		return rec
	}
	a.cur.Index = index + 1
	rec.Index = index
	a.conversations.setStage(rec, a.prefix.last, a.prefix.connection)
	if rec.IsAssigned() {
		a.cur.Index = index
	}
	return rec
}

// beginInset starts to read a value as an inset if it is a list of records, an
// envelope, or an event of a connection, and reports whether it is.
func (a *embeddedReader) beginInset(p source.RawValue) bool {
	in := &a.cur.In
	if c, _ := in.Peek(); c == '[' {
		return a.beginList(p, nil)
	}
	if list := source.ListOf(p.Root); list != nil {
		return a.beginList(p, list)
	}
	if p.Root == nil {
		return a.beginBinaryEvent()
	}
	return p.Root.Kind == value.Object && (a.beginEvent(p) || a.beginField(p))
}

// beginList starts to read a list, or the envelope that contains it, unless it has
// no record. It is a batch of a stream, or else a conversation of its own. A list
// that only repeats an earlier one is skipped.
func (a *embeddedReader) beginList(p source.RawValue, list *value.Node) bool {
	in := &a.cur.In
	size := p.End
	if p.Root == nil {
		size, _, _ = in.LineFrom(0, int(a.cur.Options.MaxRecordBytes))
	} else if list == nil {
		list = p.Root
	}
	o := a.plainText(0, size)
	if !probe(a.cur, o) {
		return false
	}
	isBatch, repeated := a.conversations.addBatch(list, a.prefix.next+"\n"+a.prefix.connection)
	if !isBatch && list != nil {
		repeated = a.conversations.addList(list)
	}
	in.Skip(size)
	a.line.hasRecord, a.sawRecord = true, true
	if list != nil && repeated == len(list.Children) {
		return true
	}
	a.inset = &inset{records: a.cur.Nest(o, source.FormAuto, nil), isBatch: isBatch, repeated: repeated}
	if isBatch {
		a.prefix.setLast()
	} else {
		a.inset.number = a.conversations.newNumber()
	}
	return true
}

// plainText returns the map of the unread text between two offsets.
func (a *embeddedReader) plainText(from, end int) *source.TextMap {
	text := bytes.Clone(a.cur.In.Rest()[from:end])
	return a.unreadText(text, from, end, value.PlainUnits)
}

// unnumbered returns the record of the first bytes of the unread text. It has no
// number, and reports no Python literal.
func (a *embeddedReader) unnumbered(size int, v value.Result) *source.Record {
	index, reported := a.cur.Index, a.cur.PythonReported
	a.cur.PythonReported = true
	rec := a.cur.NewRecord(a.cur.In.Rest()[:size:size], "", v)
	a.cur.Index, a.cur.PythonReported = index, reported
	return rec
}

// The events of a connection that have a frame, by the specification of ASGI.
const (
	asgiPrefix  = "websocket."
	asgiReceive = asgiPrefix + "receive"
	asgiSend    = asgiPrefix + "send"
)

// beginEvent starts to read the frame of an ASGI event, as a server logs it, and
// reports whether the value is one.
func (a *embeddedReader) beginEvent(p source.RawValue) bool {
	name := p.Root.Member("type").Text()
	if name != asgiReceive && name != asgiSend {
		return false
	}
	direction := directionWords[name]
	event := a.unnumbered(p.End, p.Result)
	switch text, data := p.Root.Member("text"), p.Root.Member("bytes"); {
	case text != nil && text.Kind == value.String && !elidedText().MatchString(text.Text()):
		a.beginFrame(a.frameText(event.TextOf(text)), direction)
	case text == nil && data != nil && data.Kind == value.String:
		a.beginFrame(&singleRecord{event.TakeBytes(data)}, direction)
	default:
		a.beginFrame(&singleRecord{elided(event)}, direction)
	}
	a.cur.In.Skip(p.End)
	return true
}

// fieldKeys are members in which a logger may keep a record.
var fieldKeys = slices.Concat(loggedKeys, frameKeys, logTexts)

// beginField starts to read the record in a field of a logger, and reports whether
// the value has one.
func (a *embeddedReader) beginField(p source.RawValue) bool {
	if p.Root.Member(roleKey) != nil {
		return false
	}
	n := fieldOf(p.Root)
	if n == nil {
		return false
	}
	a.prefix.connection = cmp.Or(connectionOf(p.Root), a.prefix.connection)
	text := a.plainText(n.Start, n.End)
	if n.Kind == value.String {
		text = a.unnumbered(p.End, p.Result).TextOf(n)
	}
	a.beginText(text, a.prefix.next, false)
	a.cur.In.Skip(p.End)
	return true
}

// fieldOf returns the record in a field of a logger, or nil.
func fieldOf(fields *value.Node) *value.Node {
	for _, key := range fieldKeys {
		if n := fields.Member(key); n != nil && isRecordValue(n) {
			return n
		}
	}
	for _, kind := range []value.Kind{value.Object, value.String, value.Array} {
		if n := recordIn(fields, kind); n != nil {
			return n
		}
	}
	return nil
}

// binaryEvent matches the start of an ASGI event with bytes, which no JSON has.
var binaryEvent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{'type': '(websocket\.(?:receive|send))', (?:'text': None, )?'bytes': b['"]`)
})

// beginBinaryEvent is beginEvent for an event with bytes, which is the rest of
// its line.
func (a *embeddedReader) beginBinaryEvent() bool {
	in := &a.cur.In
	found := binaryEvent().FindSubmatch(in.Load(openingWindow))
	if found == nil {
		return false
	}
	in.Skip(len(found[0]))
	a.beginBinary(directionWords[string(found[1])])
	return true
}

// beginBinary starts to read the rest of the line as a binary frame.
func (a *embeddedReader) beginBinary(direction source.Direction) {
	size, _, _ := a.cur.In.LineFrom(0, int(a.cur.Options.MaxRecordBytes))
	frame := a.unnumbered(min(size, len(a.cur.In.Rest())), value.Result{}).Clone()
	frame.Binary = true
	a.beginFrame(&singleRecord{frame}, direction)
	a.cur.In.Discard()
}

// elidedText matches what uvicorn logs instead of the text of a frame.
var elidedText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<\d+ (chars|bytes)>$`) })

// frameText returns the record that the text of a frame should be.
func (a *embeddedReader) frameText(o *source.TextMap) *source.Nested {
	return a.cur.Nest(o, a.cur.Form, readSingle(o))
}

// elided returns the record as one that cannot be read because the log shows
// only parts of it.
func elided(rec *source.Record) *source.Record {
	rec.Problems = nil
	return rec.SetUnreadable(&value.Fault{Kind: source.ElidedRecord})
}

// singleRecord is a source of one record.
type singleRecord struct{ rec *source.Record }

func (s *singleRecord) Next() (rec *source.Record) {
	rec, s.rec = s.rec, nil
	return rec
}

func (s *singleRecord) IsAtEnd() bool { return s.rec == nil }

// beginFrame starts to read the records of a frame, which should be one.
func (a *embeddedReader) beginFrame(records recordSource, direction source.Direction) {
	a.inset = &inset{records: records, direction: direction}
}

// socketFrame matches what the library websockets logs before the content of a
// frame.
var socketFrame = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([^"'{}]*[ :\t])?([<>]) (TEXT|BINARY) `)
})

// frameSize matches what it logs after the content.
var frameSize = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ \[(?:(?:text|binary), )?(\d+) bytes?\]`)
})

// beginSocketFrame starts to read the frame that a line of the log of the
// library websockets contains, and reports whether it has one.
func (a *embeddedReader) beginSocketFrame() bool {
	in := &a.cur.In
	line := in.Load(2 * source.ExcerptWidth)
	found := socketFrame().FindSubmatchIndex(line)
	if found == nil {
		return false
	}
	isText := line[found[6]] == 'T'
	direction := a.conversations.direction(line[:found[4]], line[found[4]] == '>', line[found[1]:])
	in.Skip(found[1])
	if isText {
		a.beginSocketText(direction)
		return true
	}
	a.beginBinary(direction)
	return true
}

// beginSocketText starts to read the text of a frame, which is a Python literal.
// The library elides the middle of long texts.
func (a *embeddedReader) beginSocketText(direction source.Direction) {
	in := &a.cur.In
	a.cur.Scan.Python = true
	p := a.cur.ScanValue()
	a.cur.Scan.Python = false
	size := 0
	if p.Root != nil && p.Root.Kind == value.String {
		text := a.unnumbered(p.End, p.Result).TextOf(p.Root)
		if found := frameSize().FindSubmatch(in.Load(p.End + source.ExcerptWidth)[p.End:]); found != nil && string(found[1]) == strconv.Itoa(len(text.Text)) {
			a.beginFrame(a.frameText(text), direction)
			size = p.End
		}
	}
	if size == 0 {
		a.beginFrame(&singleRecord{elided(a.unnumbered(len(in.Load(source.PrefixBytes)), value.Result{})).Clone()}, direction)
	}
	in.Discard()
}
