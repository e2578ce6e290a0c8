package source

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// language is the language of the records so far: JSON, or Python literals as print
// writes them.
type language struct {
	isFixed bool // the options say it: Scanner.Python
	python  bool // the input is one of Python literals
	json    bool // a record has a literal that only JSON has
	read    bool // a record has a name in double quotes
}

// fixedForms are the forms that say in which language the records are.
var fixedForms = []Form{FormJSON, FormJSONL, FormSSE, FormPython}

// readValue scans the value at the start of the unread input. It reads no more of
// the input than it needs to find the end of the value. The result does not
// depend on the sizes in which the input arrives.
//
// A value that is not JSON may be a Python literal, as far as the language of the input
// is open: one among records of JSON is a mistake.
func (s segment) readValue() RawValue {
	l := &s.language
	if !l.isFixed {
		s.Scan.Python = l.python
	}
	p := s.scanValue()
	if l.isFixed || l.python || p.TooLarge {
		return p
	}
	quote := FirstQuote(s.Rest())
	if p.Stop == nil {
		l.read, l.json = l.read || quote == '"', l.json || p.Root.HasLiteral()
		return p
	}
	word := string(s.Rest()[p.Stop.Start:p.Stop.End])
	if l.json || !slices.Contains(pythonWords, word) || word == "'" && (l.read || quote != '\'') {
		l.read = l.read || quote == '"'
		return p
	}
	s.Scan.Python = true
	q := s.scanValue()
	switch {
	case q.TooLarge, q.Stop != nil && q.Stop.Start <= p.Stop.Start: // nor is it Python
	case q.Stop == nil && !l.read && s.jsonFollows(q.End, quote):
		l.read, l.json = true, true
		if s.Form == FormPython {
			s.Form = FormJSONL
		}
	default:
		s.turnPython()
	}
	s.Scan.Python = l.python
	return s.scanValue() // looking ahead may have moved it
}

// turnPython makes the input one of Python literals.
func (cur *Cursor) turnPython() {
	cur.language.python = true
	if cur.Form == FormJSON || cur.Form == FormJSONL {
		cur.Form = FormPython
	}
}

// jsonFollows reports whether the records after the unread value, which is a Python
// literal and begins with a quote, are JSON: the next one that can only be of one
// language is.
func (cur *Cursor) jsonFollows(end int, quote byte) bool {
	s, isSequence := cur.FormReader.(*sequence)
	for isSequence && !s.isDocuments && end < SniffWindow {
		at, found := cur.In.NextAfter(end)
		if !found || cur.In.Unread()[at] != '{' {
			return false
		}
		line := cur.LineAt(at)
		if quote == '\'' {
			return FirstQuote(line) == '"'
		}
		isJSON := (&value.Scanner{MaxDepth: cur.Scan.MaxDepth}).Check(line).Stop == nil
		if isPython := cur.Scan.Check(line).Stop == nil; isJSON != isPython {
			return isJSON
		}
		end = at + len(line)
	}
	return false
}

// pythonWords are the tokens of Python that JSON rejects.
var pythonWords = []string{"'", "True", "False", "None"}

// beginsPython reports whether the first name in the unread input is in single quotes.
func (d *detector) beginsPython() bool {
	for at, last := 0, byte(0); ; at++ {
		next, found := d.In.NextAfter(at)
		if !found {
			return false
		}
		if at = next; !BeginsValue(d.In.Unread()[at]) {
			return last == '{' && d.In.Unread()[at] == '\''
		}
		last = d.In.Unread()[at]
	}
}

// LineAt returns the unread line from offset i on, truncated to SniffWindow
// bytes.
func (cur *Cursor) LineAt(i int) []byte {
	for searched := max(0, cur.In.Searched-i); ; {
		line := cur.In.Unread()[i:]
		line = line[:min(len(line), SniffWindow)]
		searched = min(searched, len(line))
		if end := bytes.IndexByte(line[searched:], '\n'); end >= 0 {
			return line[:searched+end]
		}
		searched = len(line)
		if searched == SniffWindow || !cur.In.Fetch() {
			return line
		}
	}
}
