package source

import "bytes"

// How much of its lines an input must show to be taken for a page, or for
// records after all.
const (
	enoughProse   = 3 // lines
	enoughRecords = 8
	manyRecords   = 200 // if a sentence stands before them
)

// survey is what the first lines of an input show, if the very first of them
// does not begin with a record.
type survey struct {
	prefixed  int  // lines with a record behind a prefix
	bare      int  // lines that begin with a record
	prose     int  // lines of words
	between   bool // words stand behind a record
	sentence  bool // a line is a sentence, as only people write them
	comments  int  // lines that begin with `#`: headings, or comments of Python
	markup    bool // a fence, or a heading of the second rank or below
	unmistake bool // a prefix is one that only logs have
}

// detectAmong finds out whether the records of the input stand among other
// text. It returns nil if they do not.
func (r *Reader) detectAmong() mode {
	form := r.options.Form
	if (form == FormAuto || form == FormSessionLog) && !r.in.within && !r.beginsValue() {
		if r.showsMarks() {
			return newMarked(r)
		}
		if form == FormAuto {
			form = r.survey()
		}
	}
	if form == FormLog || form == FormMarkdown {
		return newAmong(r, form)
	}
	return nil
}

// survey looks at the first lines until they show what the input is.
func (r *Reader) survey() Form {
	var s survey
	for from := 0; from < sniffWindow; {
		line := r.line(from)
		s.see(line)
		if form, certain := s.verdict(false); certain {
			return form
		}
		next, found := r.in.behind(from + len(line))
		if !found || len(line) == sniffWindow {
			break
		}
		from = r.lineStart(next)
	}
	form, _ := s.verdict(true)
	return form
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
	return isDigit(c) || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' && c != 't' && c != 'f' && c != 'n'
}

// see takes note of a line that is not blank.
func (s *survey) see(line []byte) {
	text := bytes.TrimSpace(line)
	switch {
	case len(text) == 0:
	case isFence(text), bytes.HasPrefix(text, []byte("## ")):
		s.markup = true
	case text[0] == '#':
		s.comments++
	case opensObject(text), len(text) == 1 && beginsValue(text[0]), text[0] == '[' && opensObject(bytes.TrimSpace(text[1:])):
		s.bare++
	case announced(line) != Undirected:
		s.unmistake = true
	default:
		s.seeWords(text)
	}
}

func (s *survey) seeWords(text []byte) {
	if size, ok := logPrefix(text); ok {
		s.prefixed++
		s.unmistake = s.unmistake || isLogPrefix(text[:size])
		return
	}
	if bytes.Count(text, []byte{' '}) < 3 {
		return
	}
	s.prose++
	s.sentence = s.sentence || isSentence(text)
	s.between = s.between || s.bare > 0
}

// isSentence reports whether a line is long enough for a sentence and ends
// like one.
func isSentence(text []byte) bool {
	return bytes.Count(text, []byte{' '}) >= 5 && bytes.IndexByte([]byte(".:,;?!"), text[len(text)-1]) >= 0
}

// isFence reports whether a line opens or closes a block of code.
func isFence(text []byte) bool {
	return bytes.HasPrefix(text, []byte("```")) || bytes.HasPrefix(text, []byte("~~~"))
}

// verdict says what the input is. It is certain of it when no more lines can
// change it, or when there are none.
func (s *survey) verdict(final bool) (form Form, certain bool) {
	switch {
	case s.unmistake, s.prefixed > 1 && s.prefixed > s.bare && !s.markup:
		return FormLog, true
	case s.markup, s.prose >= enoughProse && s.between:
		return FormMarkdown, true
	case s.bare >= enoughRecords && !s.sentence, s.bare >= manyRecords:
		return FormAuto, true
	case !final:
		return FormAuto, false
	case s.prefixed > 0 && s.bare == 0:
		return FormLog, true
	}
	return FormAuto, true
}
