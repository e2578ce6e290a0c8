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
	walker
	text *source.Nested
	counts
}

// Paths of the values of a notebook that are read.
const (
	notebookCells   = "cells"
	notebookCell    = notebookCells + "/"
	notebookOutputs = notebookCell + "/outputs"
	notebookOutput  = notebookOutputs + "/"
	notebookPrinted = notebookOutput + "/text"
	notebookData    = notebookOutput + "/data"
	notebookResult  = notebookData + "/text/plain"
)

var (
	notebookLists   = []string{notebookCells, notebookOutputs}
	notebookObjects = []string{notebookCell, notebookOutput, notebookData}
)

func newNotebook(cur *source.Cursor) *notebook { return &notebook{walker: walker{cur: cur}} }

func (n *notebook) Next() (*source.Record, error) {
	rec, err := n.walk(n)
	if err == io.EOF {
		if stray := n.lines.report(n.cur); stray != nil {
			return stray, nil
		}
	}
	return rec, err
}

// pending returns the next record of the current text.
func (n *notebook) pending() *source.Record {
	if n.text == nil {
		return nil
	}
	rec := n.text.Next()
	if rec == nil {
		n.text = nil
	}
	return rec
}

// step moves to the next value and processes it. It returns nil: the records are
// those of nested texts.
func (n *notebook) step() *source.Record {
	name, ok := n.next()
	if !ok {
		return nil
	}
	switch path := n.path(name); {
	case n.enterAny(name, notebookObjects, notebookLists):
	case path == notebookPrinted, path == notebookResult:
		n.startText()
	default:
		n.skip()
	}
	return nil
}

// startText starts reading the next text.
func (n *notebook) startText() {
	p, ok := n.read()
	if !ok {
		return
	}
	value := source.Record{Data: n.cur.In.Rest()[:p.End:p.End], Start: n.cur.In.Pos, Root: p.Root}
	if o := originOfLines(&value, p.Root); o != nil && len(o.Text) > 0 {
		n.text = n.cur.Nest(o, source.FormText, func(inner *source.Cursor) source.RecordReader {
			return newReader(inner, &n.counts)
		})
	}
	n.skipTaken(p.End)
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
	if i := bytes.IndexByte(raw, '"'); i > 0 && raw[0] != '\\' {
		raw = raw[:i]
	}
	return value.StringUnits(raw)
}
