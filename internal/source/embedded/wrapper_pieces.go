package embedded

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// dockerPiece is how many bytes the pieces have into which Docker splits what is
// longer.
const dockerPiece = 16 << 10

// pieces are those of a text that Docker has split: the last one alone is
// shorter. Lines of the other stream may stand between them.
type pieces struct {
	stream string
	parts  []*source.TextMap
	size   int64 // of all parts, in bytes
}

// begun reports whether there are pieces of a text that is not whole yet.
func (p *pieces) begun() bool { return len(p.parts) > 0 }

// add adds a text. It returns one that is whole, and nil if it is not yet.
func (p *pieces) add(rec *source.Record, n *value.Node, limit int64) *source.TextMap {
	o := rec.TextOf(n)
	split := n.Name == dockerText && !o.IsNested() && len(o.Text) >= dockerPiece && !bytes.HasSuffix(o.Text, []byte{'\n'})
	if !split && !p.begun() {
		return o
	}
	p.stream, p.parts = rec.Root.Member("stream").Text(), append(p.parts, o)
	if p.size += int64(len(o.Text)); split && p.size <= limit {
		return nil
	}
	return p.join()
}

// join returns the text that the parts make, and nil if there are none.
func (p *pieces) join() *source.TextMap {
	if !p.begun() {
		return nil
	}
	whole := source.JoinTexts(p.parts)
	*p = pieces{}
	return whole
}
