package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// recordOf returns the record of a value in the segment, whose first line begins at
// the column. If lost is set, the rest of the value is unread, or where it ends is
// unknown.
func (s segment) recordOf(p RawValue, pointer string, column int) (rec *Record, lost bool, err error) {
	switch {
	case p.TooLarge, p.Stop != nil && p.Stop.ExceedsLimit():
		rec, closed := s.largeRecord(p, pointer)
		return rec, !closed, nil
	case p.Stop == nil:
		rec := s.NewRecord(s.Rest()[:p.End:p.End], pointer, p.Result)
		rec.asciiLine = p.IsASCII && p.End <= s.Searched // no line feed
		s.SkipTo(p.End, rec.advance(s.Pos, 0, p.End))
		return rec, false, nil
	case p.Stop.Truncated, s.EndsInString(p.Stop):
		rec, err := s.truncatedRecord(p, pointer)
		return rec, false, err
	}
	return s.brokenRecord(p, column), true, nil
}

// lineRecord returns the record of a value with which the segment should end: an
// invalid one ends with the segment.
func (s segment) lineRecord(p RawValue) (*Record, error) {
	if p.Root != nil && p.Root.Kind != value.Object && p.Root.Kind != value.Array && s.IsLine {
		s.checkRemnant(&p)
	}
	rec, lost, err := s.recordOf(p, "", 0)
	if lost {
		s.discardAfter(rec)
	}
	return rec, err
}

// discardAfter skips the rest of the segment after a record. It copies the
// record's data if reading on would overwrite it.
func (s segment) discardAfter(rec *Record) {
	if !s.Complete() {
		rec.Data = bytes.Clone(rec.Data)
	}
	s.Discard()
}

// checkRemnant makes a value invalid that is not a record but the remnant of one: a
// string, a number or a word with more text after it on its line. That text is the
// fault.
func (s segment) checkRemnant(p *RawValue) {
	switch c := s.FollowedBy(p.End); {
	case c == 0, BeginsValue(c) && beforeValue.Match(s.LineAt(0)):
		p.Result = s.Scan.Scan(s.Rest()[:p.End], true) // looking ahead may have moved it
	case c == ':' && p.Root.Kind == value.String:
		p.Result = value.Result{Stop: s.nameOutsideObject(p.End)}
	default:
		data := s.Rest()
		at := p.End + value.SpaceSize(data[p.End:])
		fault := stray(s.loadOnLine(at, settledBytes)[at:])
		fault.Start, fault.End = at, at+fault.End
		p.Result = value.Result{Stop: &fault}
	}
}

// truncatedRecord returns the record of a value that is valid up to the end of the
// segment, which is inside the value. The problem is TruncatedRecord if the input
// ends there, too.
func (s segment) truncatedRecord(p RawValue, pointer string) (*Record, error) {
	if err := s.Failure(); err != nil {
		return nil, err
	}
	last := s.IsBlankAfter(len(s.Rest()))
	data := value.TrimRight(s.Rest())
	quote := p.Stop.Related
	p.Stop = endOfRecord(data, last)
	if p.Stop.Kind == value.InvalidJSON || bytes.HasSuffix(data, []byte("}")) {
		p.Stop.Related = quote
	}
	rec := s.NewRecord(data, pointer, p.Result)
	s.Skip(len(s.Rest()))
	return rec, nil
}

// EndsInString reports whether the fault of the value that the unread text begins with is
// the line break after a string that is not closed, and the input ends there.
func (cur *Cursor) EndsInString(stop *value.Fault) bool {
	data := cur.In.Unread()
	return stop.Start == stop.End && stop.Start < len(data) && (data[stop.Start] == '\n' || data[stop.Start] == '\r') && cur.In.IsBlankAfter(stop.Start)
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

// strayOnLine reports text after a record on its line. It returns nil for
// separators after the first: they are one mistake, unless each is to be removed.
func (s segment) strayOnLine() *Record {
	at := s.Pos
	fault := stray(s.loadOnLine(0, settledBytes))
	data := s.Rest()[:fault.End:fault.End]
	s.Skip(fault.End)
	if !isSeparator(data[0]) {
		rec := s.NewGap(data, at, fault)
		s.discardAfter(rec)
		return rec
	}
	if s.separatorReported && !s.Options.EachSeparator {
		return nil
	}
	s.separatorReported = true
	return s.NewGap(data, at, fault)
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

// brokenRecord returns an invalid record. It ends with the line of its fault, or
// before that line if the next record begins there.
func (s segment) brokenRecord(p RawValue, column int) *Record {
	data := s.Rest()
	before := data[:p.Stop.Start]
	if line := bytes.LastIndexByte(before, '\n'); line >= 0 && p.Stop.Start < len(data) && BeginsValue(data[p.Stop.Start]) &&
		value.SpaceSize(before[line:]) == len(before)-line && len(before)-line == column {
		p.Stop = endOfRecord(data[:line], false)
		rec := s.NewRecord(data[:line:line], "", p.Result)
		s.Skip(line)
		return rec
	}
	data = lineWith(s.loadOnLine(p.Stop.End, contextBytes), p.Stop.End)
	rec := s.NewRecord(input.TrimEnd(data, p.Stop.End), "", p.Result)
	s.Skip(len(data))
	return rec
}

// lineWith returns data up to the end of the line that contains the offset end.
func lineWith(data []byte, end int) []byte {
	if end > 0 && data[end-1] == '\n' {
		return data[:end-1]
	}
	if i := bytes.IndexByte(data[end:], '\n'); i >= 0 {
		return data[:end+i]
	}
	return data[:value.PartialRune(data)]
}

// IsTruncated reports whether a record is valid up to its end, which comes too
// early. A stray line feed splits a record like that: all its lines are one
// finding.
func IsTruncated(rec *Record) bool {
	n := len(rec.Problems)
	return n > 0 && rec.Problems[n-1].Detail == value.NotClosed
}
