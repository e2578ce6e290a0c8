package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// detectAmong finds out whether the records of the input stand among other
// text. It returns nil if they do not.
func (r *Reader) detectAmong() recordReader {
	form := r.options.Form
	if (form == FormAuto || form == FormSessionLog) && !r.in.within && !r.beginsValue() {
		if r.showsMarks() {
			return newMarked(r)
		}
		if form == FormAuto {
			return r.modeOf(r.survey())
		}
	}
	if form == FormMarkdown || form == FormLog && !r.beginsLogLine() {
		return newAmong(r, form)
	}
	return nil
}

// beginsLogLine reports whether the first line is one of a log in JSON.
func (r *Reader) beginsLogLine() bool {
	if c, ok := r.in.peek(); !ok || c != '{' {
		return false
	}
	v := r.scan.Scan(r.line(0), true)
	return v.Root != nil && isLogLine(v.Root)
}

// modeOf is how an input is read of which the first lines show what it is.
func (r *Reader) modeOf(form Form, s *formProbe) recordReader {
	switch form {
	case FormSessionLog:
		return newMarked(r)
	case FormLog, FormMarkdown:
		a := newAmong(r, form)
		a.led = s.led()
		return a
	}
	return nil
}

// survey looks at the first lines until they show what the input is.
func (r *Reader) survey() (Form, *formProbe) {
	s := &formProbe{}
	for from := 0; from < sniffWindow; {
		line := r.line(from)
		s.see(line)
		if form, certain := s.verdict(false); certain {
			return form, s
		}
		next, found := r.in.behind(from + len(line))
		if !found || len(line) == sniffWindow {
			break
		}
		from = r.lineStart(next)
	}
	form, _ := s.verdict(true)
	return form, s
}

// lineStart returns where the line that holds the unread byte at i begins.
func (r *Reader) lineStart(i int) int { return bytes.LastIndexByte(r.in.unread()[:i], '\n') + 1 }

// beginsValue reports whether the input begins with an object or a list. A
// list of numbers or words may as well be the time or level that a log writes
// in brackets.
func (r *Reader) beginsValue() bool {
	c, ok := r.in.peek()
	if !ok || !beginsValue(c) {
		return !ok
	}
	r.in.bound = true
	next := r.in.followedBy(1)
	r.in.bound = false
	if c == '{' {
		return next != '%' && next != '/'
	}
	return !isTimeByte(next)
}

// isTimeByte reports whether c may stand first in the brackets of a log's prefix.
func isTimeByte(c byte) bool {
	return value.IsDigit(c) || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' && c != 't' && c != 'f' && c != 'n'
}
