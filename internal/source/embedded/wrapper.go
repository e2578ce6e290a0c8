package embedded

import (
	"io"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// envelopeDecoder takes the records of an input out of the objects that wrap
// them: a log of a connection says who sent a frame, an envelope numbers the
// chunks of a stream.
type envelopeDecoder struct {
	cur *source.Cursor

	kind   wrapperKind
	key    string // of the record in an envelope
	looked int    // envelopes around something else

	conversation int // of the last record
	index        int // of the next one in that

	text  *source.Nested // the records of a text frame that are still to come
	texts *source.Nested // memory for text
	frame frame          // that contains them
	later *source.Record // what comes after the problems of its wrapper
	lines logLines
}

type wrapperKind int

const (
	unknownWrapper wrapperKind = iota
	noWrapper
	sessionWrapper
	envelopeWrapper
	logWrapper
)

// maxLooks is how many objects are looked at to find out whether there are
// wrappers.
const maxLooks = 8

// roleKey is what the records of a conversation have, and wrappers have not.
const roleKey = "role"

// frame is what a wrapper says about its record.
type frame struct {
	value     *value.Node // the record, or the string that contains it; nil if the wrapper has no record
	direction source.Direction
	event     string
	binary    bool
	wrong     *value.Fault // why nothing can be read
}

// Wraps reports whether records are known to be wrapped.
func (w *envelopeDecoder) Wraps() bool { return w.kind > noWrapper }

// Next returns the next record, out of its wrapper if it has one.
func (w *envelopeDecoder) Next() (*source.Record, error) {
	r := w.cur
	for {
		if rec := w.waiting(r); rec != nil {
			return rec, nil
		}
		rec, err := r.Mode.Next()
		if err == io.EOF && w.kind == logWrapper {
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

// waiting returns the next record of the last wrapper, if that has another one.
func (w *envelopeDecoder) waiting(r *source.Cursor) *source.Record {
	if rec := w.later; rec != nil {
		w.later = nil
		return rec
	}
	if w.text == nil {
		return nil
	}
	index := r.Index // which counts wrappers
	var rec *source.Record
	if w.kind == logWrapper {
		rec = w.lines.next(w.text)
	} else {
		rec = w.text.Next()
	}
	r.Index = index
	if rec == nil {
		w.text = nil
		return nil
	}
	if source.IsTruncated(rec) && w.text.IsThrough() && r.In.IsBlankAfter(0) {
		rec.SetTruncated()
	}
	return w.count(rec, &w.frame)
}

// open returns the record that is in a wrapper. It returns nil if there is none,
// or if that is waiting.
func (w *envelopeDecoder) open(r *source.Cursor, rec *source.Record) *source.Record {
	if rec.IsGap || rec.Root == nil || rec.Root.Kind != value.Object {
		return w.count(rec, &frame{})
	}
	if w.kind == unknownWrapper {
		w.look(r, rec.Root)
	}
	plain := rec.Root.Member(roleKey) != nil && r.Options.Form != source.FormSessionLog
	switch {
	case !w.Wraps() || plain && rec.Root.Member(w.key) == nil:
		return w.count(rec, &frame{})
	case w.kind == sessionWrapper:
		return w.take(r, rec, sessionFrame(rec.Root))
	case w.kind == logWrapper:
		return w.lines.open(w, r, rec)
	}
	return w.take(r, rec, envelopeFrame(rec.Root, w.key))
}

// take takes the record out of a wrapper.
func (w *envelopeDecoder) take(r *source.Cursor, rec *source.Record, f frame) *source.Record {
	left := rec.WithoutValue(f.value)
	switch {
	case f.wrong != nil:
		return w.count(rec.SetUnreadable(f.wrong), &f)
	case f.value == nil:
		return left
	case left != nil && left.IsLost():
		return w.count(rec, &f)
	case !f.binary && f.value.Kind == value.String:
		w.text, w.frame = w.frameText(r, rec.TextOf(f.value)), f
		return left
	}
	var inner *source.Record
	if f.binary {
		inner = w.count(rec.TakeBytes(f.value), &f)
	} else {
		inner = w.count(rec.TakeValue(f.value), &f)
	}
	if left != nil {
		w.later = inner
		return left
	}
	return inner
}

// count numbers a record and adds what its wrapper says about it.
func (w *envelopeDecoder) count(rec *source.Record, f *frame) *source.Record {
	switch {
	case rec.IsGap:
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
	return rec
}

// look finds out from the first objects of an input whether there are wrappers.
// An envelope around something else than a record says nothing yet.
func (w *envelopeDecoder) look(r *source.Cursor, root *value.Node) {
	w.kind = noWrapper
	switch {
	case root.Member(roleKey) != nil:
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
		} else if w.looked++; w.looked < maxLooks && wrapsNonRecord(root) {
			w.kind = unknownWrapper
		}
	}
}

// inside is Cursor.inside for the text of a wrapper. The one before is over.
func (w *envelopeDecoder) inside(r *source.Cursor, o *source.TextMap, form source.Form, read func(*source.Cursor) source.RecordReader) *source.Nested {
	if w.texts == nil {
		w.texts = r.Nest(o, form, read)
	} else {
		w.texts.Begin(o, form, read)
	}
	return w.texts
}

// frameText reads the text of a frame, which should be a record.
func (w *envelopeDecoder) frameText(r *source.Cursor, o *source.TextMap) *source.Nested {
	return w.inside(r, o, r.Form, func(inner *source.Cursor) source.RecordReader {
		shown, _ := inner.LanguageOf(o.Text[:min(len(o.Text), source.OpeningBytes)])
		inner.ReadPython(shown == source.IsPython)
		return inner.SingleRecord()
	})
}

// envelopeKeys are the members of an envelope that may contain its record.
var envelopeKeys = []string{"chunk", "data", "record", "payload", "frame", "message"}

// eventKeys are the members of a record of which every chunk has one.
var eventKeys = []string{"start", "end", "content"}

// envelopeTypes are what the type of an envelope may be: it names what it contains.
var envelopeTypes = append([]string{""}, envelopeKeys...)

// envelopeKey returns the member of an object that contains a record, or "". All
// others must be plain values.
func envelopeKey(root *value.Node) (key string) {
	if !slices.Contains(envelopeTypes, root.Member("type").Text()) {
		return ""
	}
	for i := range root.Children {
		switch n := &root.Children[i]; {
		case slices.Contains(envelopeKeys, n.Name) && key == "" && holdsRecord(n):
			key = n.Name
		case n.Kind == value.Object || n.Kind == value.Array:
			return ""
		}
	}
	return key
}

// holdsRecord reports whether a value is a record, be it one without a role, or
// a text that is one.
func holdsRecord(n *value.Node) bool {
	if n.Kind == value.String {
		text := n.Text()
		return strings.HasPrefix(strings.TrimSpace(text), "{") &&
			(strings.Contains(text, `"`+roleKey+`"`) || strings.Contains(text, `'`+roleKey+`'`))
	}
	return n.Member(roleKey) != nil || n.Member("type") != nil && slices.ContainsFunc(eventKeys, func(key string) bool { return n.Member(key) != nil })
}

// wrapsNonRecord reports whether an object is an envelope around an object that is no
// record.
func wrapsNonRecord(root *value.Node) bool {
	return slices.Contains(envelopeTypes, root.Member("type").Text()) &&
		slices.ContainsFunc(envelopeKeys, func(key string) bool { n := root.Member(key); return n != nil && n.Kind == value.Object })
}

// envelopeFrame says what an envelope contains. One with plain values alone says
// something about the stream, as that it has ended.
func envelopeFrame(root *value.Node, key string) frame {
	f := frame{value: root.Member(key), event: root.Member("event").Text()}
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
