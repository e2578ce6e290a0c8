package text

import (
	"bytes"
	"io"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

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
