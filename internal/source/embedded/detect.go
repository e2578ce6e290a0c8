package embedded

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// detectText finds out whether the records of the input are among other
// text. It returns nil if they do not.
func detectText(cur *source.Cursor) source.RecordReader {
	form := cur.Options.Form
	if (form == source.FormAuto || form == source.FormSessionLog) && !cur.In.IsNested && !inputBeginsValue(cur) {
		if hasMarkedFrames(cur) {
			return newMarked(cur)
		}
		if form == source.FormAuto {
			form, probe := probeForm(cur)
			return readerOf(cur, form, probe)
		}
	}
	if form == source.FormMarkdown || form == source.FormLog && !beginsLogLine(cur) {
		return newEmbedded(cur, form)
	}
	return nil
}

// beginsLogLine reports whether the first line is one of a log in JSON.
func beginsLogLine(cur *source.Cursor) bool {
	if c, ok := cur.In.Peek(); !ok || c != '{' {
		return false
	}
	v := cur.Scan.Scan(cur.LineAt(0), true)
	return v.Root != nil && isLogLine(v.Root)
}

// modeOf is how an input is read of which the first lines show what it is.
func readerOf(cur *source.Cursor, form source.Form, s *formProbe) source.RecordReader {
	switch form {
	case source.FormSessionLog:
		return newMarked(cur)
	case source.FormLog, source.FormMarkdown:
		a := newEmbedded(cur, form)
		a.hasPreamble = s.hasPreamble()
		return a
	}
	return nil
}

// survey looks at the first lines until they show what the input is.
func probeForm(cur *source.Cursor) (source.Form, *formProbe) {
	s := &formProbe{}
	for from := 0; from < source.SniffWindow; {
		line := cur.LineAt(from)
		s.addLine(line)
		if form, certain := s.verdict(false); certain {
			return form, s
		}
		next, found := cur.In.NextAfter(from + len(line))
		if !found || len(line) == source.SniffWindow {
			break
		}
		from = lineStart(cur, next)
	}
	form, _ := s.verdict(true)
	return form, s
}

// lineStart returns where the line that contains the unread byte at i begins.
func lineStart(cur *source.Cursor, i int) int {
	return bytes.LastIndexByte(cur.In.Unread()[:i], '\n') + 1
}

// inputBeginsValue reports whether the input begins with an object or a list. A
// list of numbers or words may as well be the time or level that a log writes
// in brackets.
func inputBeginsValue(cur *source.Cursor) bool {
	c, ok := cur.In.Peek()
	if !ok || !source.BeginsValue(c) {
		return !ok
	}
	cur.In.LineBound = true
	next := cur.In.FollowedBy(1)
	cur.In.LineBound = false
	if c == '{' {
		return next != '%' && next != '/'
	}
	return !isTimeByte(next)
}

// isTimeByte reports whether c may be first in the brackets of a log's prefix.
func isTimeByte(c byte) bool {
	return value.IsDigit(c) || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' && c != 't' && c != 'f' && c != 'n'
}

// How much of its lines an input must show to be taken for a page, or for
// records after all.
const (
	enoughProse   = 3 // lines
	enoughRecords = 8
	manyRecords   = 200 // if a sentence is before them
)

// formProbe is what the first lines of an input show, if the very first of them
// does not begin with a record.
type formProbe struct {
	prefixed        int  // lines with a record after a prefix
	bare            int  // lines that begin with a record
	quoted          int  // lines that begin with a record after `>`, as in a quotation
	hasReceived     bool // a record is after `<`, as a frame that was received
	begun           bool // a line was seen
	startsWithWords bool // the first one is words alone
	startsWithList  bool // the first value is a list, or a record that continues below
	prefix          prefixComparer
	prose           int  // lines of words
	hasProseBetween bool // words are after a record
	hasSentence     bool // a line is a sentence, as only people write them
	comments        int  // lines that begin with `#`: headings, or comments of Python
	hasMarkup       bool // a fence, or a heading of the second rank or below
	isCertainlyLog  bool // a prefix is one that only logs have
}

// see takes note of a line that is not blank.
func (s *formProbe) addLine(line []byte) {
	text := bytes.TrimSpace(line)
	if !s.begun {
		s.begun, s.startsWithWords = true, isWords(text)
	}
	switch {
	case len(text) == 0:
	case isFence(text), bytes.HasPrefix(text, []byte("## ")):
		s.hasMarkup = true
	case text[0] == '#':
		s.comments++
	case text[0] == '>', text[0] == '<' && source.OpensObject(bytes.TrimSpace(text[1:])):
		s.addMarked(text)
	case source.OpensObject(text):
		s.bare++
	case len(text) == 1 && source.BeginsValue(text[0]), text[0] == '[' && source.OpensObject(bytes.TrimSpace(text[1:])):
		s.startsWithList = s.startsWithList || s.bare == 0
		s.bare++
	case announcedDirection(line) != source.Undirected:
		s.isCertainlyLog = true
	default:
		s.addWords(text)
	}
}

// isLead reports whether a line is words alone, such as a program writes before
// it writes records. What is left of a broken record has quotes or brackets.
func isWords(text []byte) bool {
	return len(text) > 0 && value.IsLetter(text[0]) && !bytes.ContainsAny(text, "\"'{}")
}

// seeMarked takes note of a line after a mark, which reports that it is quoted or
// who sent it.
func (s *formProbe) addMarked(text []byte) {
	if text[0] == '<' {
		s.hasReceived = true
		return
	}
	text = bytes.TrimSpace(text[quotePrefix(text):])
	if source.OpensObject(text) {
		s.quoted++
	}
	s.hasMarkup = s.hasMarkup || isFence(text)
}

func (s *formProbe) addWords(text []byte) {
	if size, ok := logPrefix(text); ok || size > 0 && s.repeatsPrefix(text[:size]) {
		s.prefixed++
		s.isCertainlyLog = s.isCertainlyLog || isLogPrefix(text[:size])
		return
	}
	if bytes.Count(text, []byte{' '}) < 3 {
		return
	}
	s.prose++
	s.hasSentence = s.hasSentence || isSentence(text)
	s.hasProseBetween = s.hasProseBetween || s.bare > 0
}

// goesOn reports whether the words before a record that ends its line are those
// of the last such line.
func (s *formProbe) repeatsPrefix(words []byte) bool {
	s.prefix.setNext(words)
	same := s.prefix.matchesLast()
	s.prefix.accept()
	return same
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

// led reports whether words are before a list, or before records over several
// lines, so that not each line is a record.
func (s *formProbe) hasPreamble() bool {
	return s.startsWithWords && s.prefixed == 0 && s.startsWithList
}

// verdict says what the input is. It is certain of it when no more lines can
// change it, or when there are none.
func (s *formProbe) verdict(final bool) (form source.Form, certain bool) {
	switch {
	case s.isCertainlyLog, s.prefixed > 1 && s.prefixed > s.bare && !s.hasMarkup:
		return source.FormLog, true
	case s.hasReceived && s.quoted > 0:
		return source.FormSessionLog, true
	case s.hasMarkup, s.prose >= enoughProse && s.hasProseBetween, s.quoted >= enoughRecords, s.bare >= enoughRecords && s.hasPreamble():
		return source.FormMarkdown, true
	case s.bare >= enoughRecords && !s.hasSentence, s.bare >= manyRecords:
		return source.FormAuto, true
	case !final:
		return source.FormAuto, false
	case s.prefixed > 0 && s.bare == 0:
		return source.FormLog, true
	case s.quoted > 0 && s.bare == 0, s.hasPreamble():
		return source.FormMarkdown, true
	}
	return source.FormAuto, true
}
