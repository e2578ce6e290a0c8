package source

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Wrapped reads records that are inside other objects: those of a session log have
// the direction of a frame, those of a stream may number its chunks.
type Wrapped struct {
	cur *Cursor

	kind        wrapperKind
	key         string // of the member that contains the record
	objectsSeen int    // objects that did not decide the kind

	text    *Nested // the records of a text frame
	inText  bool    // text may have more records
	frame   frame   // the last one
	pending *Record // returned after the problems of its wrapper, or nil
	part    Part    // memory for the record in a wrapper
}

type wrapperKind int

const (
	unknownWrapper wrapperKind = iota
	noWrapper
	sessionWrapper
	numberedWrapper
)

// maxDetectObjects is how many objects are inspected to decide whether the
// records are wrapped.
const maxDetectObjects = 8

// frame is the content of a wrapper.
type frame struct {
	Frame
	value *value.Node  // the record, or the string that contains it; nil if the wrapper has no record
	wrong *value.Fault // why the frame has no record, or nil

	interrupted bool // it is a note that the connection was interrupted
}

// describe adds what a wrapper says of a record.
func (f *frame) describe(rec *Record) *Record {
	if rec.IsGap {
		return rec
	}
	rec.Direction, rec.IsLogged, rec.Time = f.Direction, f.IsLogged, f.Time
	if f.Event != "" {
		rec.Event = f.Event
	}
	return rec
}

// NewFrames returns a reader of the records in frames, whose numbers are those of a
// cursor.
func NewFrames(cur *Cursor) *Wrapped { return &Wrapped{cur: cur, kind: sessionWrapper} }

// Frame returns the record in a frame. It returns nil if there is none, or if Pending
// will return it.
func (w *Wrapped) Frame(frame *Record) *Record {
	frame.SetIndex(w.cur.Index)
	w.cur.Index++
	return w.open(frame)
}

// Next returns the next record, without its wrapper if it has one.
func (w *Wrapped) Next() (*Record, error) {
	for hadRecord := w.cur.hasRecord; ; {
		if rec := w.Pending(); rec != nil {
			return rec, nil
		}
		w.cur.hasRecord = hadRecord // the last object was about the connection or the stream
		rec, err := w.cur.FormReader.Next()
		if err != nil {
			return nil, err
		}
		if rec = w.open(rec); rec != nil {
			return rec, nil
		}
	}
}

// Pending returns the next record of the last wrapper, or nil if it has no other.
func (w *Wrapped) Pending() *Record {
	if rec := w.pending; rec != nil {
		w.pending = nil
		return rec
	}
	if !w.inText {
		return nil
	}
	rec := w.text.Next()
	if rec == nil {
		w.inText = false
		return nil
	}
	rest := w.text.inner.cur.In.Unread()
	if IsTruncated(rec) && value.SpaceSize(rest) == len(rest) && !w.cur.Options.Live && w.cur.In.IsBlankAfter(0) { // the input ends there
		last := &rec.Problems[len(rec.Problems)-1]
		last.Kind, last.Detail = TruncatedRecord, value.InputEnds
	}
	return w.frame.describe(rec)
}

// open returns the record in a wrapper. It returns nil if there is none, or if
// Pending will return it.
func (w *Wrapped) open(rec *Record) *Record {
	if rec.IsGap || rec.Root == nil || rec.Root.Kind != value.Object {
		return rec
	}
	if w.kind == unknownWrapper {
		w.detect(rec.Root)
	}
	isRecord := rec.Root.Member(roleKey) != nil && w.cur.Options.Form != FormSessionLog
	switch {
	case w.kind <= noWrapper || isRecord && rec.Root.Member(w.key) == nil:
		return rec
	case w.kind == sessionWrapper:
		w.frame = sessionFrame(rec.Root)
	default:
		w.frame = numberedFrame(rec.Root, w.key)
	}
	return w.unwrap(rec, &w.frame)
}

// unwrap returns the record of a frame, or the problems of its wrapper if it has
// any; Pending returns the record then.
func (w *Wrapped) unwrap(rec *Record, f *frame) *Record {
	if f.wrong != nil {
		return f.describe(rec.SetUnreadable(f.wrong))
	}
	if f.value == nil {
		w.cur.Index = rec.Index // that of the next record
		return rec.WithoutValues()
	}
	left := rec.WithoutValues(f.value)
	var inner *Record
	switch {
	case left != nil && left.IsLost():
		return f.describe(rec)
	case f.Binary:
		inner = f.describe(rec.TakeBytes(f.value))
	case f.value.Kind == value.String:
		w.cur.Index = rec.Index // that of the first record in the text
		w.inText = true
		if w.text == nil {
			w.text = &Nested{outer: w.cur}
		}
		w.text.Begin(rec.TextOf(f.value), w.cur.Form, func(inner *Cursor) RecordReader {
			inner.language.isFixed = w.kind == sessionWrapper && !w.cur.Scan.Python // the peer reads JSON
			return inner.SingleRecord()
		})
		return left
	default:
		inner = f.describe(rec.TakeValue(f.value, &w.part))
	}
	if left != nil {
		w.pending = inner
		return left
	}
	return inner
}

// detect decides from the first objects of an input whether the records are wrapped.
func (w *Wrapped) detect(root *value.Node) {
	w.kind = noWrapper
	meaning := w.cur.Options.Meaning(root)
	switch {
	case root.Member(roleKey) != nil:
	case w.cur.Options.Form == FormAuto && isSessionFrame(root):
		w.kind = sessionWrapper
		if slices.Contains([]Form{FormJSON, FormJSONL, FormPython}, w.cur.Form) {
			w.cur.Form = FormSessionLog
		}
	case meaning == Foreign:
		if w.key = w.keyOf(root); w.key != "" {
			w.kind = numberedWrapper
		} else if w.objectsSeen++; w.objectsSeen < maxDetectObjects && !isSessionFrame(root) {
			w.kind = unknownWrapper
		}
	}
}

// keyOf returns the name of the only member of an object that is a record, or "".
func (w *Wrapped) keyOf(root *value.Node) (key string) {
	inner, count := Inner(root, w.cur.Options.Meaning)
	if count == 0 { // a record that lacks its role
		inner, count = Inner(root, func(n *value.Node) Meaning {
			if n.Member(roleKey) == nil && w.cur.Options.Meaning(n) == Weak {
				return Plain
			}
			return Foreign
		})
	}
	if count != 1 {
		return ""
	}
	return inner.Name
}

// Inner returns the first member of an object that is certainly a record, and how many
// there are.
func Inner(object *value.Node, meaning Detector) (first *value.Node, count int) {
	for i := range object.Children {
		if c := &object.Children[i]; c.Kind == value.Object && meaning(c).IsCertain() {
			if count++; count == 1 {
				first = c
			}
		}
	}
	return first, count
}

// timeKeys are the members of a wrapper that may say when its record was sent.
var timeKeys = []string{"time", "timestamp", "ts"}

// timeOf returns the time of a wrapper, verbatim, or nil.
func timeOf(root *value.Node) []byte {
	for _, key := range timeKeys {
		if n := root.Member(key); n != nil && (n.Kind == value.Number || n.Kind == value.String) {
			return n.Raw()
		}
	}
	return nil
}

// numberedFrame returns the record of an object that numbers it. An object with scalar
// members only is about the stream, such as its end, and has no record.
func numberedFrame(root *value.Node, key string) frame {
	f := frame{value: root.Member(key), Frame: Frame{Event: root.Member("event").Text(), Time: timeOf(root)}}
	switch {
	case f.value == nil:
	case f.value.Kind == value.String && !strings.HasPrefix(strings.TrimSpace(f.value.Text()), "{"): // no record as text
		reject := RejectValue(f.value)
		f.wrong = &reject
		return f
	default:
		return f.checked()
	}
	for i := range root.Children {
		if kind := root.Children[i].Kind; kind == value.Object || kind == value.Array {
			return wrongFrame(f, root, "found an object without `"+key+"`, expected the record there")
		}
	}
	return frame{}
}

// roleKey is a key of records that wrappers do not have.
const roleKey = "role"

// directionKeys are the members of a logged frame that may contain its direction,
// and frameKeys those that may contain the frame; the first that exists is used.
// A direction key from index unsureKeys on is used only if it has a known word.
const unsureKeys = 2

var (
	directionKeys = []string{"dir", "direction", "type", "from"}
	frameKeys     = []string{"frame", bytesKey, "text", "data", "message", "payload", "body"}
)

// interruptedKey is the member of a note that is true if the connection did not end
// there, but the recording of it.
const interruptedKey = "interrupted"

// bytesKey is the member that contains a binary frame.
const bytesKey = "bytes_base64"

// directionWords are the names of the directions in logs, in lower case.
var directionWords = map[string]Direction{
	"send": Sent, "sent": Sent, "out": Sent, "outgoing": Sent, "outbound": Sent, "client": Sent, "tx": Sent, "c2s": Sent, ">": Sent, "->": Sent, "→": Sent,
	"recv": Received, "receive": Received, "received": Received, "in": Received, "incoming": Received, "inbound": Received,
	"server": Received, "rx": Received, "s2c": Received, "<": Received, "<-": Received, "←": Received,
}

// noteWords are the values of a direction key for lines that are not frames.
var noteWords = []string{
	"note", "info", "open", "close", "error", "comment", "meta",
}

// opcodes of frames, as RFC 6455 has them.
const binaryFrame = "2"

var controlFrames = []string{"8", "9", "10"}

// isSessionFrame reports whether an object is a logged frame, or a note in a log.
func isSessionFrame(root *value.Node) bool {
	n, direction := directionOf(root)
	if n == nil {
		return false
	}
	isSure := slices.Contains(directionKeys[:unsureKeys], n.Name)
	return direction != Undirected && frameOf(root) != nil || isSure && isNote(n)
}

// directionOf returns the member with the direction of a frame, and the
// direction.
func directionOf(root *value.Node) (n *value.Node, direction Direction) {
	for i, key := range directionKeys {
		if n = root.Member(key); n == nil || n.Kind != value.String {
			continue
		}
		direction = directionWords[strings.ToLower(n.Text())]
		if i < unsureKeys || direction != Undirected || isNote(n) {
			return n, direction
		}
	}
	return nil, Undirected
}

func isNote(n *value.Node) bool { return slices.Contains(noteWords, strings.ToLower(n.Text())) }

func frameOf(root *value.Node) *value.Node {
	for _, key := range frameKeys {
		if n := root.Member(key); n != nil {
			return n
		}
	}
	return nil
}

// sessionFrame returns the frame of a line of a session log.
func sessionFrame(root *value.Node) frame {
	n, direction := directionOf(root)
	f := frame{value: frameOf(root), Frame: Frame{Direction: direction, Time: timeOf(root)}}
	f.IsLogged = n != nil && n.Name == directionKeys[0] && direction != Undirected
	switch {
	case n == nil:
		return wrongFrame(f, root, "found no direction, expected `dir` with send, recv or note")
	case direction == Undirected && isNote(n):
		return frame{interrupted: rawOf(root, interruptedKey) == "true"}
	case direction == Undirected:
		return wrongFrame(f, n, "found the direction "+value.Quote(n.Raw())+", expected send, recv or note")
	case slices.Contains(controlFrames, rawOf(root, "opcode")):
		return frame{}
	case f.value == nil:
		return wrongFrame(f, root, "found no frame, expected `frame`, `text` or `bytes_base64`")
	}
	f.Binary = f.value.Name == bytesKey || rawOf(root, "opcode") == binaryFrame || rawOf(root, "binary") == "true"
	return f.checked()
}

// checked returns the frame with a fault if its value cannot be a frame.
func (f frame) checked() frame {
	isText := f.value.Kind == value.String
	switch {
	case f.Binary && !isText:
		return wrongFrame(f, f.value, "found "+value.KindPhrase(f.value.Kind)+", expected a string with the bytes of the frame")
	case f.value.Kind != value.Object && !isText:
		reject := RejectValue(f.value)
		f.wrong = &reject
	case !f.Binary && isText && strings.TrimSpace(f.value.Text()) == "":
		return wrongFrame(f, f.value, "found an empty frame, expected a record")
	}
	return f
}

// wrongFrame returns the frame with a fault at n.
func wrongFrame(f frame, n *value.Node, detail string) frame {
	end := n.End
	if n.Kind == value.Object {
		end = n.Start + 1
	}
	f.wrong = &value.Fault{Kind: InvalidForm, Start: n.Start, End: end, Detail: detail}
	return f
}

// rawOf returns the source text of a member, or "" if it does not exist.
func rawOf(root *value.Node, name string) string {
	if n := root.Member(name); n != nil {
		return string(n.Raw())
	}
	return ""
}

// IsBinaryFrame reports whether a logged frame is a binary one.
func IsBinaryFrame(frame *value.Node) bool { return rawOf(frame, "opcode") == binaryFrame }
