package embedded

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source"
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
