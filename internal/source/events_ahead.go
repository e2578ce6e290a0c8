package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// separator is what stands behind each record of a stretch: the end of its
// line, and what else there is up to the next record. Without any bytes it is
// the end of a line, of either kind.
type separator struct {
	bytes []byte
	lines int // line feeds in it
}

// newSeparator makes a separator that stays valid.
func newSeparator(text []byte) separator {
	return separator{bytes: bytes.Clone(text), lines: bytes.Count(text, []byte{'\n'})}
}

// column is where a record begins on the line that it follows on.
func (s *separator) column() int { return len(s.bytes) - bytes.LastIndexByte(s.bytes, '\n') }

// longestGap is the size of the longest separator of events, and of the byte
// behind it.
const longestGap = len("\r\n\r\ndata: {")

// gap returns what separates a record from the next one, if nothing does but
// the end of its line, maybe an empty line, and the name of the field.
func gap(text []byte) []byte {
	at := lineEndSize(text)
	if at == 0 {
		return nil
	}
	at += lineEndSize(text[at:])
	f, value := fieldOf(text[at:])
	at += value
	if f != dataField || at >= len(text) || text[at] != '{' {
		return nil
	}
	return text[:at]
}

// atRecord moves to the value of the next event, if nothing but the usual
// stands before it, and reports whether it did.
func (e *events) atRecord() bool {
	in := &e.r.In
	if !e.inData || e.skip || e.joined != nil {
		return false
	}
	if !e.midLine {
		return e.gap.bytes != nil && (len(in.Unread()) > 0 || in.Fetch()) && in.Unread()[0] == '{'
	}
	for len(in.Unread()) < longestGap && in.Fetch() {
	}
	between := gap(in.Unread()[:min(len(in.Unread()), longestGap)])
	if between == nil {
		return false
	}
	if !bytes.Equal(between, e.gap.bytes) {
		e.gap = newSeparator(between)
	}
	in.Skip(len(between))
	e.passed()
	return true
}

// passed says that a record and what separates it from the next one was passed.
func (e *events) passed() {
	e.midLine, e.torn, e.comma, e.r.strayed = false, false, false, false
	if e.gap.lines > 1 {
		e.name = ""
	}
}

// peekEvents is what is to be read of a stream of events, up to the last
// record that has arrived.
func (r *Reader) peekEvents(e *events) (Window, bool) {
	if !e.atRecord() {
		return Window{}, false
	}
	for searched := 0; ; {
		unread := r.cur.In.Unread()
		if i := bytes.LastIndex(unread[searched:], e.gap.bytes); i >= 0 {
			s := r.window(unread[:searched+i+len(e.gap.bytes)])
			s.Lines, s.separator = true, e.gap
			return s, true
		}
		if len(unread) > int(r.cur.Options.MaxRecordBytes) || !r.cur.In.Fetch() {
			return Window{}, false
		}
		searched = max(0, len(unread)-len(e.gap.bytes))
	}
}

// pass moves over n bytes of records with what separates them.
func (e *events) pass(n, records int) {
	in := &e.r.In
	in.SkipTo(n, value.Position{
		Offset: in.Pos.Offset + int64(n), Line: in.Pos.Line + records*e.gap.lines, Column: e.gap.column(),
	})
	e.passed()
}
