package embedded

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// detectAmong finds out whether the records of the input stand among other
// text. It returns nil if they do not.
func detectAmong(r *source.Cursor) source.RecordReader {
	form := r.Options.Form
	if (form == source.FormAuto || form == source.FormSessionLog) && !r.In.Within && !inputBeginsValue(r) {
		if showsMarks(r) {
			return newMarked(r)
		}
		if form == source.FormAuto {
			form, probe := survey(r)
			return modeOf(r, form, probe)
		}
	}
	if form == source.FormMarkdown || form == source.FormLog && !beginsLogLine(r) {
		return newAmong(r, form)
	}
	return nil
}

// beginsLogLine reports whether the first line is one of a log in JSON.
func beginsLogLine(r *source.Cursor) bool {
	if c, ok := r.In.Peek(); !ok || c != '{' {
		return false
	}
	v := r.Scan.Scan(r.LineAt(0), true)
	return v.Root != nil && isLogLine(v.Root)
}

// modeOf is how an input is read of which the first lines show what it is.
func modeOf(r *source.Cursor, form source.Form, s *formProbe) source.RecordReader {
	switch form {
	case source.FormSessionLog:
		return newMarked(r)
	case source.FormLog, source.FormMarkdown:
		a := newAmong(r, form)
		a.led = s.led()
		return a
	}
	return nil
}

// survey looks at the first lines until they show what the input is.
func survey(r *source.Cursor) (source.Form, *formProbe) {
	s := &formProbe{}
	for from := 0; from < source.SniffWindow; {
		line := r.LineAt(from)
		s.see(line)
		if form, certain := s.verdict(false); certain {
			return form, s
		}
		next, found := r.In.Behind(from + len(line))
		if !found || len(line) == source.SniffWindow {
			break
		}
		from = lineStart(r, next)
	}
	form, _ := s.verdict(true)
	return form, s
}

// lineStart returns where the line that holds the unread byte at i begins.
func lineStart(r *source.Cursor, i int) int { return bytes.LastIndexByte(r.In.Unread()[:i], '\n') + 1 }

// inputBeginsValue reports whether the input begins with an object or a list. A
// list of numbers or words may as well be the time or level that a log writes
// in brackets.
func inputBeginsValue(r *source.Cursor) bool {
	c, ok := r.In.Peek()
	if !ok || !source.BeginsValue(c) {
		return !ok
	}
	r.In.Bound = true
	next := r.In.FollowedBy(1)
	r.In.Bound = false
	if c == '{' {
		return next != '%' && next != '/'
	}
	return !isTimeByte(next)
}

// isTimeByte reports whether c may stand first in the brackets of a log's prefix.
func isTimeByte(c byte) bool {
	return value.IsDigit(c) || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' && c != 't' && c != 'f' && c != 'n'
}
