package embedded

import (
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// wrapperDecoder reads records that are wrapped in objects: those of a log of a
// connection have the direction of a frame, those of a stream number its chunks.
type wrapperDecoder struct {
	cur *source.Cursor

	kind        wrapperKind
	key         string // of the member that contains the record or the list of an envelope
	objectsSeen int    // objects that did not decide the kind

	conversation int // of the last record
	index        int // of the next record in that conversation

	text       *source.Nested // the remaining records of a text frame
	textReader *source.Nested // memory for text
	frame      frame          // that contains the records of text
	list       wrappedList    // of the current envelope
	rows       rows           // of the current object
	pending    *source.Record // returned after the problems of its wrapper, or nil
	part       source.Part    // memory for the record in a wrapper
	lines      logLines
}

type wrapperKind int

const (
	unknownWrapper wrapperKind = iota
	noWrapper
	sessionWrapper
	envelopeWrapper
	listWrapper // with a list under a name that the plain forms do not know
	logWrapper
	rowWrapper // with records anywhere in it
)

// maxDetectObjects is how many objects are inspected to decide whether the
// records are wrapped.
const maxDetectObjects = 8

// frame is the content of a wrapper.
type frame struct {
	value     *value.Node // the record, or the string that contains it; nil if the wrapper has no record
	direction source.Direction
	event     string
	time      []byte // raw, or nil
	binary    bool
	wrong     *value.Fault // why there is no record, or nil
}

// Wraps reports whether records are known to be wrapped.
func (w *wrapperDecoder) Wraps() bool { return w.kind > noWrapper }

// readsLog reports whether the records are in the texts of a log.
func (w *wrapperDecoder) readsLog() bool { return w.kind == logWrapper || w.kind == rowWrapper }

// Next returns the next record, without its wrapper if it has one.
func (w *wrapperDecoder) Next() (*source.Record, error) {
	r := w.cur
	for {
		if rec := w.nextPending(r); rec != nil {
			return rec, nil
		}
		rec, err := r.FormReader.Next()
		w.lines.stage = ""
		if err == io.EOF && w.readsLog() {
			if rec = w.lines.finish(w, r); rec != nil {
				return rec, nil
			}
		}
		if err != nil {
			return nil, err
		}
		if rec = w.open(r, rec); rec != nil {
			return rec, nil
		}
	}
}

// IsAmid reports whether the last wrapper has more records.
func (w *wrapperDecoder) IsAmid() bool {
	return w.pending != nil || !w.hasNoMore() || w.text != nil && !w.text.IsAtEnd()
}

// hasNoMore reports whether no lists or rows of the last wrapper are left.
func (w *wrapperDecoder) hasNoMore() bool {
	return len(w.list.rest) == 0 && len(w.list.next) == 0 && len(w.rows.rest) == 0
}

// Skipped returns the problem of the lines of a log that were skipped, if there
// are any.
func (w *wrapperDecoder) Skipped() []source.Problem { return w.lines.skipped.Skipped() }

// nextPending returns the next record of the last wrapper, or nil if it has no
// other.
func (w *wrapperDecoder) nextPending(r *source.Cursor) *source.Record {
	if rec := w.pending; rec != nil {
		w.pending = nil
		return rec
	}
	for w.text != nil || !w.hasNoMore() {
		rec := w.nextOfText(r)
		switch {
		case rec != nil:
		case len(w.list.rest) > 0:
			rec = w.nextOfList()
		case len(w.list.next) > 0:
			w.beginList()
		case len(w.rows.rest) > 0:
			rec = w.nextRow()
		}
		if rec != nil {
			return rec
		}
	}
	return nil
}

// nextOfText returns the next record of the current text, or nil after the last.
func (w *wrapperDecoder) nextOfText(r *source.Cursor) *source.Record {
	if w.text == nil {
		return nil
	}
	index := r.Index // which counts wrappers
	var rec *source.Record
	if w.readsLog() {
		rec = w.lines.next(w.text)
	} else {
		rec = w.text.Next()
	}
	r.Index = index
	if rec == nil {
		w.text = nil
		return nil
	}
	if source.IsTruncated(rec) && w.text.IsAtEnd() && w.hasNoMore() && r.In.IsBlankAfter(0) {
		rec.SetTruncated()
	}
	return w.number(rec, &w.frame)
}

// open returns the record in a wrapper. It returns nil if there is none, or if
// nextPending will return it.
func (w *wrapperDecoder) open(r *source.Cursor, rec *source.Record) *source.Record {
	if rec.IsTail() {
		return w.openTail(r, rec)
	}
	if rec.IsGap || rec.Root == nil {
		return w.number(rec, &frame{})
	}
	rec, isConversation := w.listOfArray(rec)
	if isConversation {
		w.kind = listWrapper
		return w.beginLists(rec, []*value.Node{rec.Root})
	}
	if rec.Root.Kind != value.Object {
		return w.number(rec, &frame{})
	}
	if w.kind == unknownWrapper {
		w.detectWrapper(r, rec.Root)
	}
	plain := rec.Root.Member(roleKey) != nil && r.Options.Form != source.FormSessionLog &&
		(w.kind != logWrapper || !isLogLine(rec.Root)) && // whose role is that of a process or a user
		(w.kind != rowWrapper || len(valuesAt(rec.Root, w.rows.paths, nil)) == 0) // whose role is a column
	switch {
	case !w.Wraps() || plain && rec.Root.Member(w.key) == nil:
		return w.number(rec, &frame{})
	case w.kind == sessionWrapper:
		return w.unwrap(r, rec, sessionFrame(rec.Root))
	case w.kind == logWrapper:
		return w.lines.open(w, r, rec)
	case w.kind == listWrapper:
		return w.openList(rec)
	case w.kind == rowWrapper:
		return w.openRows(rec)
	}
	return w.unwrap(r, rec, envelopeFrame(rec.Root, w.key))
}

// openTail is open for the members of an envelope after its list, which is empty, as in
// the answers of Splunk. It returns their problems, or nil if there are none.
func (w *wrapperDecoder) openTail(r *source.Cursor, rec *source.Record) *source.Record {
	before := w.kind
	if before == unknownWrapper {
		w.detectWrapper(r, rec.Root)
	}
	switch w.kind {
	case listWrapper:
		if lists := listsIn(rec.Root); len(lists) > 0 {
			return w.beginLists(rec.Clone(), lists)
		}
	case rowWrapper:
		return w.openRows(rec.Clone())
	default:
		w.kind = before
	}
	return rec.WithoutValues()
}

// unwrap returns the record of a frame, or the problems of its wrapper if it has
// any; nextPending returns the record then.
func (w *wrapperDecoder) unwrap(r *source.Cursor, rec *source.Record, f frame) *source.Record {
	var inside []*value.Node
	if f.value != nil {
		inside = []*value.Node{f.value}
	}
	left := rec.WithoutValues(inside...)
	switch {
	case f.wrong != nil:
		return w.number(rec.SetUnreadable(f.wrong), &f)
	case f.value == nil:
		return left
	case left != nil && left.IsLost():
		return w.number(rec, &f)
	case !f.binary && f.value.Kind == value.String:
		w.text, w.frame = w.frameText(r, rec.TextOf(f.value)), f
		return left
	}
	var inner *source.Record
	if f.binary {
		inner = w.number(rec.TakeBytes(f.value), &f)
	} else {
		inner = w.number(rec.TakeValue(f.value, &w.part), &f)
	}
	if left != nil {
		w.pending = inner
		return left
	}
	return inner
}

// number sets the number of a record, and what its wrapper specifies.
func (w *wrapperDecoder) number(rec *source.Record, f *frame) *source.Record {
	switch {
	case rec.IsGap, rec.IsAssigned(), w.kind == logWrapper && w.lines.setStage(rec, w.index):
		return rec
	case !w.Wraps():
		w.conversation, w.index = rec.Conversation, rec.Index+1
		return rec
	case rec.Conversation != w.conversation:
		w.conversation, w.index = rec.Conversation, 0
	}
	rec.SetIndex(w.index)
	w.index++
	if f.direction != source.Undirected {
		rec.Direction = f.direction
	}
	if f.event != "" {
		rec.Event = f.event
	}
	if f.time != nil {
		rec.Time = f.time
	}
	return rec
}

// detectWrapper decides from the first objects of an input whether the records
// are wrapped. An envelope of something other than a record does not decide it.
func (w *wrapperDecoder) detectWrapper(r *source.Cursor, root *value.Node) {
	w.kind = noWrapper
	switch {
	case root.Member(roleKey) != nil && !w.rows.detect(root): // a record; else the role is a column of a row
	case r.Options.Form == source.FormAuto && isSessionFrame(root):
		w.kind = sessionWrapper
		if slices.Contains([]source.Form{source.FormJSON, source.FormJSONL, source.FormPython}, r.Form) {
			r.Form = source.FormSessionLog
		}
	case (r.Options.Form == source.FormAuto || r.Options.Form == source.FormLog) && isLogLine(root):
		w.kind = logWrapper
		r.SetForm(source.FormLog)
	default:
		if w.key = envelopeKey(root); w.key != "" {
			w.kind = envelopeWrapper
		} else if lists := detectLists(root); len(lists) > 0 {
			list := lists[0]
			w.kind, w.key = listWrapper, list.Name
			w.list.isBatch = len(lists) == 1 && list.Kind == value.Object
		} else if w.rows.detect(root) {
			w.kind = rowWrapper
			r.SetForm(source.FormLog)
		} else if w.objectsSeen++; w.objectsSeen < maxDetectObjects && wrapsNonRecord(root) {
			w.kind = unknownWrapper
		}
	}
}

// nest is [source.Cursor.Nest] for the text of a wrapper. It reuses the previous
// one.
func (w *wrapperDecoder) nest(r *source.Cursor, o *source.TextMap, form source.Form, read func(*source.Cursor) source.RecordReader) *source.Nested {
	if w.textReader == nil {
		w.textReader = r.Nest(o, form, read)
	} else {
		w.textReader.Begin(o, form, read)
	}
	return w.textReader
}

// frameText reads the text of a frame, which should be a record.
func (w *wrapperDecoder) frameText(r *source.Cursor, o *source.TextMap) *source.Nested {
	return w.nest(r, o, r.Form, readSingle(o))
}

// readSingle returns a function that returns a reader of a text that should be a
// record.
func readSingle(o *source.TextMap) func(*source.Cursor) source.RecordReader {
	return func(inner *source.Cursor) source.RecordReader {
		shown, _ := inner.LanguageOf(o.Text[:min(len(o.Text), source.OpeningBytes)])
		inner.ReadPython(shown == source.LanguagePython)
		return inner.SingleRecord()
	}
}

// envelopeKeys are the members of an envelope that may contain its record.
var envelopeKeys = []string{"chunk", "data", "record", "payload", "frame", "message"}

// loggedKeys are the members of a log line that may contain its record.
var loggedKeys = append([]string{googleJSON}, envelopeKeys...)

// envelopeTypes are the values of the type of an envelope, which name its content.
var envelopeTypes = append([]string{""}, envelopeKeys...)

// envelopeKey returns the name of the member of an object that contains a record,
// or "": the first of envelopeKeys that does, or else the first name of an object
// that is a whole record. All other members must be scalar. A name that is not among
// envelopeKeys needs an envelope without a key that a broken record would have.
func envelopeKey(root *value.Node) (key string) {
	mayHaveAnyName := !hasRecordKey(root)
	if !mayHaveAnyName && !slices.Contains(envelopeTypes, root.Member("type").Text()) {
		return ""
	}
	contains := func(n value.Node) bool { return slices.Contains(envelopeKeys, n.Name) && isRecordValue(&n) }
	at := slices.IndexFunc(root.Children, contains)
	if at < 0 && mayHaveAnyName {
		at = slices.IndexFunc(root.Children, func(n value.Node) bool { return n.Kind == value.Object && isWholeRecord(&n) })
	}
	if at < 0 {
		return ""
	}
	for i := range root.Children {
		if kind := root.Children[i].Kind; i != at && (kind == value.Object || kind == value.Array) {
			return ""
		}
	}
	return root.Children[at].Name
}

// wrapsNonRecord reports whether an object is an envelope of an object that is not
// a record.
func wrapsNonRecord(root *value.Node) bool {
	return slices.Contains(envelopeTypes, root.Member("type").Text()) &&
		slices.ContainsFunc(envelopeKeys, func(key string) bool { n := root.Member(key); return n != nil && n.Kind == value.Object })
}

// timeKeys are the members of a wrapper that may say when its record was sent.
var timeKeys = []string{"time", "timestamp", "ts"}

// timeOf returns the time of a wrapper as it is written, or nil.
func timeOf(root *value.Node) []byte {
	for _, key := range timeKeys {
		if n := root.Member(key); n != nil && (n.Kind == value.Number || n.Kind == value.String) {
			return n.Raw()
		}
	}
	return nil
}

// envelopeFrame returns the frame of an envelope. An envelope with scalar members
// only is about the stream, such as its end, and has no record.
func envelopeFrame(root *value.Node, key string) frame {
	f := frame{value: root.Member(key), event: root.Member("event").Text(), time: timeOf(root)}
	if f.value != nil {
		return f.checked()
	}
	for i := range root.Children {
		if kind := root.Children[i].Kind; kind == value.Object || kind == value.Array {
			return wrongFrame(f, root, "found an envelope without `"+key+"`, expected the record there")
		}
	}
	return frame{}
}
