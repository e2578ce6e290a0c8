package embedded

import (
	"bytes"
	"encoding/json"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// maxLogPrefix is the maximum number of bytes before a record of a log, from the
// start of its line or the end of the record before it.
const maxLogPrefix = 4 << 10

// lineState is what is known of the current line. It is reset where a line begins.
type lineState struct {
	isBegun     bool // beginLine has seen the line
	indent      int  // in bytes
	isBlank     bool // it is empty or a comment
	isLogLine   bool // it is read like a line of a log
	searched    bool // for an object or a literal; what follows on the line is bound to it
	hasRecord   bool // it contains a record
	hasRejected bool // an object looks like a record, but its prefix does not look like a log's
}

// seek skips, in bounded memory, to the next place where a record may begin, and
// reports whether there is one.
func (a *embeddedReader) seek() bool {
	in := &a.cur.In
	for {
		in.LineBound = true
		begins := !a.line.isBegun
		a.beginLine()
		if !a.inExcerpt && (begins && a.beginJoined() || a.seekOnLine()) {
			return true
		}
		a.endLine()
		if !in.NextLine() {
			return false
		}
	}
}

// beginLine inspects a line before any of it is skipped.
func (a *embeddedReader) beginLine() {
	if a.line.isBegun {
		return
	}
	in := &a.cur.In
	head := in.Load(2 * source.ExcerptWidth)
	a.line = lineState{isBegun: true, isLogLine: a.isLog && !a.hasMarks, indent: source.Indent(head)}
	a.prefix.beginLine()
	if !a.isLog {
		a.fence.beginLine(in.Load(value.MaxWord))
	}
	a.inExcerpt = !a.hasMarks && isExcerpt(in.Load(2*source.ExcerptWidth), a.inExcerpt)
	a.line.isBlank = a.isIgnorable()
	if a.isLog && !a.hasMarks && !a.line.isBlank {
		a.readAnnouncement(in.Load(2 * source.ExcerptWidth))
	}
	if a.line.isBlank {
		return
	}
	if a.countsSkipped() || a.fence.isOpen {
		a.skipped.rememberLine(a.cur)
	}
	if a.fence.isOpen {
		a.fence.skipped.rememberLine(a.cur)
	}
}

// isIgnorable reports whether the line is empty, or of a kind that is not counted
// if it has no record.
func (a *embeddedReader) isIgnorable() bool {
	in := &a.cur.In
	c := in.FollowedBy(0)
	word := in.Load(value.MaxWord)
	switch {
	case c == 0:
		return true
	case c == 'b' && (a.isLog || a.fence.isOpen) && isEmptyLiteral(word):
		return true
	case !a.isLog && value.BeginsComment(bytes.TrimLeft(word, " \t")) && !elides(word):
		return true // a heading, or a comment of a program
	case a.fence.isOpen && eventField().Match(word):
		return true
	case a.hasMarks && statusLine().Match(word):
		return true
	}
	return a.hasPreamble && source.IsRuler(in.Load(2*source.ExcerptWidth))
}

// elides reports whether a comment marks records that a document omits.
func elides(line []byte) bool {
	return bytes.Contains(line, []byte("...")) || bytes.Contains(line, []byte("…"))
}

// countsSkipped reports whether lines without a record are counted and reported.
func (a *embeddedReader) countsSkipped() bool {
	return a.isLog || a.fence.isLog && !a.fence.isProgram || a.hasPreamble
}

// readAnnouncement sets the direction of the next record if a line of a log
// announces it.
func (a *embeddedReader) readAnnouncement(line []byte) {
	if direction := announcedDirection(line); direction != source.Undirected {
		a.sender, a.afterAnnouncement, a.line.isBlank = direction, true, true
	} else if line[value.SpaceSize(line)] != '{' {
		a.afterAnnouncement = false
	}
}

// endLine skips the rest of a line.
func (a *embeddedReader) endLine() {
	if !a.line.hasRecord && !a.line.isBlank {
		a.followsOtherText = a.followsOtherText || !a.fence.isLog
		switch {
		case a.countsSkipped(), a.line.hasRejected:
			a.skipped.add()
			if a.line.hasRejected {
				a.skipped.cause = value.InCodeBlock
			}
		case a.fence.isOpen && !a.fence.isEdge:
			a.fence.skipped.add()
		}
	}
	a.line.isBegun = false
	a.cur.In.Discard()
}

// seekOnLine moves to the next place on the line where a record may begin, and
// reports whether there is one.
func (a *embeddedReader) seekOnLine() bool {
	in := &a.cur.In
	switch {
	case a.isLog && a.hasMarks:
		return a.skipMark()
	case a.isLog && !a.afterAnnouncement:
		return !a.line.searched && (a.beginSocketFrame() || a.beginLiteral()) || a.seekAfterPrefix()
	}
	for {
		c, ok := in.Peek()
		switch {
		case !ok:
			return false
		case c == '{':
			return atObject(a.cur)
		case c == '[', isListSeparator(c) && a.line.hasRecord:
			in.Skip(1)
			a.line.isBlank = a.line.isBlank || a.hasPreamble // it belongs to the records
		case isListSeparator(c) && a.hasPreamble:
			a.line.isBlank = true
			return false
		case c == '"' && a.skipName():
		default:
			a.followsOtherText = a.followsOtherText || a.line.hasRecord && value.IsLetter(c) && !a.line.isLogLine
			return a.seekAfterWords() || a.atRemnant()
		}
	}
}

// skipName skips the name of a member that is a record or a list of records, after a
// record of the same envelope, and reports whether there is one.
func (a *embeddedReader) skipName() bool {
	if a.line.searched || a.line.isLogLine || !a.line.hasRecord && a.followsOtherText {
		return false
	}
	in := &a.cur.In
	in.LineBound = false
	name := nameOfRecord().FindSubmatchIndex(in.Load(value.MaxWord))
	in.LineBound = true
	if name == nil {
		return false
	}
	in.Skip(name[2])
	return true
}

// nameOfRecord matches the name of a member that begins like a record, or like a list
// of records.
var nameOfRecord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^"[\w.-]+"\s*:\s*((?:\[\s*)?\{\s*"role")`)
})

// atRemnant reports whether the line, directly below a record, is a record that
// lacks its opening brace.
func (a *embeddedReader) atRemnant() bool {
	if a.followsOtherText || a.line.hasRecord || a.line.searched {
		return false
	}
	a.line.searched = true
	found := brokenObjectStart().FindIndex(a.cur.In.Load(maxLogPrefix))
	return found != nil && found[0] == 0
}

// seekAfterPrefix moves to the next object on a line of a log, or to the remnant of
// its only one.
func (a *embeddedReader) seekAfterPrefix() bool {
	in := &a.cur.In
	var member json.RawMessage
	if !a.line.searched {
		member = a.member()
	}
	if len(member) > 0 && member[0] == '"' {
		a.line.searched = true
		return false // text about records, such as a program
	}
	prefix, ok := skipPrefix(in)
	if !ok {
		prefix, ok = a.skipToWrapped()
	}
	a.prefix.setNext(prefix)
	a.sender = source.Undirected
	if !ok && !a.line.searched && member == nil {
		ok = skipTo(in, brokenObjectStart())
	}
	a.line.searched = true
	return ok
}

// member returns the value of the rest of the line if that is one member of an
// object, or nil.
func (a *embeddedReader) member() json.RawMessage {
	in := &a.cur.In
	if in.FollowedBy(0) != '"' {
		return nil
	}
	end, _, ok := in.LineFrom(0, int(a.cur.Options.MaxRecordBytes))
	if !ok {
		return nil
	}
	return memberOn(in.Unread()[:end])
}

// skipToWrapped skips the text before a record that begins at the end of the line
// and continues on the next ones, and returns it.
func (a *embeddedReader) skipToWrapped() (prefix []byte, ok bool) {
	start, end := a.wraps.record(a.cur, 0)
	prefix = bytes.Clone(a.cur.In.Unread()[:start])
	a.cur.In.Skip(start)
	return prefix, end > 0
}

// atObject reports whether an object begins here. Its first key may be on a later
// line, or may lack its first quote.
func atObject(cur *source.Cursor) bool {
	text := cur.In.Load(openingWindow)
	if source.OpensObject(text) || lacksQuote().Match(text) {
		return true
	}
	cur.In.LineBound = false
	opens := source.OpensObject(loadKey(&cur.In))
	cur.In.LineBound = true
	return opens
}

// isListSeparator reports whether c may be after a record in a list, or in an envelope
// in a list.
func isListSeparator(c byte) bool { return c == ',' || c == ']' || c == ';' || c == '}' }
