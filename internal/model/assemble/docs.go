package assemble

import (
	"encoding/json"
	"strings"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// docsStore builds messages as processChunk does, the JavaScript example in the
// documentation.
type docsStore struct {
	a         *Assembler
	inBlock   bool
	merged    bool // a merge was reported, until the next flag
	recipient bool // a lost recipient was reported, until the next start
}

func (d *docsStore) add(r *lmc.Record) error {
	if r.Source.Direction == source.Sent {
		return nil // a page receives only what the server sends
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
		d.inBlock, d.merged = false, false
	}
	if active || !truthy(r.Content) {
		return nil
	}
	if m == nil {
		return exception("TypeError: Cannot read properties of undefined (reading 'content')")
	}
	d.reportMerge(m, r)
	if truthy(r.Key("recipient")) && !m.has("recipient") && !d.recipient {
		d.recipient = true
		d.a.report(Lost, r, "recipient is not stored: only a start flag sets it")
	}
	m.text = appendJS(m.text, r.Content)
	return nil
}

// start begins a message. Keys that the chunk lacks are undefined, which JSON
// omits.
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
	d.inBlock, d.merged, d.recipient = true, false, false
	if r.Type == "console" && !truthy(r.Key("format")) {
		d.a.report(Lost, r, "the message has no format: the start of a console block has none")
	}
}

func (d *docsStore) reportMerge(m *assembled, r *lmc.Record) {
	d.a.reportMergedImage(m, r)
	kind := r.Content.Kind
	switch {
	case kind == source.Object:
		d.a.report(Merged, r, `"[object Object]" appended to the preceding `+m.what())
	case d.merged:
	case !d.inBlock || !m.agrees(r, "role") || !m.agrees(r, "type") || m.has("format") && !m.agrees(r, "format"):
		d.merged = true
		d.a.report(Merged, r, "appended to the preceding "+m.what())
	}
}

// truthy reports whether a value is truthy in JavaScript and, except for empty
// lists and objects, in Python. An absent value is not.
func truthy(n *source.Node) bool {
	switch {
	case n == nil, n.Kind == source.Null:
		return false
	case n.Kind == source.Bool:
		return n.Value() == true
	case n.Kind == source.String:
		return len(n.AppendText(nil)) > 0
	case n.Kind == source.Number:
		mantissa, _, _ := strings.Cut(strings.ToLower(string(n.Raw())), "e")
		return strings.ContainsAny(mantissa, "123456789")
	}
	return true
}

// appendJS appends a value as JavaScript's += appends it to a string.
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
	case source.Number: // JavaScript writes it as encoding/json writes a float64
		var value float64
		if json.Unmarshal(n.Raw(), &value) == nil {
			if written, err := json.Marshal(value); err == nil {
				return append(text, written...)
			}
		}
	}
	return appendValue(text, n)
}
