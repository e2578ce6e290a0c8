package fix

import (
	"bytes"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// ToJSON returns the edits that write a Python literal as JSON: quotes, words
// and commas. Whitespace stays, but a wrapped literal is written on one
// line. It returns false if that is not possible.
func ToJSON(r *source.Record) (edits []Edit, ok bool) {
	if r.Root == nil {
		return nil, false
	}
	w := jsonWriter{editor: editor{Record: r}}
	w.value(r.Root)
	if w.failed {
		return nil, false
	}
	return append(w.edits, whole(r, EndAsJSON, "")...), true
}

// jsonWriter collects the edits of a record.
type jsonWriter struct {
	editor
	edits  []Edit
	failed bool
}

// replace replaces the bytes between two offsets, unless they are that text.
func (w *jsonWriter) replace(from, to int, text string) {
	if string(w.Data[from:to]) == text {
		return
	}
	edits := w.at(from, to, text)
	w.edits, w.failed = append(w.edits, edits...), w.failed || edits == nil
}

func (w *jsonWriter) value(n *value.Node) {
	switch n.Kind {
	case value.Null:
		w.replace(n.Start, n.End, "null")
	case value.Bool:
		w.replace(n.Start, n.End, strings.ToLower(string(n.Raw())))
	case value.String:
		w.replace(n.Start, n.End, quoted(n.AppendExact(nil), '"'))
	case value.Array, value.Object:
		w.list(n)
	}
}

// list writes an array or an object.
func (w *jsonWriter) list(n *value.Node) {
	at := n.Start + 1
	for i := range n.Children {
		child := &n.Children[i]
		w.between(at, child.StartWithName())
		if child.NameEnd > 0 {
			w.replace(child.NameStart, child.NameEnd, quoted([]byte(child.Name), '"'))
			w.between(child.NameEnd, child.Start)
		}
		w.value(child)
		at = child.End
	}
	if i := bytes.IndexByte(w.Data[at:n.End-1], ','); i >= 0 {
		w.between(at, at+i)
		at += i + 1
		w.replace(at-1, at, "")
	}
	w.between(at, n.End-1)
}

// between writes the text between two tokens of a wrapped literal: whitespace with line
// ends becomes a space, except next to a bracket.
func (w *jsonWriter) between(from, to int) {
	for i := from; w.Wrapped && i < to; i++ {
		end := i + len(w.Data[i:to]) - len(bytes.TrimLeft(w.Data[i:to], " \t\r\n"))
		if bytes.IndexByte(w.Data[i:end], '\n') >= 0 {
			joined := ""
			if isDelimiter(w.Data[i-1]) && !isDelimiter(w.Data[end]) {
				joined = " "
			}
			w.replace(i, end, joined)
		}
		i = end
	}
}

// isDelimiter reports whether a byte separates values, so that no space is needed
// beside it.
func isDelimiter(c byte) bool { return strings.IndexByte(",}]:;", c) >= 0 }
