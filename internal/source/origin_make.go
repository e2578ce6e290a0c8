package source

import "bytes"

// markEvery is about how many raw bytes lie between two marks of an origin. It
// bounds what one look-up costs.
const markEvery = 1 << 10

// newOrigin makes the origin of text that was decoded from a piece of the input
// which stands at a position. Raw must hold whole units and never change.
func newOrigin(text, raw []byte, at Position, units units) *sourceMap {
	o := &sourceMap{text: text, raw: raw, units: units}
	o.mark(at)
	return o
}

// inner makes the origin of text that was decoded from the bytes between two
// offsets of the text of o.
func (o *sourceMap) inner(text []byte, from, to int, units units) *sourceMap {
	next := &sourceMap{text: text, raw: o.text[from:to:to], outer: o, from: from, units: units}
	next.mark(Position{})
	return next
}

// mark sets the marks, all but the first at or behind the beginning of a code point.
func (o *sourceMap) mark(at Position) {
	last := mark{pos: at}
	o.marks = append(o.marks, last)
	here := last
	set := func(text, raw int) {
		here = mark{text: text, raw: raw}
		if o.outer == nil {
			here.pos = last.pos.advance(o.raw[last.raw:raw])
		}
		o.marks = append(o.marks, here)
		last = here
	}
	for text, raw := 0, 0; raw < len(o.raw); {
		written, decoded := o.units(o.raw[raw:])
		end := raw + written
		for written == decoded && end-last.raw > markEvery {
			next := runeStart(o.raw, max(raw, last.raw+markEvery))
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
func (r *Record) originOf(n *Node) *sourceMap {
	inside := n.RawContent()
	text := n.AppendText(make([]byte, 0, len(inside)))
	from := n.End - 1 - len(inside)
	if r.origin != nil {
		return r.origin.inner(text, r.base+from, r.base+from+len(inside), n.units())
	}
	return newOrigin(text, bytes.Clone(inside), r.position(from), n.units())
}

// units are the units of a string without its quotes.
func (n *Node) units() units {
	if n.joined {
		size := len(n.AppendText(nil))
		return func(raw []byte) (written, decoded int) { return len(raw), size }
	}
	if n.python {
		like := &Node{raw: bytes.Clone(n.raw[:min(len(n.raw), maxPrefix)]), python: true}
		return like.unitSizes
	}
	return jsonUnits
}
