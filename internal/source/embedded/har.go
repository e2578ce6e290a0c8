package embedded

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// har reads the recording of a browser's traffic (HTTP Archive 1.2): the frames
// of each WebSocket, and the bodies that hold records. Each of them is a
// conversation; what holds no record is passed over.
type har struct {
	walker
	own     bool            // the frames at hand are records
	wrap    envelopeDecoder // of the frames
	body    *source.Nested
	counted int // conversations
	begun   bool
}

// Where the values of a HAR stand that are looked at.
const (
	harEntries = "log/entries"
	harEntry   = harEntries + "/"
	harFrames  = harEntry + "/_webSocketMessages"
	harFrame   = harFrames + "/"
	harPosted  = harEntry + "/request/postData"
	harContent = harEntry + "/response/content"
)

// harObjects are the objects that are walked through.
var harObjects = []string{"log", harEntry, harEntry + "/request", harEntry + "/response"}

func newHAR(r *source.Cursor) *har {
	r.Form = source.FormHAR
	return &har{walker: walker{r: r}, wrap: envelopeDecoder{kind: sessionWrapper, conversation: -1}}
}

func (h *har) Next() (*source.Record, error) {
	if !h.begun {
		h.begun = true
		h.enter("", false)
	}
	for {
		if rec := h.waiting(); rec != nil {
			return rec, nil
		}
		if rec := h.told(); rec != nil {
			return rec, nil
		}
		if h.done() {
			return h.finish()
		}
		if rec := h.step(); rec != nil {
			return rec, nil
		}
	}
}

// waiting returns the next record of the frame or body at hand.
func (h *har) waiting() *source.Record {
	if rec := h.wrap.waiting(h.r); rec != nil || h.body == nil {
		return rec
	}
	rec := h.body.Next()
	if rec == nil {
		h.body = nil
	}
	return rec
}

// step moves to the next value and does what is to be done with it.
func (h *har) step() *source.Record {
	name, ok := h.walker.next()
	if !ok {
		return nil
	}
	switch path := h.path(name); {
	case path == harFrame:
		return h.frame()
	case slices.Contains(harObjects, path) && h.enter(name, false):
	case path == harEntries && h.enter(name, true):
	case path == harFrames && h.enter(name, true):
		h.connection()
	case path == harPosted, path == harContent:
		h.startBody()
	default:
		h.pass()
	}
	return nil
}

// frame returns the next frame of a connection.
func (h *har) frame() *source.Record {
	if !h.own {
		h.pass()
		return nil
	}
	p, ok := h.take()
	if !ok {
		return nil
	}
	rec := h.r.NewRecord(h.r.In.Rest()[:p.End:p.End], "", p.Result)
	h.passTaken(p.End)
	return h.wrap.open(h.r, rec)
}

// connection looks at the frames that come next, and begins a conversation if
// they are records.
func (h *har) connection() {
	h.own = framesAreRecords(h.r)
	if h.own {
		h.begin()
	}
}

// begin begins a conversation.
func (h *har) begin() {
	h.r.Conversation = h.counted
	h.r.Index = 0
	h.counted++
}

// startBody begins to read the body that comes next, if it holds records.
func (h *har) startBody() {
	p, ok := h.take()
	if !ok {
		return
	}
	if h.body = bodyIn(h.r, p.Root); h.body != nil {
		h.begin()
	}
	h.passTaken(p.End)
}

// probedRecords is how many records of a body or a connection are looked at to
// find out whether it holds any of the input's.
const probedRecords = 20

// otherBodies are beginnings of the media types that hold no records.
var otherBodies = []string{
	"image/", "font/", "video/", "audio/", "text/html", "text/css", "text/javascript", "application/javascript",
	"application/x-javascript", "application/wasm", "application/pdf", "application/octet-stream",
}

// bodyIn returns the records of a body of an HTTP request or response, and nil
// if it holds none. The value is the content or postData of a HAR.
func bodyIn(r *source.Cursor, n *value.Node) *source.Nested {
	text := n.Member("text")
	if text == nil || text.Kind != value.String || isOtherBody(n.Member("mimeType").Text()) {
		return nil
	}
	data := r.In.Rest()[:n.End:n.End]
	value := source.Record{Data: data, Start: r.In.Pos, Root: n}
	o := value.TextOf(text)
	if n.Member("encoding").Text() == "base64" {
		if o = decodeBase64(o); o == nil {
			return nil
		}
	}
	if !probe(r, o) {
		return nil
	}
	return r.Nest(o, source.FormAuto, nil)
}

func isOtherBody(media string) bool {
	for _, other := range otherBodies {
		if strings.HasPrefix(media, other) {
			return true
		}
	}
	return false
}

// probe reports whether a text holds a record of the input among the first.
func probe(r *source.Cursor, o *source.TextMap) bool {
	index, told := r.Index, r.PythonReported
	defer func() { r.Index, r.PythonReported = index, told }()
	body := r.Nest(o, source.FormAuto, nil)
	for range probedRecords {
		rec := body.Next()
		if rec == nil {
			return false
		}
		if !rec.IsGap && rec.Root != nil && r.Options.Owns(rec) {
			return true
		}
	}
	return false
}

// decodeBase64 is the origin of the bytes that the text of o encodes, or nil.
func decodeBase64(o *source.TextMap) *source.TextMap {
	size := len(strings.TrimRight(string(o.Text), "="))
	decoded, err := base64.RawStdEncoding.AppendDecode(nil, o.Text[:size])
	if err != nil || size == 0 {
		return nil
	}
	return o.Inner(decoded, 0, size, base64Units)
}

// base64Units are the units of base64 without its padding.
func base64Units(raw []byte) (written, decoded int) {
	written = min(len(raw), 4)
	return written, written * 3 / 4
}

// framesAreRecords reports whether one of the first frames of the list that the
// unread input stands in is a record of the input. It looks at no more than
// sniffWindow bytes and moves nothing.
func framesAreRecords(r *source.Cursor) bool {
	at := 0
	for range probedRecords {
		end := elementEnd(r, at)
		if end < 0 {
			return false
		}
		data := r.In.Unread()[at:end]
		at = end
		skip := value.SpaceSize(data)
		for skip < len(data) && data[skip] == ',' {
			skip += 1 + value.SpaceSize(data[skip+1:])
		}
		v := r.Scan.Scan(data[skip:], true)
		if v.Root == nil {
			return false
		}
		rec := source.Record{Data: data[skip:], Start: r.In.Pos, Root: v.Root}
		n := v.Root.Member("data")
		if n != nil && n.Kind == value.String && rawOf(v.Root, "opcode") != binaryFrame && probe(r, rec.TextOf(n)) {
			return true
		}
	}
	return false
}

// elementEnd returns where the element of a list ends, before which only white
// space and a comma may stand, or -1 if the list ends or more than sniffWindow
// bytes would have to be read.
func elementEnd(r *source.Cursor, at int) int {
	start := at
	for ; ; start++ {
		for start >= len(r.In.Unread()) {
			if start >= source.SniffWindow || !r.In.Fetch() {
				return -1
			}
		}
		if c := r.In.Unread()[start]; !value.IsSpace(c) && c != ',' {
			break
		}
	}
	if r.In.Unread()[start] == ']' {
		return -1
	}
	for b := (value.BracketMatcher{}); ; {
		if b.Feed(r.In.Unread()[start:]); b.Closed {
			return start + b.Size
		}
		if b.Broken || len(r.In.Unread()) >= source.SniffWindow || !r.In.Fetch() {
			return -1
		}
	}
}
