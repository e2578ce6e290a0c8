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
func NewTextMap(text, raw []byte, at value.Position, units value.Units) *TextMap {
	o := &TextMap{Text: text, raw: raw, units: units}
	o.mark(at)
	return o
}

// inner makes the origin of text that was decoded from the bytes between two
// offsets of the text of o.
func (o *TextMap) Inner(text []byte, from, to int, units value.Units) *TextMap {
	next := &TextMap{Text: text, raw: o.Text[from:to:to], outer: o, from: from, units: units}
	next.mark(value.Position{})
	return next
}

// mark sets the marks, all but the first at or behind the beginning of a code point.
func (o *TextMap) mark(at value.Position) {
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
func (r *Record) TextOf(n *value.Node) *TextMap {
	inside := n.RawContent()
	text := n.AppendText(make([]byte, 0, len(inside)))
	from := n.End - 1 - len(inside)
	if r.origin != nil {
		return r.origin.Inner(text, r.base+from, r.base+from+len(inside), n.Units())
	}
	return NewTextMap(text, bytes.Clone(inside), r.PositionOf(from), n.Units())
}

// joinTexts makes the map of several texts, one after another, that were decoded
// from strings of the input itself.
func JoinTexts(parts []*TextMap) *TextMap {
	whole := &TextMap{units: value.StringUnits}
	for _, part := range parts {
		for _, m := range part.marks {
			whole.marks = append(whole.marks, mark{text: len(whole.Text) + m.text, raw: len(whole.raw) + m.raw, pos: m.pos})
		}
		whole.Text, whole.raw = append(whole.Text, part.Text...), append(whole.raw, part.raw...)
	}
	return whole
}

// isNested reports whether the text was decoded from text that was itself
// decoded.
func (o *TextMap) IsNested() bool { return o.outer != nil }
