// Package embedded reads records that are embedded in something else: the lines
// of a log, a Markdown document, the cells of a notebook, the traffic of a
// browser, the frames of a logged connection, and objects that wrap a record.
//
// It implements [source.Embedding]. Of records it defines only how one differs
// from an object that wraps it.
package embedded

import (
	"io"

	"github.com/lmclint/lmclint/internal/source"
)

// NewReader makes a reader of an input in any form, plain or embedded. It reads
// nothing before the first call of Next.
func NewReader(src io.Reader, options source.Options) *source.Reader {
	options.Embedding = embedding{}
	return source.NewReader(src, options)
}

// embedding implements [source.Embedding].
type embedding struct{}

// SkipHead skips the head of an HTTP response.
func (embedding) SkipHead(c *source.Cursor) { skipHead(c) }

// Detect returns a reader of a log, a Markdown document, a notebook or a HAR, or nil.
func (embedding) Detect(c *source.Cursor, first byte) source.RecordReader {
	if form := detectWalked(c, first); form != nil {
		return form
	}
	return detectText(c)
}

// TextAfterRecords returns a reader of a log in which text follows each record.
func (embedding) TextAfterRecords(c *source.Cursor) source.RecordReader { return textAfterRecords(c) }

// Unwrap returns a reader that finds out from the first records whether they
// are wrapped.
func (embedding) Unwrap(c *source.Cursor) source.Unwrapper {
	w := &wrapperDecoder{cur: c}
	switch form := c.FormReader.(type) {
	case *notebook, *har:
		w.kind = noWrapper
	case *embeddedReader:
		if form.hasMarks {
			w.kind = noWrapper
		}
	default:
		if c.Options.Form == source.FormSessionLog {
			w.kind = sessionWrapper
		}
	}
	return w
}
