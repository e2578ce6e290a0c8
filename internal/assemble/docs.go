package assemble

import (
	"encoding/json"
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// docsPage makes messages as processChunk does, the example in JavaScript of
// the documents.
type docsStore struct {
	a         *Assembler
	inBlock   bool
	glued     bool // that is told, until the next flag
	recipient bool // a lost recipient is told, until the next start
}

func (d *docsStore) finish() {}

func (d *docsStore) add(r *lmc.Record) error {
	if r.Source.Direction == source.Sent {
		return nil // a page reads what a server sends
	}
	if n := r.Key("start"); truthy(n) {
		d.start(r)
	}
	end := truthy(r.Key("end"))
	m := d.a.last()
	active := r.Format == "active_line"
	if active || end && r.Type == "console" {
		if m == nil {
			return exception("TypeError: Cannot set properties of undefined (setting 'activeLine')")
		}
		m.setJSON("activeLine", []byte("null"))
		if active && r.Content != nil {
			m.set("activeLine", r.Content)
		}
	}
	if end {
		d.inBlock, d.glued = false, false
	}
	if active || !truthy(r.Content) {
		return nil
	}
	if m == nil {
		return exception("TypeError: Cannot read properties of undefined (reading 'content')")
	}
	d.extend(m, r)
	return nil
}

// start makes a new message. Keys that the chunk does not have are undefined,
// and JSON leaves them out.
func (d *docsStore) start(r *lmc.Record) {
	m := &assembled{}
	for _, name := range []string{"role", "type", "content", "format", "recipient"} {
		n := r.Key(name)
		switch {
		case name == "content":
			m.setContent(nil)
		case n != nil && (truthy(n) || name == "role" || name == "type"):
			m.set(name, n)
		}
	}
	d.a.push(m)
	d.inBlock, d.glued, d.recipient = true, false, false
	if r.Type == "console" && !truthy(r.Key("format")) {
		d.a.mishap(Lost, r, "the message gets no format, because the start of a console block has none")
	}
}

func (d *docsStore) extend(m *assembled, r *lmc.Record) {
	d.tellGlued(m, r)
	if truthy(r.Key("recipient")) && !m.has("recipient") && !d.recipient {
		d.recipient = true
		d.a.mishap(Lost, r, "its recipient is not stored: it is only read from the start")
	}
	m.text = appendJS(m.text, r.Content)
}

func (d *docsStore) tellGlued(m *assembled, r *lmc.Record) {
	d.a.gluesImage(m, r)
	kind := r.Content.Kind
	switch {
	case kind == source.Object:
		d.a.mishap(Merged, r, `"[object Object]" is appended to the `+m.what()+" before it")
	case d.glued:
	case !d.inBlock || !m.agrees(r, "role") || !m.agrees(r, "type") || m.has("format") && !m.agrees(r, "format"):
		d.glued = true
		d.a.mishap(Merged, r, "it is appended to the "+m.what()+" before it")
	}
}

// truthy reports whether a value counts as true, in JavaScript and, but for
// empty lists and objects, in Python. What is absent does not.
func truthy(n *source.Node) bool {
	switch {
	case n == nil, n.Kind == source.Null:
		return false
	case n.Kind == source.Bool:
		return n.Value() == true
	case n.Kind == source.String:
		return len(n.AppendText(nil)) > 0
	case n.Kind == source.Number:
		return strings.ContainsAny(mantissa(n.Raw()), "123456789")
	}
	return true
}

func mantissa(number []byte) string {
	whole, _, _ := strings.Cut(strings.ToLower(string(number)), "e")
	return whole
}

// appendJS appends a value as += of JavaScript appends it to a string.
func appendJS(text []byte, n *source.Node) []byte {
	switch n.Kind {
	case source.String:
		return n.AppendExact(text)
	case source.Object:
		return append(text, "[object Object]"...)
	case source.Array:
		for i := range n.Children {
			if i > 0 {
				text = append(text, ',')
			}
			if n.Children[i].Kind != source.Null {
				text = appendJS(text, &n.Children[i])
			}
		}
		return text
	case source.Number:
		return appendJSNumber(text, n)
	}
	return appendValue(text, n)
}

// appendJSNumber writes a number as JavaScript does, which is how package json
// writes a float64.
func appendJSNumber(text []byte, n *source.Node) []byte {
	var value float64
	if json.Unmarshal(n.Raw(), &value) == nil {
		if written, err := json.Marshal(value); err == nil {
			return append(text, written...)
		}
	}
	return append(text, n.Raw()...)
}
