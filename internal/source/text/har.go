package text

import (
	"encoding/base64"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// har reads an HTTP Archive (HAR 1.2): the frames of each WebSocket, and the
// bodies that contain records. Each of these is a conversation; the rest is
// skipped.
type har struct {
	walker
	hasRecords    bool           // the current frames are records
	frames        *source.Frames // the records in them
	body          *source.Nested
	conversations int // conversations
}

// Paths of the values of a HAR that are read.
const (
	harEntries = "log/entries"
	harEntry   = harEntries + "/"
	harFrames  = harEntry + "/_webSocketMessages"
	harFrame   = harFrames + "/"
	harPosted  = harEntry + "/request/postData"
	harContent = harEntry + "/response/content"
)

// harObjects and harLists are the objects and lists that are walked through.
var (
	harObjects = []string{"log", harEntry, harEntry + "/request", harEntry + "/response"}
	harLists   = []string{harEntries, harFrames}
)

func newHAR(cur *source.Cursor) *har {
	return &har{walker: walker{cur: cur}, frames: source.NewFrames(cur)}
}

func (h *har) Next() (*source.Record, error) { return h.walk(h) }

// pending returns the next record of the current frame or body.
func (h *har) pending() *source.Record {
	if rec := h.frames.Next(); rec != nil || h.body == nil {
		return rec
	}
	rec := h.body.Next()
	if rec == nil {
		h.body = nil
	}
	return rec
}

// step moves to the next value and processes it.
func (h *har) step() *source.Record {
	name, ok := h.next()
	if !ok {
		return nil
	}
	switch path := h.path(name); {
	case path == harFrame:
		return h.frame()
	case h.enterAny(name, harObjects, harLists):
		if path == harFrames {
			h.connection()
		}
	case path == harPosted, path == harContent:
		h.startBody()
	default:
		h.skip()
	}
	return nil
}

// frame returns the next frame of a connection.
func (h *har) frame() *source.Record {
	if !h.hasRecords {
		h.skip()
		return nil
	}
	p, ok := h.read()
	if !ok {
		return nil
	}
	rec := h.cur.NewRecord(h.cur.In.Rest()[:p.End:p.End], "", p.Result)
	h.skipTaken(p.End)
	return h.frames.Open(rec)
}

// connection starts a conversation if the next frames are records.
func (h *har) connection() {
	h.hasRecords = framesAreRecords(h.cur)
	if h.hasRecords {
		h.begin()
	}
}

// begin starts a conversation.
func (h *har) begin() {
	h.cur.Conversation = h.conversations
	h.cur.Index = 0
	h.conversations++
}

// startBody starts reading the next body, if it contains records.
func (h *har) startBody() {
	p, ok := h.read()
	if !ok {
		return
	}
	if h.body = bodyIn(h.cur, p.Root); h.body != nil {
		h.begin()
	}
	h.skipTaken(p.End)
}

// probedRecords is how many records of a body or connection are examined to
// decide whether it contains records of the input.
const probedRecords = 20

// otherBodies are prefixes of media types that do not contain records.
var otherBodies = []string{
	"image/", "font/", "video/", "audio/", "text/html", "text/css", "text/javascript", "application/javascript",
	"application/x-javascript", "application/wasm", "application/pdf", "application/octet-stream",
}

// bodyIn returns a reader of the records of an HTTP body, or nil if it has
// none. The value is the content or postData of a HAR.
func bodyIn(cur *source.Cursor, n *value.Node) *source.Nested {
	text := n.Member("text")
	if text == nil || text.Kind != value.String || isOtherBody(n.Member("mimeType").Text()) {
		return nil
	}
	data := cur.In.Rest()[:n.End:n.End]
	value := source.Record{Data: data, Start: cur.In.Pos, Root: n}
	o := value.TextOf(text)
	if n.Member("encoding").Text() == "base64" {
		if o = decodeBase64(o); o == nil {
			return nil
		}
	}
	if !probe(cur, o) {
		return nil
	}
	return cur.Nest(o, source.FormAuto, nil)
}

func isOtherBody(media string) bool {
	for _, other := range otherBodies {
		if strings.HasPrefix(media, other) {
			return true
		}
	}
	return false
}

// probe reports whether one of the first records of a text is a record of the
// input.
func probe(cur *source.Cursor, o *source.TextMap) bool {
	index, reported := cur.Index, cur.PythonReported
	defer func() { cur.Index, cur.PythonReported = index, reported }()
	body := cur.Nest(o, source.FormAuto, nil)
	for range probedRecords {
		rec := body.Next()
		if rec == nil {
			return false
		}
		if !rec.IsGap && rec.Root != nil && cur.Options.Meaning(rec.Root) >= source.Old {
			return true
		}
	}
	return false
}

// decodeBase64 returns the map of the bytes that the text of o encodes, or nil
// if it is not base64.
func decodeBase64(o *source.TextMap) *source.TextMap {
	size := len(strings.TrimRight(string(o.Text), "="))
	decoded, err := base64.RawStdEncoding.AppendDecode(nil, o.Text[:size])
	if err != nil || size == 0 {
		return nil
	}
	return o.Inner(decoded, 0, size, base64Units)
}

// base64Units is the [value.Units] of base64 without padding.
func base64Units(raw []byte) (written, decoded int) {
	written = min(len(raw), 4)
	return written, written * 3 / 4
}

// framesAreRecords reports whether one of the next frames of the current list
// is a record of the input. It examines at most SniffWindow bytes and does not
// skip them.
func framesAreRecords(cur *source.Cursor) bool {
	at := 0
	for range probedRecords {
		end := elementEnd(cur, at)
		if end < 0 {
			return false
		}
		data := cur.In.Unread()[at:end]
		at = end
		skip := value.SpaceSize(data)
		for skip < len(data) && data[skip] == ',' {
			skip += 1 + value.SpaceSize(data[skip+1:])
		}
		v := cur.Scan.Scan(data[skip:], true)
		if v.Root == nil {
			return false
		}
		rec := source.Record{Data: data[skip:], Start: cur.In.Pos, Root: v.Root}
		n := v.Root.Member("data")
		if n != nil && n.Kind == value.String && !source.IsBinaryFrame(v.Root) && probe(cur, rec.TextOf(n)) {
			return true
		}
	}
	return false
}

// elementEnd returns the end of the next element of a list, or -1 if the list
// ends or that would take more than SniffWindow bytes.
func elementEnd(cur *source.Cursor, at int) int {
	start := at
	for ; ; start++ {
		for start >= len(cur.In.Unread()) {
			if start >= source.SniffWindow || !cur.In.Fetch() {
				return -1
			}
		}
		if c := cur.In.Unread()[start]; !value.IsSpace(c) && c != ',' {
			break
		}
	}
	if cur.In.Unread()[start] == ']' {
		return -1
	}
	for b := (value.BracketMatcher{}); ; {
		if b.Feed(cur.In.Unread()[start:]); b.IsClosed() {
			return start + b.Size()
		}
		if b.IsBroken() || len(cur.In.Unread()) >= source.SniffWindow || !cur.In.Fetch() {
			return -1
		}
	}
}
