package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// sniffedLines is how many lines detection examines to distinguish JSON from
// Python literals.
const sniffedLines = 8

// OpeningBytes is how many bytes at the start of a record must show its
// language. A longer record is JSON if these bytes contain double quotes and no
// fault.
const OpeningBytes = 4 << 10

// Language is the language of a record as far as a text shows it.
type Language int

// The languages.
const (
	languageUnknown Language = iota // only brackets, or neither JSON nor Python
	languageJSON
	LanguagePython // a Python literal
)

// detectPython sets up the cursor for Python literals if the records are such,
// or if Options say so.
func (d *detector) detectPython() {
	_, ok := d.In.Peek()
	open := d.Form == FormAuto || d.Form == FormSessionLog
	if d.Form == FormPython || ok && open && d.showsPython() {
		d.Scan.Python = true
	}
	if d.Scan.Python && d.Form == FormAuto {
		d.Form = FormPython
	}
}

// showsPython reports whether the first line that shows a language is a Python
// literal.
func (d *detector) showsPython() bool {
	start, from := 0, 0
	for seen := 0; seen < sniffedLines; {
		if d.In.Unread()[from] != '#' {
			seen++
		}
		if BeginsValue(d.In.Unread()[start]) {
			text := d.opening(start, from)
			switch shown, open := d.LanguageOf(text); {
			case shown == LanguagePython && d.jsonFollows(start):
				d.language.shown = languageJSON
				return false
			case shown == LanguagePython:
				return true
			case isEmptyValue(text): // valid in both languages
				start = -1
			case shown == languageJSON:
				return false
			case !open:
				start = -1
			}
		} else {
			start = -1
		}
		end := from + len(d.LineAt(from))
		if end >= SniffWindow {
			return false
		}
		next, found := d.In.NextAfter(end)
		if !found || next >= SniffWindow {
			return false
		}
		if from = next; start < 0 || BeginsValue(d.In.Unread()[next]) {
			start = next
		}
	}
	return false
}

// isEmptyValue reports whether a text is an empty object or list.
func isEmptyValue(text []byte) bool {
	text = value.TrimRight(text)
	return string(text) == "{}" || string(text) == "[]"
}

// opening returns the text from start to the end of the value that starts
// there, to the end of the line that from is on, or to OpeningBytes, whichever
// is first.
func (cur *Cursor) opening(start, from int) []byte {
	var b value.BracketMatcher
	for before := from; ; {
		text := cur.In.Unread()[start:]
		text = text[:min(len(text), OpeningBytes)]
		end := -1
		if before-start < len(text) {
			end = bytes.IndexByte(text[before-start:], '\n')
		}
		if end >= 0 {
			text = text[:before-start+end]
		}
		if b.Feed(text); b.IsClosed() {
			return text[:b.Size()]
		}
		if end >= 0 || len(text) == OpeningBytes || !cur.In.Fetch() {
			return text
		}
		before = max(from, start+len(text))
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

// LanguageOf returns the language that the start of a record shows. Open
// reports that it consists of opening brackets only, so that later lines
// decide.
func (cur *Cursor) LanguageOf(text []byte) (shown Language, open bool) {
	v := cur.Scan.Check(text)
	switch {
	case v.Stop == nil:
		return languageJSON, false
	case v.Stop.Truncated && bytes.IndexByte(text, '"') >= 0:
		return languageJSON, false
	case v.Stop.Truncated:
		return languageUnknown, true
	case isPythonWord(text[v.Stop.Start:v.Stop.End]) && cur.pythonStop(text) > v.Stop.Start:
		return LanguagePython, false
	}
	return languageUnknown, false
}

// isPythonWord reports whether a token that JSON rejects is one of Python's.
func isPythonWord(found []byte) bool {
	switch string(found) {
	case "'", "True", "False", "None":
		return true
	}
	return false
}

// pythonStop returns the size of the prefix of text that is valid Python.
func (cur *Cursor) pythonStop(text []byte) int {
	cur.Scan.Python = true
	v := cur.Scan.Check(text)
	cur.Scan.Python = false
	if v.Stop != nil {
		return v.Stop.Start
	}
	return v.End
}

// jsonFollows reports whether the input is JSON Lines although the record at i
// is a Python literal: the next line is a JSON record with double quotes, and
// no Python literal follows. If the literal has double quotes, too, as in text
// written by hand, the next token that differs between the languages decides.
func (d *detector) jsonFollows(i int) bool {
	line := d.LineAt(i)
	if line[0] != '{' || !isClosedLiteral(line) {
		return false
	}
	single, follows := bytes.IndexByte(line, '\'') >= 0, false
	for end := i + len(line); end < SniffWindow; end = i + len(d.LineAt(i)) {
		next, found := d.In.NextAfter(end)
		if !found || d.In.Unread()[next] != '{' {
			return follows
		}
		text := d.opening(next, next)
		shown, _ := d.LanguageOf(text)
		switch {
		case shown == LanguagePython:
			return false
		case single && (shown != languageJSON || bytes.IndexByte(text, '"') < 0):
			return follows
		case single && !follows:
			follows = true
		case single:
			return true
		case shown == languageJSON && d.pythonStop(text) < len(text):
			return true
		}
		i = next
	}
	return follows
}

// isClosedLiteral reports whether a Python literal ends on its line.
func isClosedLiteral(line []byte) bool {
	b := value.BracketMatcher{Python: true}
	b.Feed(line)
	return b.IsClosed()
}
