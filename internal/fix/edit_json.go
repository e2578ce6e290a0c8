package fix

import (
	"bytes"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// ToJSON returns the edits that write a Python literal as JSON: quotes, words
// and commas. Whitespace stays, but a wrapped literal is written on one
// line. It returns false if that is not possible, as with comments.
func ToJSON(r *source.Record) (edits []Edit, ok bool) {
	if r.Root == nil {
		return nil, false
	}
	w := jsonWriter{record: r, editor: editor{Record: r}}
	w.value(r.Root)
	if w.failed {
		return nil, false
	}
	return append(w.edits, whole(r, EndAsJSON, "")...), true
}

// jsonWriter collects the edits of a record.
type jsonWriter struct {
	record *source.Record
	editor editor
	edits  []Edit
	failed bool
}

// replace replaces the bytes between two offsets, unless they are that text.
func (w *jsonWriter) replace(from, to int, text string) {
	if string(w.record.Data[from:to]) == text {
		return
	}
	edits := w.editor.at(from, to, text)
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
	case value.Number:
		scan := value.Scanner{MaxDepth: 1}
		if v := scan.Scan(n.Raw(), false); v.Stop != nil || v.End != len(n.Raw()) {
			w.failed = true
		}
	default:
		w.list(n)
	}
}

// list writes an array or an object.
func (w *jsonWriter) list(n *value.Node) {
	data := w.record.Data
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
	if i := bytes.IndexByte(data[at:n.End-1], ','); i >= 0 {
		w.between(at, at+i)
		at += i + 1
		w.replace(at-1, at, "")
	}
	w.between(at, n.End-1)
}

// between writes the text between two tokens. It fails if that has a comment.
func (w *jsonWriter) between(from, to int) {
	text := w.record.Data[from:to]
	w.failed = w.failed || strings.Trim(string(text), " \t\r\n,:") != ""
	for i := 0; w.record.Wrapped && i < len(text); i++ {
		end := i + len(text[i:]) - len(bytes.TrimLeft(text[i:], " \t\r\n"))
		if bytes.IndexByte(text[i:end], '\n') >= 0 { // white space with line ends becomes a space, except next to a bracket
			joined := ""
			if data := w.record.Data; isDelimiter(data[from+i-1]) && !isDelimiter(data[from+end]) {
				joined = " "
			}
			w.replace(from+i, from+end, joined)
		}
		i = end
	}
}

// isDelimiter reports whether a byte separates values, so that no space is needed
// beside it.
func isDelimiter(c byte) bool { return strings.IndexByte(",}]:;", c) >= 0 }
