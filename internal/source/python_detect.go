package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// sniffedLines is how many lines of an input are looked at, to find out
// whether its records are JSON or Python literals, as long as they show neither.
const sniffedLines = 8

// openingBytes is within how many bytes a record must show its language. One
// that is longer is JSON if its first strings are.
const openingBytes = 4 << 10

// language is what a text shows of the language that its records are in.
type language int

const (
	eitherLanguage language = iota // brackets alone, or neither JSON nor Python
	isJSON
	isPython
)

// detectPython finds out whether the records are Python literals.
func (r *Reader) detectPython() {
	_, ok := r.in.peek()
	open := r.form == FormAuto || r.form == FormSessionLog
	if r.form == FormPython || ok && open && r.showsPython() {
		r.scan.Python, r.in.comments = true, true
	}
	if r.scan.Python && r.form == FormAuto {
		r.form = FormPython
	}
}

// showsPython looks at the first lines until one shows a language.
func (r *Reader) showsPython() bool {
	start, from := 0, 0
	for seen := 0; seen < sniffedLines; {
		if r.in.unread()[from] != '#' {
			seen++
		}
		if beginsValue(r.in.unread()[start]) {
			text := r.opening(start, from)
			switch shown, open := r.languageOf(text); {
			case shown == isPython:
				return !r.jsonFollows(start)
			case isHollowText(text): // it is the same in both
				start = -1
			case shown == isJSON:
				return false
			case !open:
				start = -1
			}
		} else {
			start = -1
		}
		end := from + len(r.line(from))
		if end >= sniffWindow {
			return false
		}
		next, found := r.in.behind(end)
		if !found || next >= sniffWindow {
			return false
		}
		if from = next; start < 0 || beginsValue(r.in.unread()[next]) {
			start = next
		}
	}
	return false
}

// isHollowText reports whether a text is an object or a list of nothing.
func isHollowText(text []byte) bool {
	text = value.TrimRight(text)
	return string(text) == "{}" || string(text) == "[]"
}

// opening returns the text from start to the end of the value that begins
// there, or of the line that from stands on, whichever comes first, and not
// more than openingBytes.
func (r *Reader) opening(start, from int) []byte {
	var b value.BracketMatcher
	for before := from; ; {
		text := r.in.unread()[start:]
		text = text[:min(len(text), openingBytes)]
		end := -1
		if before-start < len(text) {
			end = bytes.IndexByte(text[before-start:], '\n')
		}
		if end >= 0 {
			text = text[:before-start+end]
		}
		if b.Feed(text); b.Closed {
			return text[:b.Size]
		}
		if end >= 0 || len(text) == openingBytes || !r.in.fetch() {
			return text
		}
		before = max(from, start+len(text))
	}
}

// line returns the unread line, from i on, as far as detection looks.
func (r *Reader) line(i int) []byte {
	for searched := max(0, r.in.searched-i); ; {
		line := r.in.unread()[i:]
		line = line[:min(len(line), sniffWindow)]
		searched = min(searched, len(line))
		if end := bytes.IndexByte(line[searched:], '\n'); end >= 0 {
			return line[:searched+end]
		}
		searched = len(line)
		if searched == sniffWindow || !r.in.fetch() {
			return line
		}
	}
}

// languageOf says what the beginning of a record shows. Open says that it is
// brackets alone, which go on behind it.
func (r *Reader) languageOf(text []byte) (shown language, open bool) {
	v := r.scan.Check(text)
	switch {
	case v.Stop == nil:
		return isJSON, false
	case v.Stop.Truncated && bytes.IndexByte(text, '"') >= 0:
		return isJSON, false
	case v.Stop.Truncated:
		return eitherLanguage, true
	case isPythonWord(text[v.Stop.Start:v.Stop.End]) && r.pythonStop(text) > v.Stop.Start:
		return isPython, false
	}
	return eitherLanguage, false
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
func (r *Reader) pythonStop(text []byte) int {
	r.scan.Python = true
	v := r.scan.Check(text)
	r.scan.Python = false
	if v.Stop != nil {
		return v.Stop.Start
	}
	return v.End
}

// jsonFollows reports whether the input is JSON Lines all the same, and the
// literal that begins at i is one mistake: a record in JSON follows, with other
// quotes, and no literal behind that. If the literal is in double quotes, too, as only people write them,
// the next word that JSON and Python spell differently decides.
func (r *Reader) jsonFollows(i int) bool {
	line := r.line(i)
	if line[0] != '{' || !isClosedLiteral(line) {
		return false
	}
	single, follows := bytes.IndexByte(line, '\'') >= 0, false
	for end := i + len(line); end < sniffWindow; end = i + len(r.line(i)) {
		next, found := r.in.behind(end)
		if !found || r.in.unread()[next] != '{' {
			return follows
		}
		text := r.opening(next, next)
		shown, _ := r.languageOf(text)
		switch {
		case shown == isPython:
			return false
		case single && (shown != isJSON || bytes.IndexByte(text, '"') < 0):
			return follows
		case single && !follows:
			follows = true
		case single:
			return true
		case shown == isJSON && r.pythonStop(text) < len(text):
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
	return b.Closed
}
