package source

import (
	"io"

	"github.com/lmclint/lmclint/internal/source/value"
)

// inside reads the records of decoded text that stands in the input.
type nestedReader struct {
	outer, inner *Reader
}

// inside reads the records of a text in a form, or in the one that is detected.
// They count as records of r and have their places in the input; pointers are
// from the text.
func (r *Reader) inside(o *sourceMap, form Form) *nestedReader {
	t := &nestedReader{outer: r, inner: &Reader{scan: value.Scanner{MaxDepth: r.options.MaxDepth}}}
	t.begin(o, form)
	return t
}

// begin begins to read a text, in the memory of the one before.
func (t *nestedReader) begin(o *sourceMap, form Form) {
	inner := t.inner
	*inner = Reader{options: t.outer.options, scan: inner.scan.Reuse(), form: form, conversation: -1, origin: o, kept: inner.kept[:0]}
	inner.wrap.kind = noWrapper
	inner.options.Form = form
	inner.in = input{buf: o.text, w: len(o.text), pos: value.Position{Line: 1, Column: 1}, err: io.EOF, within: true}
}

// next returns nil at the end of the text.
func (t *nestedReader) next() *Record {
	t.inner.told = t.outer.told
	rec, err := t.inner.Next()
	t.outer.told = t.inner.told
	if err != nil {
		return nil // a text in memory has no other error than its end
	}
	rec.Conversation = t.outer.conversation
	if !rec.IsGap {
		rec.number(t.outer.index)
		t.outer.index++
	}
	return rec
}

// isThrough reports whether nothing but white space is left of the text.
func (t *nestedReader) isThrough() bool {
	rest := t.inner.in.unread()
	return value.SpaceSize(rest) == len(rest)
}
