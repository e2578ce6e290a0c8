package embedded

import (
	"bytes"
	"encoding/json"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// detectText returns a reader if the records are embedded in other text, else
// nil.
func detectText(cur *source.Cursor) source.RecordReader {
	form := cur.Options.Form
	if (form == source.FormAuto || form == source.FormSessionLog) && !cur.In.IsNested && !inputBeginsValue(cur) {
		switch isStray, hasTime := beginsStrayArrow(cur); {
		case isStray && hasTime:
			return newEmbedded(cur, source.FormLog)
		case isStray:
			return nil
		case hasMarkedFrames(cur):
			return newMarked(cur)
		}
		if form == source.FormAuto && !source.IsTableHeader(cur.LineAt(0)) {
			form, probe := probeForm(cur)
			return readerOf(cur, form, probe)
		}
	}
	if form == source.FormMarkdown || form == source.FormLog && !beginsLogLine(cur) {
		return newEmbedded(cur, form)
	}
	return nil
}

// textAfterRecords returns a reader of a log if text follows the record on the next
// line, too, as it does where the unread text begins: the size and time of each frame
// in the network panel of a browser, for instance. Else it returns nil.
func textAfterRecords(cur *source.Cursor) source.RecordReader {
	line := cur.LineAt(0)
	next, found := cur.In.NextAfter(len(line))
	if !found || !isTextAfter(line) {
		return nil
	}
	size := lineRecordSize(cur, next)
	if size == 0 || !isTextAfter(bytes.TrimLeft(cur.LineAt(next)[size:], " \t")) {
		return nil
	}
	cur.In.Skip(len(line))
	return newEmbedded(cur, source.FormLog)
}

// lineRecordSize returns the size of the object that the unread text starts with at
// i if it ends on its line, else 0.
func lineRecordSize(cur *source.Cursor, i int) int {
	for b, searched := (value.BracketMatcher{}), 0; ; {
		text := cur.In.Unread()[i:]
		text = text[:min(len(text), source.SniffWindow)]
		line, _, ended := bytes.Cut(text[searched:], []byte{'\n'})
		searched += len(line)
		b.Feed(text[:searched])
		if b.IsClosed() && source.OpensObject(text) {
			return b.Size()
		}
		if ended || b.IsClosed() || b.IsBroken() || searched == source.SniffWindow || !cur.In.Fetch() {
			return 0
		}
	}
}

// isTextAfter reports whether what follows a record on its line is text, not a
// separator, another record or a comment.
func isTextAfter(text []byte) bool {
	return len(bytes.TrimSpace(text)) > 0 && bytes.IndexByte([]byte(",;)]}{[#/\"'"), text[0]) < 0
}

// beginsLogLine reports whether the first line is a line of a JSON log.
func beginsLogLine(cur *source.Cursor) bool {
	if c, ok := cur.In.Peek(); !ok || c != '{' {
		return false
	}
	v := cur.Scan.Scan(cur.LineAt(0), true)
	return v.Root != nil && isLogLine(v.Root)
}

// readerOf returns the reader of a detected form, or nil.
func readerOf(cur *source.Cursor, form source.Form, s *formProbe) source.RecordReader {
	switch form {
	case source.FormSessionLog:
		return newMarked(cur)
	case source.FormLog, source.FormMarkdown:
		a := newEmbedded(cur, form)
		a.hasPreamble, a.mayBeProgram = s.hasPreamble(), !s.isCertainlyLog
		cur.Scan.Comments = cur.Scan.Comments && !a.hasPreamble
		if a.hasPreamble && form == source.FormMarkdown {
			a.skipped.cause = value.AmongText
		}
		return a
	}
	return nil
}

// probeForm examines the first lines until they decide the form.
func probeForm(cur *source.Cursor) (source.Form, *formProbe) {
	s := &formProbe{}
	for from := 0; from < source.SniffWindow; {
		start, end := s.wraps.record(cur, from)
		line := cur.LineAt(from)
		if prefix := bytes.TrimSpace(cur.In.Unread()[from:max(from, start)]); len(prefix) > 0 {
			s.addWrapped(prefix)
			line = cur.In.Unread()[from:end]
		} else {
			s.addLine(line)
		}
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

// lineStart returns the start of the line that contains the unread byte at i.
func lineStart(cur *source.Cursor, i int) int {
	return bytes.LastIndexByte(cur.In.Unread()[:i], '\n') + 1
}

// inputBeginsValue reports whether the input starts with an object or a list. A
// list of numbers or words does not count: it may be the time or level of a log
// line in brackets, or another tag.
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
	if next == 't' || next == 'f' || next == 'n' { // a literal, or a name
		return !beginsTag(bytes.TrimSpace(cur.LineAt(0)))
	}
	return !isTimeByte(next) && bytes.IndexByte([]byte("+*!#~"), next) < 0
}

// isTimeByte reports whether c can start a time or level in brackets.
func isTimeByte(c byte) bool {
	return value.IsDigit(c) || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' && c != 't' && c != 'f' && c != 'n'
}

// How many lines decide that an input is a Markdown document, or only records.
const (
	enoughProse   = 3 // lines
	enoughRecords = 8
	manyRecords   = 200 // if a sentence precedes them
)

// formProbe counts what the first lines of an input contain, if the first one
// does not start with a record.
type formProbe struct {
	prefixed        int  // lines with a record after a prefix
	bare            int  // lines that begin with a record
	quoted          int  // lines that begin with a record after `>`, as in a quotation
	hasReceived     bool // a record is after `<`, as a frame that was received
	begun           bool // a line was seen that does not begin with `#`
	startsWithWords bool // the first such line is not part of a record
	hasLogLine      bool // a line above the first record is one that only logs have
	prefix          prefixComparer
	wraps           wraps
	events          int  // lines with the data of an event
	prose           int  // lines of words
	hasProseBetween bool // words are after a record
	hasSentence     bool // a line is a sentence
	comments        int  // lines that begin with `#`: headings, or comments of Python
	hasMarkup       bool // a fence, or a heading of the second rank or below
	isCertainlyLog  bool // a prefix is one that only logs have
}

// addLine counts a line that is not blank.
func (s *formProbe) addLine(line []byte) {
	text := bytes.TrimSpace(line)
	isComment := len(text) > 0 && text[0] == '#' && (len(text) == 1 || !value.IsDigit(text[1]))
	if !s.begun && len(text) > 0 && !isComment {
		s.begun, s.startsWithWords = true, isWordy(text)
	}
	switch {
	case len(text) == 0:
	case isFence(text), bytes.HasPrefix(text, []byte("## ")):
		s.hasMarkup = true
	case isComment:
		s.comments++
	case text[0] == '>', text[0] == '<' && source.OpensObject(bytes.TrimSpace(text[1:])):
		s.addMarked(text)
	case source.OpensObject(text):
		s.bare++
	case len(text) == 1 && source.BeginsValue(text[0]), text[0] == '[' && source.OpensObject(bytes.TrimSpace(text[1:])):
		s.bare++
	case announcedDirection(line) != source.Undirected:
		s.isCertainlyLog = true
	case eventData().Match(text):
		s.events++
	default:
		s.addWords(text)
	}
}

// isWordy reports whether the first line of an input is text above its records,
// not a record, a list or the rest of a broken one: it has words, maybe in braces,
// or begins with a tag such as a time in brackets.
func isWordy(line []byte) bool {
	if json.Valid(line) {
		return false
	}
	isBraced := !source.BeginsValue(line[0]) && !bytes.ContainsAny(line, `"'`) && bytes.Count(line, []byte{'{'}) == bytes.Count(line, []byte{'}'})
	return source.IsWords(line) || isBraced && source.IsWords(bytes.TrimRight(line, "}")) || tagAbove().Match(line)
}

var (
	// tagAbove matches a line that begins with a name, a number or a time in
	// brackets, maybe in a color.
	tagAbove = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\x1b\[[\d;]*m)*\[(?:[^][{}"']|\x1b\[)+\]+[^][{},]`)
	})
	// eventData matches the data of an event.
	eventData = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^data: ?[\[{]`) })
)

// addMarked counts a line that starts with `>` or `<`, which marks a quotation
// or a frame.
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
	mark := logMark().FindIndex(text[:min(len(text), maxLogMark)])
	s.hasLogLine = s.hasLogLine || mark != nil && mark[0] <= 1
	if bytes.Count(text, []byte{' '}) < 3 {
		return
	}
	s.prose++
	s.hasSentence = s.hasSentence || isSentence(text)
	s.hasProseBetween = s.hasProseBetween || s.bare > 0
}

// addWrapped counts a line with a record that continues on the next lines.
func (s *formProbe) addWrapped(prefix []byte) {
	s.begun = true
	s.prefixed++
	s.isCertainlyLog = s.isCertainlyLog || s.hasLogLine || isLogPrefix(prefix)
}

// repeatsPrefix reports whether a prefix before a record at the end of its line
// equals that of the previous such line.
func (s *formProbe) repeatsPrefix(words []byte) bool {
	s.prefix.setNext(words)
	same := s.prefix.matchesLast()
	s.prefix.setLast()
	return same
}

// isSentence reports whether a line is as long as a sentence and ends like one.
func isSentence(text []byte) bool {
	return bytes.Count(text, []byte{' '}) >= 5 && bytes.IndexByte([]byte(".:,;?!"), text[len(text)-1]) >= 0
}

// isFence reports whether a line opens or closes a code block.
func isFence(text []byte) bool {
	return bytes.HasPrefix(text, []byte("```")) || bytes.HasPrefix(text, []byte("~~~"))
}

// hasPreamble reports whether words precede the records, such as a program
// prints them. A document has sentences or markup.
func (s *formProbe) hasPreamble() bool {
	return s.startsWithWords && s.prefixed == 0 && s.comments == 0 && !s.hasSentence && !s.hasMarkup
}

// verdict returns the form. It is certain if more lines cannot change it, or if
// final says that there are none.
func (s *formProbe) verdict(final bool) (form source.Form, certain bool) {
	switch {
	case s.isCertainlyLog, s.prefixed > 1 && s.prefixed > s.bare && !s.hasMarkup:
		return source.FormLog, true
	case s.hasReceived && s.quoted > 0:
		return source.FormSessionLog, true
	case s.startsWithWords && s.bare > 0 && s.hasLogLine:
		return source.FormLog, true
	case s.hasMarkup, s.startsWithWords && s.bare > 0, s.prose >= enoughProse && s.hasProseBetween, s.quoted >= enoughRecords:
		return source.FormMarkdown, true
	case s.bare >= enoughRecords && !s.hasSentence, s.bare >= manyRecords:
		return source.FormAuto, true
	case s.startsWithWords && (s.events >= enoughRecords || final && s.events > 0):
		return source.FormLog, true
	case !final:
		return source.FormAuto, false
	case s.prefixed > 0 && s.bare == 0:
		return source.FormLog, true
	case s.quoted > 0 && s.bare == 0:
		return source.FormMarkdown, true
	}
	return source.FormAuto, true
}
