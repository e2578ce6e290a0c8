package source

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source/value"
)

// sequence reads values one after another: JSON Lines, consecutive lists and
// envelopes, or a single text. A line may contain several values, and a value may
// take several lines. After something invalid, reading continues on the next line.
type sequence struct {
	segment          // that a value ends with: the line, or the input if there is only one
	only        bool // a single value, and nothing after it
	isDocuments bool // each value is a conversation: a list of records, an envelope, or one record
	bound       bool // a list ends with its line
	hasArrows   bool // each line is a frame after an arrow

	list       *list  // that is being read, or nil
	documents  int    // number of them so far
	begun      int64  // offset of the last one
	column     int    // of the first value on the line
	isLost     bool   // a value over several lines is invalid: the next one begins at column
	midLine    bool   // a record was read from this line, or text was skipped
	afterBlank bool   // the line above is empty
	truncated  bool   // the last record ended too early: what follows may be the rest of it
	inText     bool   // the last line was text without a record, and was reported: more of it belongs to it
	seen       int    // values and lines so far
	hasRecord  bool   // one of them is a record, or contains one: a list is not a conversation then
	reported   string // the signs after a record that were reported, for the first time; with a comma it may be a list without brackets
}

// DecisiveValues is how many values at the start of data must have a record among them.
// A line that begins no value counts as one.
const DecisiveValues = 16

// SingleRecord returns a reader of a text that contains one record.
func (cur *Cursor) SingleRecord() RecordReader { return &sequence{segment: cur.all(), only: true} }

func (s *sequence) Next() (*Record, error) {
	in := s.Segment
	for {
		if s.list != nil {
			if rec, err := s.list.Next(); rec != nil || err != nil {
				return rec, err
			}
			s.endList()
		}
		if s.isLost {
			s.seekLine()
			s.isLost, s.midLine = false, false
		}
		c, ok := in.Peek()
		isAfterList := s.documents > 0 && !s.bound
		switch {
		case !ok && !in.NextLine():
			if s.Options.Form == FormAuto && s.seen == 1 && s.Index == 1 && s.record.Wrapped {
				s.SetForm(FormJSON) // it is one object over several lines
			}
			return nil, in.End()
		case !ok:
			s.afterBlank = !s.midLine
			s.midLine, s.separatorReported = false, false
		case (c == '#' || c == '/') && s.skipsComment(c):
		case s.only && s.seen > 0:
			return s.afterOnly(), nil
		case s.hasArrows && !s.midLine:
			if rec, err := s.frame(c); rec != nil || err != nil {
				return rec, err
			}
		case s.truncated && !s.midLine && !BeginsValue(c):
			s.skipLine()
		case s.inText && !s.midLine && isForeignText(s.LineAt(0)):
			if rec := s.foreignLine(); rec != nil {
				return rec, nil
			}
		case strings.IndexByte(s.reported, c) >= 0 && (!s.midLine || !s.Options.EachSeparator), c == ']' && strings.Contains(s.reported, ","):
			in.Skip(1)
		case (s.midLine || isAfterList) && !BeginsValue(c) && !beforeValue.Match(s.LineAt(0)):
			if rec := s.strayOnLine(); rec != nil {
				s.isLost = isAfterList && !isSeparator(c)
				if c == ',' || c == ';' || c == ')' {
					s.reported += string(c)
				}
				return rec, nil
			}
		default:
			if rec, err := s.value(c); rec != nil || err != nil {
				return rec, err
			}
		}
	}
}

// foreignLine returns a line of a text that was reported, as long as such lines show what
// the input is; later it skips the line and returns nil.
func (s *sequence) foreignLine() *Record {
	if s.seen >= DecisiveValues {
		s.skipLine()
		return nil
	}
	s.seen++
	s.midLine = true
	line := s.Load(contextBytes)
	rec := s.NewGap(bytes.Clone(line[:value.PartialRune(line)]), s.Pos)
	s.Discard()
	return rec
}

// value reads a value, which begins with c. It returns nil, nil for a list, which
// s.list reads.
func (s *sequence) value(c byte) (rec *Record, err error) {
	if !s.midLine {
		s.column = s.Pos.Column
	}
	s.midLine = true
	if s.mayBeginDocuments(c) {
		s.isDocuments, s.bound = (&detector{s.Cursor}).documents(c)
	}
	if s.isDocuments {
		if gap := s.beginDocument(c); s.list != nil {
			s.seen++
			return gap, nil
		}
	}
	p := s.readValue()
	isWrapped := p.Stop != nil && s.takesLines(c, &p)
	if isWrapped {
		rec, s.isLost, err = s.all().recordOf(p, "", s.column)
	} else {
		rec, err = s.lineRecord(p)
	}
	if err != nil {
		return nil, err
	}
	s.seen++
	s.hasRecord = s.hasRecord || s.isRecord(rec.Root)
	rec.Wrapped = isWrapped
	rec.AfterBlankLine, s.afterBlank = s.afterBlank, false
	s.truncated = len(rec.Problems) > 0 && IsTruncated(rec)
	s.inText = rec.Root == nil && len(rec.Problems) > 0 && isForeignText(rec.Data)
	if !s.only && !s.isLost && s.SkipBlankLine() {
		s.midLine, s.separatorReported = false, false
	}
	return rec, nil
}

// mayBeginDocuments reports whether a list or an envelope follows values of which none is a
// record, such as the lines that a program prints before it: it is a conversation then, as
// at the start of the input.
func (s *sequence) mayBeginDocuments(c byte) bool {
	if s.isDocuments || s.only || s.hasRecord || s.seen == 0 || s.In.IsNested {
		return false
	}
	return c == '[' && isListStart(s.LineAt(0)) || c == '{' && (&detector{s.Cursor}).isEnvelope()
}

// isListStart reports whether a line begins a list of objects.
func isListStart(line []byte) bool {
	at := 1 + value.SpaceSize(line[1:])
	return at < len(line) && line[at] == '{'
}

// isRecord reports whether a value is a record, or an object around one.
func (s *sequence) isRecord(root *value.Node) bool {
	if root == nil || root.Kind != value.Object {
		return false
	}
	if meaning := s.Options.Meaning(root); meaning != Foreign {
		return true
	}
	_, count := Inner(root, s.Options.Meaning)
	return count > 0
}

// beginDocument begins a conversation, which has a number if there may be several, and to
// read a list or an envelope, if one is there. It returns a gap with the problems before
// the list of an envelope, or nil.
func (s *sequence) beginDocument(c byte) (gap *Record) {
	if s.bound || s.documents > 0 || s.seen > 0 {
		s.Conversation = s.documents
	}
	s.Index = 0
	s.documents++
	s.begun = s.Pos.Offset
	in := s.segment
	if !s.bound {
		in = s.all()
	}
	switch c {
	case '[':
		s.Skip(1)
		s.list = newList(in, "")
	case '{':
		if head := in.findList(0, IsListName); head != nil {
			s.hasEnvelope = true
			s.list, gap = in.newEnvelope(head)
		}
	}
	return gap
}

// endList goes on after the list.
func (s *sequence) endList() {
	switch {
	case !s.list.unfinished:
	case s.only || s.bound:
		s.Discard()
	default:
		s.isLost = true
	}
	s.list = nil
}

// takesLines reports whether an object that is not closed on its line is closed on one
// of the next, as jq and pprint print one, or continues there at least.
func (s *sequence) takesLines(c byte, p *RawValue) bool {
	newline := s.LineEnd()
	if s.only || c != '{' || p.TooLarge || !p.Stop.Truncated || newline < 0 {
		return false
	}
	*p = s.all().readValue()
	if p.Stop == nil && !p.TooLarge || s.continuesAfter(newline) {
		return true
	}
	*p = s.readValue() // looking ahead may have moved it
	return false
}

// continuesAfter reports whether the unread value, which its first line does not close,
// continues after the line feed there: the next line continues it validly, and is not a
// record by itself.
func (cur *Cursor) continuesAfter(newline int) bool {
	if v := cur.Scan.Check(cur.In.Unread()[:newline+1]); v.Stop == nil || !v.Stop.Truncated {
		return false
	}
	at, found := cur.In.NextAfter(newline)
	if !found {
		return false
	}
	next := cur.In.Unread()[at]
	if len(value.TrimRight(cur.In.Unread()[:newline])) == 1 && next != '{' {
		return true // no record is a bracket alone
	}
	if v := cur.Scan.Check(cur.In.Unread()[:at+1]); v.Stop == nil || !v.Stop.Truncated {
		return v.Stop == nil
	}
	if next != '{' {
		return true
	}
	line := cur.LineAt(at)
	v := cur.Scan.Check(line)
	return v.Stop != nil || len(value.TrimRight(line[v.End:])) > 0
}

// afterOnly reports what follows the only allowed value.
func (s *sequence) afterOnly() *Record {
	in := s.Segment
	rest := in.Load(contextBytes)
	rest = rest[:max(1, value.PartialRune(rest))] // a partial character at the end of the input is all there is
	end, found := value.Describe(rest, 0)
	if in.IsNested {
		end = len(rest)
	}
	rec := s.NewGap(rest, in.Pos, value.Fault{
		Kind: value.InvalidJSON, End: end, Detail: "found " + found + " after the JSON text, expected nothing after it",
	})
	s.discardAfter(rec)
	return rec
}

// seekLine skips, in bounded memory, to the next line whose first byte after whitespace
// opens a value where the lost one began, or to an empty line or the end of the input.
func (s *sequence) seekLine() {
	in := s.Segment
	if s.isDocuments {
		in = s.In.All()
	}
	for {
		in.SkipLine()
		if c, ok := in.Peek(); !ok || BeginsValue(c) && in.Pos.Column == s.column {
			return
		}
	}
}

// skipLine skips a line.
func (s *sequence) skipLine() {
	s.Discard()
	s.midLine = true
}

// beforeValue matches a value that is not an object where another one follows on its
// line: both are values of the sequence.
var beforeValue = regexp.MustCompile(`^(-?[0-9][0-9.eE+-]*|true|false|null|"[^"\\]*")[ \t]+[{\[]`)

// isForeignText reports whether a line can neither begin nor continue a record: it is
// prose, program code, or what a program prints. The rest of a broken record has a key
// or a closing brace, unless words precede it.
func isForeignText(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return false
	}
	switch line[0] {
	case '{', '}', ']', ',', ':':
		return false
	case '[':
		next := bytes.TrimSpace(line[1:])
		return len(next) > 0 && bytes.IndexByte([]byte(`{["'}]`), next[0]) < 0
	}
	end := bytes.TrimRight(line, ",]; \t")
	return len(end) > 0 && (bytes.IndexByte(line, ' ') > 0 && line[0] != '"' && line[0] != '\'' || end[len(end)-1] != '}' && !keyEnd.Match(line))
}

// keyEnd matches the end of the name of a member.
var keyEnd = regexp.MustCompile(`["'][ \t\r\n]*:`)

// BeginsValue reports whether c opens an object or an array.
func BeginsValue(c byte) bool { return c == '{' || c == '[' }

// A connection as wscat prints it (github.com/websockets/wscat) is a sequence of frames: a
// line each, after `>` if it was sent and `<` if it was received.

var (
	// arrowFrame matches the start of a line with a frame.
	arrowFrame = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[<>] ?\{[ \t]*["'}]`) })
	// arrowStatus matches the lines that wscat prints between frames, and its prompt.
	arrowStatus = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:Connected \(press CTRL\+C to quit\)|Disconnected \(code: \d+.*|>?)\s*$`)
	})
)

// detectArrows detects such an input: its first line, after those of the status, is a
// frame.
func (d *detector) detectArrows() RecordReader {
	if d.Options.Form != FormAuto && d.Options.Form != FormSessionLog || d.In.IsNested {
		return nil
	}
	if c, _ := d.all().Peek(); BeginsValue(c) {
		return nil
	}
	for i, found := 0, true; found && i < SniffWindow; {
		line := d.LineAt(i)
		isFrame := arrowFrame().Match(line)
		if !isFrame && !arrowStatus().Match(line) {
			return nil
		}
		i, found = d.In.NextAfter(i + len(line))
		switch {
		case isFrame && found && BeginsValue(d.In.Unread()[i]): // an arrow is before the first of several records
			return nil
		case isFrame:
			d.Form = FormSessionLog
			return &sequence{segment: d.line(), hasArrows: true}
		}
	}
	return nil
}

// frame reads the line of a frame, which begins with c. It returns nil, nil for a line
// without one.
func (s *sequence) frame(c byte) (*Record, error) {
	direction := directionWords[string(c)]
	switch {
	case arrowStatus().Match(s.LineAt(0)):
		s.Discard()
		return nil, nil
	case direction == Undirected:
		line := s.Load(contextBytes)
		end, _ := value.Describe(line, 0)
		rec := s.NewRecord(value.TrimRight(line), "", value.Result{Stop: &value.Fault{
			Kind: InvalidForm, End: end, Detail: "found no direction before the frame, expected `>` or `<`",
		}})
		s.discardAfter(rec)
		return rec, nil
	}
	s.Skip(1)
	c, ok := s.Peek()
	if !ok {
		return nil, nil
	}
	rec, err := s.value(c)
	if rec != nil {
		rec.Direction = direction
	}
	return rec, err
}
