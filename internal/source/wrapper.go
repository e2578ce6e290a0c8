package source

import (
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// wrapping is what stands around the records of an input, each in an object of
// its own: a log of a connection says who sent a frame, an envelope numbers the
// chunks of a stream.
type envelopeDecoder struct {
	kind   wrapperKind
	key    string // of the record in an envelope
	looked int    // envelopes around something else

	conversation int // of the last record
	index        int // of the next one in that

	text  *nestedReader // the records of a text frame that are still to come
	texts *nestedReader // memory for text
	frame frame         // that holds them
	later *Record       // what comes after the problems of its wrapper
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
	value     *value.Node // the record, or the string that holds it; nil if there rightly is none
	direction Direction
	event     string
	binary    bool
	wrong     *value.Fault // why nothing can be read
}

// newWrapping is what an input of a form, or of one that is detected, has.
func newWrapping(form Form) envelopeDecoder {
	if form == FormSessionLog {
		return envelopeDecoder{kind: sessionWrapper}
	}
	return envelopeDecoder{}
}

// wraps reports whether records stand in wrappers.
func (w *envelopeDecoder) wraps() bool { return w.kind > noWrapper }

// next returns the next record, out of its wrapper if it has one.
func (w *envelopeDecoder) next(r *Reader) (*Record, error) {
	for {
		if rec := w.waiting(r); rec != nil {
			return rec, nil
		}
		rec, err := r.mode.next()
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
func (w *envelopeDecoder) waiting(r *Reader) *Record {
	if rec := w.later; rec != nil {
		w.later = nil
		return rec
	}
	if w.text == nil {
		return nil
	}
	index := r.index // which counts wrappers
	var rec *Record
	if w.kind == logWrapper {
		rec = w.lines.next(w.text)
	} else {
		rec = w.text.next()
	}
	r.index = index
	if rec == nil {
		w.text = nil
		return nil
	}
	if isTruncated(rec) && w.text.isThrough() && r.in.blankBehind(0) {
		rec.endsInput()
	}
	return w.count(rec, &w.frame)
}

// open returns the record that is in a wrapper. It returns nil if there is none,
// or if that is waiting.
func (w *envelopeDecoder) open(r *Reader, rec *Record) *Record {
	if rec.IsGap || rec.Root == nil || rec.Root.Kind != value.Object {
		return w.count(rec, &frame{})
	}
	if w.kind == unknownWrapper {
		w.look(r, rec.Root)
	}
	plain := rec.Root.Member(roleKey) != nil && r.options.Form != FormSessionLog
	switch {
	case !w.wraps() || plain && rec.Root.Member(w.key) == nil:
		return w.count(rec, &frame{})
	case w.kind == sessionWrapper:
		return w.take(r, rec, sessionFrame(rec.Root))
	case w.kind == logWrapper:
		return w.lines.open(w, r, rec)
	}
	return w.take(r, rec, envelopeFrame(rec.Root, w.key))
}

// take takes the record out of a wrapper.
func (w *envelopeDecoder) take(r *Reader, rec *Record, f frame) *Record {
	left := rec.left(f.value)
	switch {
	case f.wrong != nil:
		return w.count(rec.lacks(f.wrong), &f)
	case f.value == nil:
		return left
	case left != nil && left.isLost():
		return w.count(rec, &f)
	case !f.binary && f.value.Kind == value.String:
		w.text, w.frame = r.frameText(rec.originOf(f.value)), f
		return left
	}
	var inner *Record
	if f.binary {
		inner = w.count(rec.takenBytes(f.value), &f)
	} else {
		inner = w.count(rec.taken(f.value), &f)
	}
	if left != nil {
		w.later = inner
		return left
	}
	return inner
}

// count numbers a record and adds what its wrapper says about it.
func (w *envelopeDecoder) count(rec *Record, f *frame) *Record {
	switch {
	case rec.IsGap:
		return rec
	case !w.wraps():
		w.conversation, w.index = rec.Conversation, rec.Index+1
		return rec
	case rec.Conversation != w.conversation:
		w.conversation, w.index = rec.Conversation, 0
	}
	rec.number(w.index)
	w.index++
	if f.direction != Undirected {
		rec.Direction = f.direction
	}
	if f.event != "" {
		rec.Event = f.event
	}
	return rec
}

// number gives the record its number in its conversation.
func (r *Record) number(index int) {
	r.Index = index
	for i := range r.Problems {
		r.Problems[i].Place.Record = index
		if related := r.Problems[i].Related; related != nil {
			related.Record = index
		}
	}
}

// look finds out from the first objects of an input whether there are wrappers.
// An envelope around something else than a record says nothing yet.
func (w *envelopeDecoder) look(r *Reader, root *value.Node) {
	w.kind = noWrapper
	switch {
	case root.Member(roleKey) != nil:
	case r.options.Form == FormAuto && isSessionFrame(root):
		w.kind = sessionWrapper
		if slices.Contains([]Form{FormJSON, FormJSONL, FormPython}, r.form) {
			r.form = FormSessionLog
		}
	case (r.options.Form == FormAuto || r.options.Form == FormLog) && isLogLine(root):
		w.kind = logWrapper
		r.packed(FormLog)
	default:
		if w.key = envelopeKey(root); w.key != "" {
			w.kind = envelopeWrapper
		} else if w.looked++; w.looked < maxLooks && wrapsNonRecord(root) {
			w.kind = unknownWrapper
		}
	}
}

// inside is Reader.inside for the text of a wrapper. The one before is over.
func (w *envelopeDecoder) inside(r *Reader, o *sourceMap, form Form) *nestedReader {
	if w.texts == nil {
		w.texts = r.inside(o, form)
	} else {
		w.texts.begin(o, form)
	}
	return w.texts
}

// frameText reads the text of a frame, which should be a record.
func (r *Reader) frameText(o *sourceMap) *nestedReader {
	t := r.wrap.inside(r, o, r.form)
	shown, _ := t.inner.languageOf(o.text[:min(len(o.text), openingBytes)])
	t.inner.scan.Python, t.inner.in.comments = shown == isPython, shown == isPython
	t.inner.mode = &lines{r: t.inner, alone: true}
	return t
}
