package source

import (
	"bytes"
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"
)

// SniffWindow is within how many bytes detection wants to have seen what it
// needs. A first line that is longer is taken for what it begins as.
const SniffWindow = 1 << 20

// detector finds out how an input is packed. It moves over nothing but what
// precedes the first record.
type detector struct{ *Cursor }

// detect finds out how the input is packed, from as little of it as that
// takes.
func (d *detector) detect() RecordReader {
	e := d.Options.Embedding
	if e != nil && d.Options.Form == FormAuto && !d.In.IsNested {
		e.SkipHead(d.Cursor)
	}
	first, _ := d.In.Peek()
	if form := d.detectEvents(first); form != nil {
		return form
	}
	if e != nil {
		if form := e.Detect(d.Cursor, first); form != nil {
			return form
		}
	}
	return d.detectPlain()
}

// detectPlain chooses between the forms whose records follow one another.
func (d *detector) detectPlain() RecordReader {
	lone := d.Options.Form == FormAuto && d.isLoneList()
	if !lone || !d.opensInJSON() {
		d.detectPython()
	}
	c, ok := d.In.Peek()
	switch {
	case d.Options.Form == FormJSON:
		d.documents = documentReader{cur: d.Cursor, only: true}
		return &d.documents
	case lone:
		return d.detectDocuments(outline{newline: -1})
	case ok && c == '[':
		return d.detectDocuments(d.outline())
	case ok && c == '{':
		return d.detectObject()
	}
	return newLines(d.Cursor)
}

// outline is how the first value of the input lies on its line.
type outline struct {
	end     int  // of the value, if it is closed on its line
	newline int  // the line feed that comes before the value's end, or -1
	broken  bool // a bracket of the wrong kind came before both
}

// outline looks for the end of the first value or of the first line,
// whichever comes first.
func (d *detector) outline() outline {
	b := value.BracketMatcher{Python: d.Scan.Python}
	for {
		newline := d.In.LineEnd()
		if newline >= SniffWindow {
			newline = -1
		}
		data := d.In.Unread()
		data = data[:min(len(data), SniffWindow)]
		if newline >= 0 {
			data = data[:newline]
		}
		b.Feed(data)
		switch {
		case b.IsClosed():
			return outline{end: b.Size(), newline: -1}
		case newline >= 0 || b.IsBroken() && len(data) == SniffWindow:
			return outline{newline: newline, broken: b.IsBroken()}
		}
		if len(data) == SniffWindow || !d.In.Fetch() {
			return outline{newline: -1, broken: b.IsBroken()}
		}
	}
}

// detectDocuments decides whether the array or envelope that the input begins
// with is all there is, or one of several, each on a line of its own.
func (d *detector) detectDocuments(o outline) RecordReader {
	form := &d.documents
	*form = documentReader{cur: d.Cursor}
	switch {
	case d.Options.Form == FormJSONL:
		form.bound = true
	case o.end > 0 && d.isStrayList(o.end):
		return newLines(d.Cursor)
	case o.end > 0:
		form.bound = d.valueFollows(o.end)
	case o.newline >= 0:
		form.bound = d.isBrokenLine(o)
	}
	d.In.LineBound = form.bound
	d.SetForm(FormJSON)
	if form.bound {
		d.SetForm(FormJSONL)
		d.Conversation = 0
	}
	return form
}

// strayList reports whether the value up to i is a list, and an object follows
// that is no envelope: a stray line among records, and no conversation.
func (d *detector) isStrayList(i int) bool {
	at, found := d.In.NextAfter(i)
	if !found || d.In.Unread()[0] != '[' || d.In.Unread()[at] != '{' {
		return false
	}
	return d.findEnvelope(at) == nil
}

// valueFollows reports whether another array or object follows.
func (d *detector) valueFollows(i int) bool {
	at, found := d.In.NextAfter(i)
	return found && BeginsValue(d.In.Unread()[at])
}

// isBrokenLine reports whether the first line is a conversation of its own
// that was not closed: another one follows where JSON allows no value.
func (d *detector) isBrokenLine(o outline) bool {
	line := value.TrimRight(d.In.Unread()[:o.newline])
	switch line[len(line)-1] {
	case ',', '[', ':', '{':
		if !o.broken {
			return false
		}
	}
	first := line[0]
	at, found := d.In.NextAfter(o.newline)
	return found && d.In.Unread()[at] == first
}

// detectObject decides what the object is that the input begins with.
func (d *detector) detectObject() RecordReader {
	o := d.outline()
	first := d.In.Unread()
	if o.newline >= 0 {
		first = first[:o.newline]
	}
	head, _ := d.Scan.ScanHead(first[:min(len(first), envelopeWindow)], ListName)
	switch {
	case head != nil:
		return d.detectDocuments(o)
	case o.newline < 0 || d.Options.Form == FormJSONL || !d.continuesAfter(o.newline):
		return newLines(d.Cursor)
	case d.findEnvelope(0) != nil:
		return d.detectDocuments(o)
	}
	return newMultiLineReader(d.Cursor)
}

// continuesAfter reports whether the value of the first line continues after its line
// feed, so that the input is not JSON Lines: the line is a good beginning,
// the next one goes well with it, and is no record by itself.
func (d *detector) continuesAfter(newline int) bool {
	if v := d.Scan.Check(d.In.Unread()[:newline+1]); v.Stop == nil || !v.Stop.Truncated {
		return false
	}
	at, found := d.In.NextAfter(newline)
	if !found {
		return false
	}
	next := d.In.Unread()[at]
	if len(value.TrimRight(d.In.Unread()[:newline])) == 1 && next != '{' {
		return true // no record is a bracket alone
	}
	if v := d.Scan.Check(d.In.Unread()[:at+1]); v.Stop == nil || !v.Stop.Truncated {
		return v.Stop == nil
	}
	return next != '{' || !d.isRecordLine(at)
}

// isRecordLine reports whether the unread line that begins at i is an object
// and nothing else.
func (d *detector) isRecordLine(i int) bool {
	line := d.LineAt(i)
	v := d.Scan.Check(line)
	return v.Stop == nil && len(value.TrimRight(line[v.End:])) == 0
}

// OpensObject reports whether text begins with an object that has a key in
// quotes. On a page whitespace, line feeds and comments may be before it.
func OpensObject(text []byte) bool { return FirstQuote(text) != 0 }

// FirstQuote returns the quote of an object's first key, or 0.
func FirstQuote(text []byte) byte {
	if len(text) == 0 || text[0] != '{' {
		return 0
	}
	at := 1
	for {
		at += value.SpaceSize(text[at:])
		if at == len(text) || text[at] != '#' {
			break
		}
		at += value.CommentSize(text[at:])
	}
	if at < len(text) && (text[at] == '"' || text[at] == '\'') {
		return text[at]
	}
	return 0
}

// isLoneList reports whether the input is certainly a single array on a single
// line, as most saved conversations are. It tells that by its brackets alone,
// and waits for no more of the input than detection has to.
func (d *detector) isLoneList() bool {
	if c, ok := d.In.Peek(); !ok || c != '[' {
		return false
	}
	line := d.LineAt(0)
	if len(line) == SniffWindow {
		return false
	}
	line = value.TrimRight(line)
	if line[len(line)-1] != ']' || mayHaveAnother(line) {
		return false
	}
	_, goesOn := d.In.NextAfter(len(line))
	return !goesOn
}

// hasAnother reports whether another value may begin after an array. Some
// brackets may be in strings, where they mean nothing.
func mayHaveAnother(line []byte) bool {
	for {
		i := bytes.IndexByte(line, ']')
		if i < 0 {
			return false
		}
		line = line[i+1:]
		if c, _, found := nextByte(line); found && BeginsValue(c) {
			return true
		}
	}
}

// opensInJSON reports whether the first record of a single line is not written
// as Python's literals are, within the bytes in which it must show that.
func (d *detector) opensInJSON() bool {
	text := d.In.Load(OpeningBytes)
	if !mayBePython(text) {
		return true
	}
	v := d.Scan.Check(text[1+value.SpaceSize(text[1:]):])
	return v.Stop == nil && v.End > len("{}") || v.Stop != nil && v.Stop.Truncated
}

// mayBePython reports whether a text contains anything that can tell Python's
// literals from JSON: a word or a quote that JSON does not have, where a value
// or a name may stand.
func mayBePython(text []byte) bool {
	for _, word := range [][]byte{{'\''}, []byte("True"), []byte("False"), []byte("None")} {
		for rest := text; ; {
			i := bytes.Index(rest, word)
			if i < 0 {
				break
			}
			if before := value.TrimRight(rest[:i]); len(before) == 0 || strings.IndexByte(`[{(,:"`, before[len(before)-1]) >= 0 {
				return true
			}
			rest = rest[i+len(word):]
		}
	}
	return false
}
