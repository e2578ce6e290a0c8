package source

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source/value"
)

// SniffWindow is how many bytes detection examines. A first line that is longer
// is detected from its start.
const SniffWindow = 1 << 20

// detector detects the form of an input. It skips only what precedes the first
// record.
type detector struct{ *Cursor }

// detect returns the reader of the form. It reads no more of the input than it needs
// to decide.
func (d *detector) detect() (RecordReader, error) {
	form := d.Options.Form
	if form == FormAuto && !d.In.IsNested {
		var err error
		if form, err = d.formByName(); err != nil {
			return nil, err
		}
	}
	first, _ := d.In.Peek()
	if d.Options.Embedded != nil && (form == FormText || form == FormHAR && first == '{') {
		d.Form = form
		return d.Options.Embedded(d.Cursor), nil
	}
	if form := d.detectEvents(first); form != nil {
		return form, nil
	}
	if form := d.detectArrows(); form != nil {
		return form, nil
	}
	return d.detectPlain(), nil
}

// formByName returns the form that the name of the input decides, or that its first
// bytes do if the name leaves that open. It returns FormAuto for data whose form is to
// be detected.
func (d *detector) formByName() (Form, error) {
	switch NamingOf(d.Options.Name) {
	case CodeName:
		return "", &CodeError{}
	case TextName:
		return FormText, nil
	case OtherName:
		if !d.beginsData() {
			return FormText, nil
		}
	}
	if d.HARLog() >= 0 {
		return FormHAR, nil
	}
	return FormAuto, nil
}

// beginsData reports whether the input begins with a record, a list or a field of an
// event stream, or is empty.
func (d *detector) beginsData() bool {
	first, ok := d.In.Peek()
	if !ok {
		return true
	}
	next := byte(0)
	if at, found := d.In.NextAfter(1); found {
		next = d.In.Unread()[at]
	}
	switch first {
	case '{':
		return strings.IndexByte(`"'}`, next) >= 0
	case '[':
		return strings.IndexByte(`{[]`, next) >= 0
	}
	return d.hasData()
}

// HARLog returns the offset of the log of a browser in the object at the unread text,
// whose first member it is, or -1.
func (cur *Cursor) HARLog() (at int) {
	for _, want := range []string{"{", `"log"`, ":", "{"} {
		next, found := cur.In.NextAfter(at)
		if !found {
			return -1
		}
		for len(cur.In.Unread()) < next+len(want) && bytes.HasPrefix([]byte(want), cur.In.Unread()[next:]) && cur.In.Fetch() {
		}
		if !bytes.HasPrefix(cur.In.Unread()[next:], []byte(want)) {
			return -1
		}
		at = next + len(want)
	}
	return at - 1
}

// detectPlain chooses between the forms without other text between records.
func (d *detector) detectPlain() RecordReader {
	lone := d.Options.Form == FormAuto && d.isLoneList()
	if d.Form == FormPython || (d.Form == FormAuto || d.Form == FormSessionLog) && d.beginsPython() {
		d.Scan.Python = true
	}
	if d.Scan.Python && d.Form == FormAuto {
		d.Form = FormPython
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

// outline describes where the first value of the input ends.
type outline struct {
	end     int  // offset of the value's end if it is on the first line, else 0
	newline int  // offset of the first line feed if it is before the value's end, else -1
	broken  bool // a bracket of the wrong kind is before both
}

// outline searches for the end of the first value or the end of the first line,
// whichever is first.
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

// detectDocuments decides whether the array or envelope at the start of the
// input is the only one, or the first of several, each on a separate line.
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

// isStrayList reports whether the value up to i is a list, and an object
// follows that is not an envelope: then the list is a stray line among records,
// not a conversation.
func (d *detector) isStrayList(i int) bool {
	at, found := d.In.NextAfter(i)
	if !found || d.In.Unread()[0] != '[' || d.In.Unread()[at] != '{' {
		return false
	}
	return d.findEnvelope(at) == nil
}

// valueFollows reports whether another array or object follows offset i.
func (d *detector) valueFollows(i int) bool {
	at, found := d.In.NextAfter(i)
	return found && BeginsValue(d.In.Unread()[at])
}

// isBrokenLine reports whether the first line is a conversation that lacks its
// closing bracket: the next line starts with the same bracket where JSON does
// not allow a value.
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

// detectObject returns the reader of an input that starts with an object.
func (d *detector) detectObject() RecordReader {
	o := d.outline()
	first := d.In.Unread()
	if o.newline >= 0 {
		first = first[:o.newline]
	}
	head, _ := d.Scan.ScanHead(first[:min(len(first), envelopeWindow)], IsListName)
	switch {
	case head != nil:
		return d.detectDocuments(o)
	case o.newline >= 0 && d.Options.Form != FormJSONL && d.continuesAfter(o.newline) && d.findEnvelope(0) != nil:
		return d.detectDocuments(o)
	}
	return newLines(d.Cursor)
}

// OpensObject reports whether text starts with an object whose first key is in
// quotes. Whitespace, line feeds and comments may precede the key.
func OpensObject(text []byte) bool { return FirstQuote(text) != 0 }

// csvObject matches the start of a quoted object in CSV, in which quotes are doubled.
var csvObject = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[,;\t])"\{ ?""\w+"" ?:`)
})

// HasCSVObject reports whether text has an object in a field of CSV.
func HasCSVObject(text []byte) bool { return csvObject().Match(text) }

// maxHeader is how many bytes of a line may name columns.
const maxHeader = 4 << 10

// tableHeader matches the names of the columns of CSV.
var tableHeader = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^"?\w[\w .-]*"?(?:[,;\t]"?\w[\w .-]*"?)+\r?$`)
})

// IsTableHeader reports whether a line names the columns of CSV, among them those of
// a record.
func IsTableHeader(line []byte) bool {
	line = line[:min(len(line), maxHeader)]
	return bytes.Contains(line, []byte("role")) && bytes.Contains(line, []byte("content")) && tableHeader().Match(line)
}

// FirstQuote returns the quote of the first key of the object that text starts
// with, or 0 if there is none.
func FirstQuote(text []byte) byte {
	if len(text) == 0 || text[0] != '{' {
		return 0
	}
	at := 1
	for {
		at += value.SpaceSize(text[at:])
		if !value.BeginsComment(text[at:]) {
			break
		}
		at += value.CommentSize(text[at:])
	}
	if at < len(text) && (text[at] == '"' || text[at] == '\'') {
		return text[at]
	}
	return 0
}

// isLoneList reports whether the input is certainly one array on one line, as
// most saved conversations are. It examines brackets only, and reads no more
// than detection needs.
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

// mayHaveAnother reports whether another value may start after an array.
// Brackets in strings can make it return true wrongly.
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
