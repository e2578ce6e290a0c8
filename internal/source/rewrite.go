package source

import (
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/internal/wtf8"
)

// Rewriter maps changes of a record's Data to the input. Those in ascending order
// walk the Data once.
type Rewriter struct {
	*Record
	offset int // of the end of the last change in Data
	pos    value.Position
}

// Rewrite returns the part of the input that the bytes of Data between two offsets
// were read from, and a text as it must be written there instead of them. It returns
// false if that is impossible: the record is decoded from text that cannot be written
// back, such as base64 or the lines of a page.
func (w *Rewriter) Rewrite(from, to int, text string) (span value.Span, written string, ok bool) {
	if w.origin != nil {
		return w.origin.rewrite(w.base+from, w.base+to, text)
	}
	if w.offset == 0 || from < w.offset {
		w.offset, w.pos = 0, w.Start
	}
	start := w.advance(w.pos, w.offset, from)
	w.offset, w.pos = to, w.advance(start, from, to)
	return value.Span{Start: start, End: w.pos}, text, true
}

// AppendASCII appends a text as a JSON string in ASCII, as Python's json.dumps
// writes it. A lone surrogate becomes an escape.
func AppendASCII(b, text []byte) []byte {
	b = append(b, '"')
	for len(text) > 0 {
		r, size := wtf8.DecodeRune(text)
		if ' ' <= r && r <= '~' && r != '"' && r != '\\' {
			b = append(b, text[0])
		} else {
			b = value.AppendEscape(b, r)
		}
		text = text[size:]
	}
	return append(b, '"')
}

// encoder writes text as the text that a [TextMap] was decoded from has it. It
// returns false for text that this cannot have.
type encoder func(text string) (string, bool)

// asJSONString is the encoder of a JSON string without its quotes.
func asJSONString(text string) (string, bool) {
	return string(value.AppendEscaped(nil, []byte(text), '"')), utf8.ValidString(text)
}

// asDataLine is the encoder of the data of an event: it must not begin a line.
func asDataLine(text string) (string, bool) {
	return text, !strings.ContainsAny(text, "\r\n")
}

// rewrite maps a change of the text between two offsets to the input. It returns
// false if an offset is inside a unit, such as an escape, or the text cannot be
// written back.
func (o *TextMap) rewrite(from, to int, text string) (value.Span, string, bool) {
	for {
		if o.encode == nil {
			return value.Span{}, "", false
		}
		start, before, starts := o.exact(from)
		end, after, ends := o.exact(to)
		encoded, ok := o.encode(text)
		if !starts || !ends || !ok {
			return value.Span{}, "", false
		}
		text = encoded
		if o.outer == nil {
			return value.Span{
				Start: before.pos.Advance(o.raw[before.raw:start]),
				End:   after.pos.Advance(o.raw[after.raw:end]),
			}, text, true
		}
		o, from, to = o.outer, o.from+start, o.from+end
	}
}

// exact returns the offset in raw of an offset of the text, and the last mark
// before it. Ok is false if the offset is inside a unit.
func (o *TextMap) exact(offset int) (raw int, before mark, ok bool) {
	before = o.markBefore(offset)
	at, raw := before.text, before.raw
	for at < offset && raw < len(o.raw) {
		written, decoded := o.units(o.raw[raw:])
		if at+decoded > offset {
			return raw + offset - at, before, written == decoded
		}
		at, raw = at+decoded, raw+written
	}
	return raw, before, at == offset
}
