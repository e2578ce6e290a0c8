package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// sniffWindow is within how many bytes detection wants to have seen what it
// needs. A first line that is longer is taken for what it begins as.
const sniffWindow = 1 << 20

// detect finds out how the input is packed, from as little of it as that
// takes.
func (r *Reader) detect() recordReader {
	if r.options.Form == FormAuto && !r.in.within {
		r.passHead()
	}
	first, _ := r.in.peek()
	if m := r.detectEvents(first); m != nil {
		return m
	}
	if m := r.detectWalked(first); m != nil {
		return m
	}
	if m := r.detectAmong(); m != nil {
		return m
	}
	lone := r.options.Form == FormAuto && r.isLoneList()
	if !lone || !r.opensInJSON() {
		r.detectPython()
	}
	c, ok := r.in.peek()
	switch {
	case r.options.Form == FormJSON:
		r.documents = documentReader{r: r, only: true}
		return &r.documents
	case lone:
		return r.detectDocuments(outline{newline: -1})
	case ok && c == '[':
		return r.detectDocuments(r.outline())
	case ok && c == '{':
		return r.detectObject()
	}
	return newLines(r)
}

// outline is how the first value of the input lies on its line.
type outline struct {
	end     int  // of the value, if it is closed on its line
	newline int  // the line feed that comes before the value's end, or -1
	broken  bool // a bracket of the wrong kind came before both
}

// outline looks for the end of the first value or of the first line,
// whichever comes first.
func (r *Reader) outline() outline {
	b := value.BracketMatcher{Python: r.scan.Python}
	for {
		newline := r.in.lineEnd()
		if newline >= sniffWindow {
			newline = -1
		}
		data := r.in.unread()
		data = data[:min(len(data), sniffWindow)]
		if newline >= 0 {
			data = data[:newline]
		}
		b.Feed(data)
		switch {
		case b.Closed:
			return outline{end: b.Size, newline: -1}
		case newline >= 0 || b.Broken && len(data) == sniffWindow:
			return outline{newline: newline, broken: b.Broken}
		}
		if len(data) == sniffWindow || !r.in.fetch() {
			return outline{newline: -1, broken: b.Broken}
		}
	}
}

// detectDocuments decides whether the array or envelope that the input begins
// with is all there is, or one of several, each on a line of its own.
func (r *Reader) detectDocuments(o outline) recordReader {
	r.documents = documentReader{r: r}
	d := &r.documents
	switch {
	case r.options.Form == FormJSONL:
		d.bound = true
	case o.end > 0 && r.strayList(o.end):
		return newLines(r)
	case o.end > 0:
		d.bound = r.valueBehind(o.end)
	case o.newline >= 0:
		d.bound = r.isBrokenLine(o)
	}
	r.in.bound = d.bound
	r.packed(FormJSON)
	if d.bound {
		r.packed(FormJSONL)
		r.conversation = 0
	}
	return d
}

// strayList reports whether the value up to i is a list, and an object follows
// that is no envelope: a stray line among records, and no conversation.
func (r *Reader) strayList(i int) bool {
	at, found := r.in.behind(i)
	if !found || r.in.unread()[0] != '[' || r.in.unread()[at] != '{' {
		return false
	}
	return r.findEnvelope(at) == nil
}

// valueBehind reports whether another array or object follows.
func (r *Reader) valueBehind(i int) bool {
	at, found := r.in.behind(i)
	return found && beginsValue(r.in.unread()[at])
}

// isBrokenLine reports whether the first line is a conversation of its own
// that was not closed: another one follows where JSON allows no value.
func (r *Reader) isBrokenLine(o outline) bool {
	line := value.TrimRight(r.in.unread()[:o.newline])
	switch line[len(line)-1] {
	case ',', '[', ':', '{':
		if !o.broken {
			return false
		}
	}
	first := line[0]
	at, found := r.in.behind(o.newline)
	return found && r.in.unread()[at] == first
}

// detectObject decides what the object is that the input begins with.
func (r *Reader) detectObject() recordReader {
	o := r.outline()
	first := r.in.unread()
	if o.newline >= 0 {
		first = first[:o.newline]
	}
	head, _ := r.scan.ScanHead(first[:min(len(first), envelopeWindow)], listName)
	switch {
	case head != nil:
		return r.detectDocuments(o)
	case o.newline < 0 || r.options.Form == FormJSONL || !r.goesOn(o.newline):
		return newLines(r)
	case r.findEnvelope(0) != nil:
		return r.detectDocuments(o)
	}
	return newPretty(r)
}

// goesOn reports whether the value of the first line goes on behind its line
// feed, so that the input is not JSON Lines: the line is a good beginning,
// the next one goes well with it, and is no record by itself.
func (r *Reader) goesOn(newline int) bool {
	if v := r.scan.Check(r.in.unread()[:newline+1]); v.Stop == nil || !v.Stop.Truncated {
		return false
	}
	at, found := r.in.behind(newline)
	if !found {
		return false
	}
	next := r.in.unread()[at]
	if len(value.TrimRight(r.in.unread()[:newline])) == 1 && next != '{' {
		return true // no record is a bracket alone
	}
	if v := r.scan.Check(r.in.unread()[:at+1]); v.Stop == nil || !v.Stop.Truncated {
		return v.Stop == nil
	}
	return next != '{' || !r.isRecordLine(at)
}

// isRecordLine reports whether the unread line that begins at i is an object
// and nothing else.
func (r *Reader) isRecordLine(i int) bool {
	searched := 0
	for {
		line := r.in.unread()[i:]
		line = line[:min(len(line), sniffWindow)]
		newline := bytes.IndexByte(line[searched:], '\n')
		if newline >= 0 {
			line = line[:searched+newline]
		}
		searched = len(line)
		if newline >= 0 || len(line) == sniffWindow || !r.in.fetch() {
			v := r.scan.Check(line)
			return v.Stop == nil && len(value.TrimRight(line[v.End:])) == 0
		}
	}
}
