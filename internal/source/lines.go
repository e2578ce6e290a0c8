package source

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// lines reads JSON Lines: a sequence of values, usually one per line. A line may
// contain several, and a value may take several lines. After something invalid,
// reading continues on the next line.
type lines struct {
	cur         *Cursor
	column      int    // of the first value on the line
	isLost      bool   // a value over several lines is invalid: the next one begins at column
	midLine     bool   // a record was read from this line, or text was skipped
	afterBlank  bool   // the line above is empty
	isWholeText bool   // the text contains one record: what is on its other lines belongs to it
	isFrame     bool   // the text is a frame: one JSON text, and nothing after it
	truncated   bool   // the last record ended too early: what follows may be the rest of it
	inText      bool   // the last line was text without a record, and was reported: more of it belongs to it
	seen        int    // records and lines so far, up to [DecisiveValues]
	reported    string // the signs after a record that were reported, for the first time; with a comma it may be a list without brackets
}

// DecisiveValues is how many values at the start of data must have a record among them.
// A line that begins no value counts as one.
const DecisiveValues = 16

func newLines(cur *Cursor) *lines {
	cur.In.LineBound = true
	cur.SetForm(FormJSONL)
	return &lines{cur: cur, afterBlank: cur.In.Pos.Line > 1}
}

// Frame returns a reader of a frame, which is one JSON text.
func (cur *Cursor) Frame() RecordReader { return &lines{cur: cur, isWholeText: true, isFrame: true} }

// secondValue returns a gap for a value after that of a frame.
func (l *lines) secondValue() *Record {
	l.seen++
	rest := l.cur.In.Load(contextBytes)
	text := bytes.Clone(rest[:value.PartialRune(rest)])
	rec := l.cur.NewGap(text, l.cur.In.Pos, value.Fault{
		Kind: value.InvalidJSON, End: len(text), Detail: "found a second value in the frame, expected one JSON text",
	})
	l.cur.In.Discard()
	return rec
}

// SingleRecord returns a reader of a text that contains one record.
func (cur *Cursor) SingleRecord() RecordReader { return &lines{cur: cur, isWholeText: true} }

func (l *lines) Next() (*Record, error) {
	if l.isLost {
		seekLine(&l.cur.In, l.column)
		l.isLost, l.midLine = false, false
	}
	for {
		c, ok := l.cur.In.Peek()
		switch {
		case !ok && !l.cur.In.NextLine():
			l.settleForm()
			return nil, l.cur.In.End()
		case !ok:
			l.afterBlank = !l.midLine
			l.midLine, l.cur.separatorReported = false, false
		case l.cur.skipsComment():
		case l.truncated && !l.midLine && !BeginsValue(c):
			l.midLine = true
			l.cur.In.Discard()
		case l.inText && !l.midLine && isForeignText(l.cur.LineAt(0)):
			l.midLine = true
			if l.seen < DecisiveValues {
				return l.foreignLine(), nil
			}
			l.cur.In.Discard()
		case strings.IndexByte(l.reported, c) >= 0, c == ']' && strings.Contains(l.reported, ","):
			l.cur.In.Skip(1)
		case l.midLine && !BeginsValue(c) && !beforeValue.Match(l.cur.LineAt(0)):
			if rec := l.cur.strayOnLine(); rec != nil {
				if c == ',' || c == ';' || c == ')' {
					l.reported += string(c)
				}
				return rec, nil
			}
		case l.isFrame && l.seen > 1:
			l.cur.In.Discard()
		case l.isFrame && l.seen > 0:
			l.midLine = true
			return l.secondValue(), nil
		default:
			if !l.midLine {
				l.column = l.cur.In.Pos.Column
			}
			l.midLine = true
			rec, err := l.value()
			if err == nil {
				l.afterRecord(rec)
			}
			return rec, err
		}
	}
}

// beforeValue matches a value that is not an object where another one follows on its
// line: both are values of the sequence.
var beforeValue = regexp.MustCompile(`^(-?[0-9][0-9.eE+-]*|true|false|null|"[^"\\]*")[ \t]+[{\[]`)

// afterRecord updates the state after a record.
func (l *lines) afterRecord(rec *Record) {
	l.seen++
	rec.AfterBlankLine, l.afterBlank = l.afterBlank, false
	l.truncated = IsTruncated(rec)
	l.inText = rec.Root == nil && len(rec.Problems) > 0 && isForeignText(rec.Data)
}

// foreignLine returns a gap for a line of text that belongs to the one before, which
// was reported.
func (l *lines) foreignLine() *Record {
	l.seen++
	line := l.cur.In.Load(contextBytes)
	rec := l.cur.NewGap(bytes.Clone(line[:value.PartialRune(line)]), l.cur.In.Pos)
	l.cur.In.Discard()
	return rec
}

// IsTruncated reports whether a record is valid up to its end, which comes too
// early. A stray line feed splits a record like that: all its lines are one
// finding.
func IsTruncated(rec *Record) bool {
	n := len(rec.Problems)
	return n > 0 && rec.Problems[n-1].Detail == value.NotClosed
}

func (l *lines) value() (*Record, error) {
	p := l.cur.ScanValue()
	if l.isWholeText {
		return l.cur.LineRecord(p)
	}
	if p.Stop != nil && p.Stop.Truncated && !p.TooLarge {
		if rec, err := l.overLines(); rec != nil || err != nil {
			return rec, err
		}
		p = l.cur.ScanValue() // overLines may have moved the buffer
	}
	if l.cur.beginsWithEnvelope(p) {
		return l.cur.wholeDocuments(p)
	}
	rec, err := l.cur.LineRecord(p)
	if l.cur.In.SkipBlankLine() {
		l.midLine, l.cur.separatorReported = false, false
	}
	return rec, err
}

// LineRecord returns the record of a value on a line. An invalid record ends with
// its line.
func (cur *Cursor) LineRecord(p RawValue) (*Record, error) {
	switch {
	case p.TooLarge:
		rec, _ := cur.largeRecord(p, "", cur.TooLarge())
		cur.In.Discard()
		return rec, nil
	case p.Stop == nil && !cur.isRemnant(&p):
		rec := cur.NewRecord(cur.In.Rest()[:p.End:p.End], "", p.Result)
		rec.asciiLine = p.IsASCII && cur.In.HasNoLineFeed(p.End)
		cur.In.SkipTo(p.End, rec.advance(cur.In.Pos, 0, p.End))
		return rec, nil
	case p.Stop.Truncated:
		return cur.truncatedRecord(p, "")
	}
	data := cur.In.Load(p.Stop.End + contextBytes)
	rec := cur.NewRecord(input.TrimEnd(data, p.Stop.End), "", p.Result)
	cur.discardAfter(rec)
	return rec, nil
}

// discardAfter skips the rest of the segment after a record. It copies the
// record's data if reading on would overwrite it.
func (cur *Cursor) discardAfter(rec *Record) {
	if !cur.In.Complete() {
		cur.keptData = append(cur.keptData[:0], rec.Data...)
		rec.Data = cur.keptData
	}
	cur.In.Discard()
}

// overLines returns the record of an object that is not closed on its line, but on one
// of the next, as jq and pprint print one. It may be invalid there. It returns nil for
// a line that lacks its end.
func (l *lines) overLines() (*Record, error) {
	in := &l.cur.In
	newline := in.LineEnd()
	if c, _ := in.Peek(); c != '{' || newline < 0 {
		return nil, nil
	}
	in.LineBound = false
	p := l.cur.ScanValue()
	if l.cur.beginsWithEnvelope(p) {
		return l.cur.wholeDocuments(p)
	}
	defer func() { in.LineBound = true }()
	if (p.TooLarge || p.Stop != nil) && !l.cur.continuesAfter(newline) {
		return nil, nil
	}
	rec, lost, err := l.cur.LooseRecord(p, l.column)
	l.isLost = lost
	if rec != nil {
		rec.Wrapped = true
	}
	return rec, err
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

// settleForm makes an input of one object over several lines FormJSON.
func (l *lines) settleForm() {
	if l.cur.Options.Form == FormAuto && l.seen == 1 && l.cur.Index == 1 && l.cur.record.Wrapped {
		l.cur.SetForm(FormJSON)
	}
}

// isRemnant reports whether a value is not a record but the remnant of one: a
// string, a number or a word with more text after it on its line. It sets the
// fault to that text.
func (cur *Cursor) isRemnant(p *RawValue) bool {
	if p.Root.Kind == value.Object || p.Root.Kind == value.Array {
		return false
	}
	switch c := cur.In.FollowedBy(p.End); {
	case c == 0, BeginsValue(c) && beforeValue.Match(cur.LineAt(0)):
		p.Result = cur.Scan.Scan(cur.In.Rest()[:p.End], true) // looking ahead may have moved it
		return false
	case c == ':' && p.Root.Kind == value.String:
		p.Result = value.Result{Stop: cur.nameOutsideObject(p.End)}
	default:
		data := cur.In.Rest()
		at := p.End + value.SpaceSize(data[p.End:])
		fault := stray(cur.In.Load(at + SettledBytes)[at:])
		fault.Start, fault.End = at, at+fault.End
		p.Result = value.Result{Stop: &fault}
	}
	return true
}

// truncatedRecord returns the record of a value that is valid up to the end of the
// segment, which is inside the value. The problem is TruncatedRecord if the input
// ends there, too.
func (cur *Cursor) truncatedRecord(p RawValue, pointer string) (*Record, error) {
	if err := cur.In.Failure(); err != nil {
		return nil, err
	}
	last := cur.In.IsBlankAfter(len(cur.In.Rest()))
	data := value.TrimRight(cur.In.Rest())
	token := p.Stop.Token
	p.Stop = endOfRecord(data, last)
	if p.Stop.Kind == value.InvalidJSON || bytes.HasSuffix(data, []byte("}")) {
		p.Stop.Related = openString(data, token)
	}
	rec := cur.NewRecord(data, pointer, p.Result)
	cur.In.Skip(len(cur.In.Rest()))
	return rec, nil
}

// endsInString reports whether a fault is the line break after a string that is
// not closed, and the input ends there.
func (cur *Cursor) endsInString(stop *value.Fault) bool {
	data := cur.In.Rest()
	return stop.Start == stop.End && stop.Start < len(data) && (data[stop.Start] == '\n' || data[stop.Start] == '\r') && cur.In.IsBlankAfter(stop.Start)
}

// openString returns the opening quote of the string that starts at the last token
// of a truncated record, or nil if the string is closed.
func openString(data []byte, token int) *value.Range {
	if token >= len(data) || data[token] != '"' && data[token] != '\'' {
		return nil
	}
	for i := token + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case data[token]:
			return nil
		}
	}
	return &value.Range{Start: token, End: token + 1}
}

// endOfRecord returns the fault of a record that ends too early. Last is set if
// the input ends there.
func endOfRecord(data []byte, last bool) *value.Fault {
	if last {
		return &value.Fault{Kind: TruncatedRecord, Start: len(data), End: len(data), Detail: value.InputEnds}
	}
	if i := value.PartialRune(data); i < len(data) {
		return &value.Fault{Kind: value.InvalidUTF8, Start: i, End: i + 1, Detail: value.NotUTF8(data[i])}
	}
	return &value.Fault{Kind: value.InvalidJSON, Start: len(data), End: len(data), Detail: value.NotClosed}
}

// SetTruncated changes the problem of a record for which IsTruncated holds to
// TruncatedRecord: the input ends there.
func (r *Record) SetTruncated() {
	p := &r.Problems[len(r.Problems)-1]
	p.Kind, p.Detail = TruncatedRecord, value.InputEnds
}

// strayOnLine reports text after a record on its line. It returns nil for
// separators after the first: they are one mistake.
func (cur *Cursor) strayOnLine() *Record {
	rec := cur.strayText()
	if rec != nil && !isSeparator(rec.Data[0]) {
		cur.discardAfter(rec)
	}
	return rec
}

// stray returns the fault of the text after a record, which begins at the text.
func stray(text []byte) value.Fault {
	fault := value.Fault{Kind: value.InvalidJSON}
	for fault.End < min(len(text), value.MaxWord) && isSeparator(text[fault.End]) {
		fault.End++
	}
	if fault.End == 0 {
		fault.End, fault.Detail = value.Describe(text, 0)
		fault.Detail = "found " + fault.Detail + " after a record, expected a new line; the rest of the line is not read"
		return fault
	}
	fault.Detail = "found " + value.Quote(text[:fault.End]) + " after a record, expected a new line"
	if text[0] == ',' {
		fault.Cause = value.CommaAfter
	}
	return fault
}

// isSeparator reports whether c separates or closes values, so that a record may
// follow a stray one.
func isSeparator(c byte) bool { return c == ',' || c == '}' || c == ']' || c == ':' || c == ';' }

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
	return len(end) > 0 && (bytes.IndexByte(line, ' ') > 0 && line[0] != '"' && line[0] != '\'' || end[len(end)-1] != '}' && !hasKey(line))
}

// hasKey reports whether text has a quote before a colon, as after the name of a
// member.
func hasKey(text []byte) bool {
	for i, c := range text {
		if c == ':' {
			if before := value.TrimRight(text[:i]); len(before) > 0 && (before[len(before)-1] == '"' || before[len(before)-1] == '\'') {
				return true
			}
		}
	}
	return false
}

// BeginsValue reports whether c opens an object or an array.
func BeginsValue(c byte) bool { return c == '{' || c == '[' }
