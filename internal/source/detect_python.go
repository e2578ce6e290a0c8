package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// sniffedLines is how many lines of an input are looked at, to find out
// whether its records are JSON or Python literals, as long as they show neither.
const sniffedLines = 8

// OpeningBytes is within how many bytes a record must show its language. One
// that is longer is JSON if its first strings are.
const OpeningBytes = 4 << 10

// Language is what a text shows of the language that its records are in.
type Language int

// The languages.
const (
	languageUnknown Language = iota // brackets alone, or neither JSON nor Python
	languageJSON
	LanguagePython // a Python literal
)

// detectPython finds out whether the records are Python literals.
func (d *detector) detectPython() {
	_, ok := d.In.Peek()
	open := d.Form == FormAuto || d.Form == FormSessionLog
	if d.Form == FormPython || ok && open && d.showsPython() {
		d.Scan.Python, d.In.Comments = true, true
	}
	if d.Scan.Python && d.Form == FormAuto {
		d.Form = FormPython
	}
}

// showsPython looks at the first lines until one shows a language.
func (d *detector) showsPython() bool {
	start, from := 0, 0
	for seen := 0; seen < sniffedLines; {
		if d.In.Unread()[from] != '#' {
			seen++
		}
		if BeginsValue(d.In.Unread()[start]) {
			text := d.opening(start, from)
			switch shown, open := d.LanguageOf(text); {
			case shown == LanguagePython:
				return !d.jsonFollows(start)
			case isEmptyValue(text): // it is the same in both
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

// isHollowText reports whether a text is an object or a list of nothing.
func isEmptyValue(text []byte) bool {
	text = value.TrimRight(text)
	return string(text) == "{}" || string(text) == "[]"
}

// opening returns the text from start to the end of the value that begins
// there, or of the line that from is on, whichever comes first, and not
// more than openingBytes.
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

// LineAt returns the unread line, from i on, as far as detection looks.
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

// LanguageOf says what the beginning of a record shows. Open reports that it is
// brackets alone, which continue after it.
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

// isPythonWord reports whether what is no JSON is written so in Python.
func isPythonWord(found []byte) bool {
	switch string(found) {
	case "'", "True", "False", "None":
		return true
	}
	return false
}

// pythonStop returns how far text is a Python literal.
func (cur *Cursor) pythonStop(text []byte) int {
	cur.Scan.Python = true
	v := cur.Scan.Check(text)
	cur.Scan.Python = false
	if v.Stop != nil {
		return v.Stop.Start
	}
	return v.End
}

// jsonFollows reports whether the input is JSON Lines all the same, and the
// literal that begins at i is one mistake: a record in JSON follows, with other
// quotes, and no literal after that. If the literal is in double quotes, too, as only people write them,
// the next word that JSON and Python spell differently decides.
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

// isClosedLiteral reports whether a literal ends on its line.
func isClosedLiteral(line []byte) bool {
	b := value.BracketMatcher{Python: true}
	b.Feed(line)
	return b.IsClosed()
}
