package text

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// har reads an HTTP Archive (HAR 1.2): the frames of each WebSocket, and the
// bodies that contain records. Each of these is a conversation; the rest is
// skipped.
type har struct {
	elements
	frames        *source.Wrapped // the records in the frames of a connection
	part          source.Part     // memory for a frame
	conversations int
}

func (h *har) Next() (*source.Record, error) {
	if !h.begun {
		h.cur.In.Skip(max(0, h.cur.HARLog()))
		if gap := h.begin("entries"); gap != nil {
			return gap, nil
		}
	}
	for {
		if rec := h.frames.Pending(); rec != nil {
			return rec, nil
		}
		if rec := h.fromText(); rec != nil {
			return rec, nil
		}
		n, gap, err := h.next(h.exchanged)
		if gap != nil || err != nil {
			return gap, err
		}
		if rec := h.value(n); rec != nil {
			return rec, nil
		}
	}
}

// exchanged returns the lists of frames of an entry, the frames in them, and the bodies.
func (h *har) exchanged(entry *value.Node) (values []*value.Node) {
	for i := range entry.Children {
		n := &entry.Children[i]
		var body *value.Node
		switch n.Name {
		case "_webSocketMessages":
			if n.Kind == value.Array && len(n.Children) > 0 {
				values = append(values, n)
			}
		case "request":
			body = n.Member("postData")
		case "response":
			body = n.Member("content")
		}
		isMedia := func(prefix string) bool { return strings.HasPrefix(body.Member("mimeType").Text(), prefix) }
		if text := body.Member("text"); text != nil && text.Kind == value.String && !slices.ContainsFunc(otherBodies, isMedia) {
			values = append(values, body)
		}
	}
	return values
}

// value begins to read a connection, or its next frame, or a body. It returns the record
// in a frame, or nil if there is none.
func (h *har) value(n *value.Node) *source.Record {
	switch {
	case n.Kind == value.Array:
		hasRecords := false
		frames := make([]*value.Node, len(n.Children))
		for i := range frames {
			frame := &n.Children[i]
			text := frame.Member("data")
			hasRecords = hasRecords || i < probedRecords && text != nil && text.Kind == value.String && !source.IsBinaryFrame(frame) && probe(h.cur, h.whole.TextOf(text))
			frames[i] = frame
		}
		if hasRecords {
			h.beginConversation()
			h.values = append(frames, h.values...)
		}
	case n.Name == "":
		frame := h.whole.TakeValue(n, &h.part)
		if n.Kind != value.Object {
			fault := source.RejectValue(frame.Root)
			frame.SetUnreadable(&fault)
		}
		return h.frames.Frame(frame)
	default:
		if h.text = h.bodyIn(n); h.text != nil {
			h.beginConversation()
		}
	}
	return nil
}

func (h *har) beginConversation() {
	h.cur.Conversation = h.conversations
	h.whole.Conversation = h.conversations
	h.cur.Index = 0
	h.conversations++
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
// none. The value is the content or postData of an entry.
func (h *har) bodyIn(n *value.Node) *source.Nested {
	o := h.whole.TextOf(n.Member("text"))
	if n.Member("encoding").Text() == "base64" {
		size := len(strings.TrimRight(string(o.Text), "="))
		decoded, err := base64.RawStdEncoding.AppendDecode(nil, o.Text[:size])
		if err != nil || size == 0 {
			return nil
		}
		o = o.Inner(decoded, 0, size, func(raw []byte) (written, decoded int) { // without padding
			written = min(len(raw), 4)
			return written, written * 3 / 4
		})
	}
	if !probe(h.cur, o) {
		return nil
	}
	return h.cur.Nest(o, source.FormAuto, nil)
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
