package text

import (
	"bytes"
	"encoding/base64"
	"io"
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

// notebook reads the output of the cells of a Jupyter notebook (nbformat 4). Each
// output is a text whose first record begins a fragment.
type notebook struct {
	elements
	counts
}

func (n *notebook) Next() (*source.Record, error) {
	if !n.begun {
		if gap := n.begin("cells"); gap != nil {
			return gap, nil
		}
	}
	for {
		if rec := n.fromText(); rec != nil {
			return rec, nil
		}
		output, gap, err := n.next(printed)
		if err == io.EOF {
			if stray := n.lines.report(n.cur); stray != nil {
				return stray, nil
			}
		}
		if gap != nil || err != nil {
			return gap, err
		}
		if o := originOfLines(n.whole, output); o != nil && len(o.Text) > 0 {
			n.text = n.cur.Nest(o, source.FormText, func(inner *source.Cursor) source.RecordReader { return newReader(inner, &n.counts) })
		}
	}
}

// printed returns the texts that the outputs of a cell have.
func printed(cell *value.Node) (texts []*value.Node) {
	outputs := cell.Member("outputs")
	if outputs == nil || outputs.Kind != value.Array {
		return nil
	}
	for i := range outputs.Children {
		output := &outputs.Children[i]
		for _, text := range []*value.Node{output.Member("text"), output.Member("data").Member("text/plain")} {
			if text != nil {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// originOfLines returns the map of a text that is a string or a list of strings
// to join, or nil for other values. The node must be in the tree of Root.
func originOfLines(r *source.Record, n *value.Node) *source.TextMap {
	if n.Kind == value.String {
		return r.TextOf(n)
	}
	if n.Kind != value.Array || len(n.Children) == 0 {
		return nil
	}
	var text []byte
	for i := range n.Children {
		if n.Children[i].Kind != value.String {
			return nil
		}
		text = n.Children[i].AppendText(text)
	}
	from, to := n.Children[0].Start+1, n.Children[len(n.Children)-1].End-1
	return source.NewTextMap(text, bytes.Clone(r.Data[from:to]), r.PositionOf(from), lineUnits)
}

// lineUnits is the [value.Units] of a list of strings, from inside the first to
// inside the last. The text between two strings decodes to nothing.
func lineUnits(raw []byte) (written, decoded int) {
	if raw[0] == '"' {
		return bytes.IndexByte(raw[1:], '"') + 2, 0
	}
	written, decoded = value.StringUnits(raw)
	if i := bytes.IndexByte(raw[:written], '"'); i > 0 && raw[0] != '\\' { // the string ends in the run
		return i, i
	}
	return written, decoded
}

// elements reads the elements of the list of a JSON document: the entries of a HAR, the
// cells of a notebook. An element is loaded whole, and has values that contain records.
type elements struct {
	cur    *source.Cursor
	list   source.RecordReader // nil if the document has none
	begun  bool
	whole  *source.Record // the last element
	values []*value.Node  // in it, which were not read yet
	text   *source.Nested // the records of the last value that was read, or nil
}

// maxElementValues is how many values an element may have: those of a long connection.
const maxElementValues = 64 * value.MaxValues

// begin moves to the elements of a list in the object at the unread text. It returns a
// gap with the problems before them, or nil.
func (e *elements) begin(name string) *source.Record {
	e.begun = true
	e.cur.Scan.MaxValues = maxElementValues
	var gap *source.Record
	e.list, gap = e.cur.ElementsOf(name)
	return gap
}

// fromText returns the next record of the current text, or nil.
func (e *elements) fromText() *source.Record {
	if e.text == nil {
		return nil
	}
	rec := e.text.Next()
	if rec == nil {
		e.text = nil
	}
	return rec
}

// next returns the next value of an element, those in the next element if the last one
// has no other. Values returns them. It returns a gap for an element that is invalid.
func (e *elements) next(values func(element *value.Node) []*value.Node) (n *value.Node, gap *source.Record, err error) {
	for len(e.values) == 0 {
		if e.list == nil {
			e.cur.In.All().Discard()
			return nil, nil, e.cur.In.End()
		}
		index := e.cur.Index // which counts records, not elements
		rec, err := e.list.Next()
		e.cur.Index = index
		switch {
		case err != nil:
			return nil, nil, err
		case rec == nil:
			e.list = nil
			continue
		case rec.IsGap:
			return nil, rec, nil
		}
		if rec.Root == nil || rec.Root.Kind != value.Object {
			return nil, rec.WithoutValues(), nil
		}
		if len(values(rec.Root)) > 0 {
			e.whole = rec.Clone() // reading on overwrites the element
			e.whole.Pointer = ""
			e.values = values(e.whole.Root)
		}
	}
	n, e.values = e.values[0], e.values[1:]
	return n, nil, nil
}
