package source

import (
	"bytes"
	"strings"

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
	first, _ := d.all().Peek()
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
// bytes do if the name leaves that open. An input that is read after some text on each
// line is a text. It returns FormAuto for data whose form is to be detected.
func (d *detector) formByName() (Form, error) {
	if d.Options.After != "" {
		return FormText, nil
	}
	switch NamingOf(d.Options.Name) {
	case CodeName:
		if !d.Options.AnyName {
			return "", errCode
		}
		fallthrough
	case OtherName:
		if !d.beginsData() {
			return FormText, nil
		}
	case TextName:
		if _, ok := d.all().Peek(); ok { // else it is empty, whatever its form
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
	first, ok := d.all().Peek()
	if !ok {
		return true
	}
	if inside := map[byte]string{'{': `"'}`, '[': `{[]`}[first]; inside != "" {
		next, found := d.In.NextAfter(1)
		return found && strings.IndexByte(inside, d.In.Unread()[next]) >= 0
	}
	return d.hasData()
}

// HARLog returns the offset of the log of a browser in the object at the unread text,
// whose first member it is, or -1.
func (cur *Cursor) HARLog() (at int) {
	for _, want := range []byte(`{"log":{`) { // whitespace may precede each byte; programs write none in the name
		next, found := cur.In.NextAfter(at)
		if !found || cur.In.Unread()[next] != want {
			return -1
		}
		at = next + 1
	}
	return at - 1
}

// detectPlain returns the reader of the forms without other text between records. It
// decides whether each value is a conversation, which a list or an envelope at the
// start shows.
func (d *detector) detectPlain() RecordReader {
	if d.Form == FormPython || (d.Form == FormAuto || d.Form == FormSessionLog) && d.beginsPython() {
		d.Scan.Python = true
	}
	if d.Scan.Python && d.Form == FormAuto {
		d.Form = FormPython
	}
	s := &sequence{segment: d.line(), only: d.Options.Form == FormJSON}
	if s.only {
		s.segment = d.all()
	}
	c, ok := s.Peek()
	for !s.only && (!ok && s.NextLine() || s.skipsComment(c)) {
		c, ok = s.Peek()
	}
	s.afterBlank = d.In.Pos.Line > 1
	switch {
	case s.only:
		s.isDocuments = true
	case c == '[' || c == '{' && d.isEnvelope():
		s.isDocuments, s.bound = d.documents(c)
	}
	switch {
	case s.isDocuments && !s.bound:
		d.SetForm(FormJSON)
	case s.isDocuments:
		d.Conversation = 0
		fallthrough
	default:
		d.SetForm(FormJSONL)
	}
	return s
}

// isEnvelope reports whether the input starts with an envelope. Its list may begin on
// another line than it.
func (d *detector) isEnvelope() bool {
	if d.line().findList(0, IsListName) != nil {
		return true
	}
	newline := d.In.LineEnd()
	return newline >= 0 && d.Options.Form != FormJSONL && d.continuesAfter(newline) && d.all().findList(0, IsListName) != nil
}

// documents decides whether an input that starts with a list or an envelope, whose first
// byte is c, is a sequence of these, and whether each ends with its line, also if the
// first lacks its end. It is not if a list on one line precedes records.
func (d *detector) documents(c byte) (isDocuments, bound bool) {
	if d.Options.Form == FormJSONL {
		return true, true
	}
	line := d.LineAt(0)
	text := value.TrimRight(line)
	if closing := c + ('}' - '{'); text[len(text)-1] == closing && !closesBeforeValue(line, closing) {
		if _, follows := d.In.NextAfter(len(line)); !follows {
			return true, false // one value, as most inputs are: matching its brackets would take a fifth of their time
		}
	}
	b := value.BracketMatcher{Python: d.Scan.Python}
	if b.Feed(line); !b.IsClosed() {
		if len(line) == SniffWindow || !b.IsBroken() && strings.IndexByte(",[:{", text[len(text)-1]) >= 0 {
			return true, false
		}
		at, found := d.In.NextAfter(len(line))
		return true, found && d.In.Unread()[at] == c
	}
	at, found := d.In.NextAfter(b.Size())
	if !found || !BeginsValue(d.In.Unread()[at]) {
		return true, false
	}
	isRecord := c == '[' && d.In.Unread()[at] == '{' && d.all().findList(at, IsListName) == nil
	return !isRecord, !isRecord
}

// closesBeforeValue reports whether an object or array follows a closing bracket.
func closesBeforeValue(text []byte, closing byte) bool {
	for {
		i := bytes.IndexByte(text, closing)
		if i < 0 {
			return false
		}
		text = text[i+1:]
		if at := value.SpaceSize(text); at < len(text) && BeginsValue(text[at]) {
			return true
		}
	}
}

// FirstQuote returns the quote of the first key of the object that text starts
// with, or 0 if there is none.
func FirstQuote(text []byte) byte {
	if len(text) == 0 || text[0] != '{' {
		return 0
	}
	at := 1 + value.SpaceSize(text[1:])
	if at < len(text) && (text[at] == '"' || text[at] == '\'') {
		return text[at]
	}
	return 0
}
