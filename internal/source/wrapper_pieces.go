package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// dockerPiece is how many bytes the pieces have into which Docker splits what is
// longer.
const dockerPiece = 16 << 10

// pieces are those of a text that Docker has split: the last one alone is
// shorter. Lines of the other stream may stand between them.
type pieces struct {
	stream string
	parts  []*sourceMap
	size   int64 // of all parts, in bytes
}

// begun reports whether there are pieces of a text that is not whole yet.
func (p *pieces) begun() bool { return len(p.parts) > 0 }

// add adds a text. It returns one that is whole, and nil if it is not yet.
func (p *pieces) add(rec *Record, n *value.Node, limit int64) *sourceMap {
	o := rec.originOf(n)
	split := n.Name == dockerText && o.outer == nil && len(o.text) >= dockerPiece && !bytes.HasSuffix(o.text, []byte{'\n'})
	if !split && !p.begun() {
		return o
	}
	p.stream, p.parts = rec.Root.Member("stream").Text(), append(p.parts, o)
	if p.size += int64(len(o.text)); split && p.size <= limit {
		return nil
	}
	return p.join()
}

// join returns the text that the parts make, and nil if there are none.
func (p *pieces) join() *sourceMap {
	if !p.begun() {
		return nil
	}
	whole := &sourceMap{units: value.StringUnits}
	for _, part := range p.parts {
		for _, m := range part.marks {
			whole.marks = append(whole.marks, mark{text: len(whole.text) + m.text, raw: len(whole.raw) + m.raw, pos: m.pos})
		}
		whole.text, whole.raw = append(whole.text, part.text...), append(whole.raw, part.raw...)
	}
	*p = pieces{}
	return whole
}
