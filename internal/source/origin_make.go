package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// markEvery is about how many raw bytes lie between two marks of an origin. It
// bounds what one look-up costs.
const markEvery = 1 << 10

// newOrigin makes the origin of text that was decoded from a piece of the input
// which stands at a position. Raw must hold whole units and never change.
func newOrigin(text, raw []byte, at value.Position, units value.Units) *sourceMap {
	o := &sourceMap{text: text, raw: raw, units: units}
	o.mark(at)
	return o
}

// inner makes the origin of text that was decoded from the bytes between two
// offsets of the text of o.
func (o *sourceMap) inner(text []byte, from, to int, units value.Units) *sourceMap {
	next := &sourceMap{text: text, raw: o.text[from:to:to], outer: o, from: from, units: units}
	next.mark(value.Position{})
	return next
}

// mark sets the marks, all but the first at or behind the beginning of a code point.
func (o *sourceMap) mark(at value.Position) {
	last := mark{pos: at}
	o.marks = append(o.marks, last)
	here := last
	set := func(text, raw int) {
		here = mark{text: text, raw: raw}
		if o.outer == nil {
			here.pos = last.pos.Advance(o.raw[last.raw:raw])
		}
		o.marks = append(o.marks, here)
		last = here
	}
	for text, raw := 0, 0; raw < len(o.raw); {
		written, decoded := o.units(o.raw[raw:])
		end := raw + written
		for written == decoded && end-last.raw > markEvery {
			next := value.RuneStart(o.raw, max(raw, last.raw+markEvery))
			if next <= max(raw, last.raw) {
				break
			}
			set(text+next-raw, next)
			text, raw = here.text, here.raw
			written, decoded = end-raw, end-raw
		}
		text, raw = text+decoded, end
		if raw-last.raw >= markEvery {
			set(text, raw)
		}
	}
}

// originOf makes the origin of the text of a string. The node must hang on Root.
func (r *Record) originOf(n *value.Node) *sourceMap {
	inside := n.RawContent()
	text := n.AppendText(make([]byte, 0, len(inside)))
	from := n.End - 1 - len(inside)
	if r.origin != nil {
		return r.origin.inner(text, r.base+from, r.base+from+len(inside), n.Units())
	}
	return newOrigin(text, bytes.Clone(inside), r.position(from), n.Units())
}
