package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// recordOf returns the record of a value in the segment, whose first line begins at
// the column. If lost is set, the rest of the value is unread, or where it ends is
// unknown.
func (cur *Cursor) recordOf(p RawValue, pointer string, column int) (rec *Record, lost bool, err error) {
	switch {
	case p.TooLarge, p.Stop != nil && p.Stop.ExceedsLimit():
		rec, closed := cur.largeRecord(p, pointer)
		return rec, !closed, nil
	case p.Stop == nil:
		rec := cur.NewRecord(cur.In.Rest()[:p.End:p.End], pointer, p.Result)
		rec.asciiLine = p.IsASCII && p.End <= cur.In.Searched // no line feed
		cur.In.SkipTo(p.End, rec.advance(cur.In.Pos, 0, p.End))
		return rec, false, nil
	case p.Stop.Truncated, cur.endsInString(p.Stop):
		rec, err := cur.truncatedRecord(p, pointer)
		return rec, false, err
	}
	return cur.brokenRecord(p, column), true, nil
}

// lineRecord returns the record of a value with which the segment should end: an
// invalid one ends with the segment.
func (cur *Cursor) lineRecord(p RawValue) (*Record, error) {
	if p.Root != nil && p.Root.Kind != value.Object && p.Root.Kind != value.Array && cur.In.LineBound {
		cur.checkRemnant(&p)
	}
	rec, lost, err := cur.recordOf(p, "", 0)
	if lost {
		cur.discardAfter(rec)
	}
	return rec, err
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

// checkRemnant makes a value invalid that is not a record but the remnant of one: a
// string, a number or a word with more text after it on its line. That text is the
// fault.
func (cur *Cursor) checkRemnant(p *RawValue) {
	switch c := cur.In.FollowedBy(p.End); {
	case c == 0, BeginsValue(c) && beforeValue.Match(cur.LineAt(0)):
		p.Result = cur.Scan.Scan(cur.In.Rest()[:p.End], true) // looking ahead may have moved it
	case c == ':' && p.Root.Kind == value.String:
		p.Result = value.Result{Stop: cur.nameOutsideObject(p.End)}
	default:
		data := cur.In.Rest()
		at := p.End + value.SpaceSize(data[p.End:])
		fault := stray(cur.In.Load(at + SettledBytes)[at:])
		fault.Start, fault.End = at, at+fault.End
		p.Result = value.Result{Stop: &fault}
	}
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
	at := cur.In.Pos
	fault := stray(cur.In.Load(SettledBytes))
	data := cur.In.Rest()[:fault.End:fault.End]
	cur.In.Skip(fault.End)
	if !isSeparator(data[0]) {
		rec := cur.NewGap(data, at, fault)
		cur.discardAfter(rec)
		return rec
	}
	if cur.separatorReported {
		return nil
	}
	cur.separatorReported = true
	return cur.NewGap(data, at, fault)
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
func (cur *Cursor) brokenRecord(p RawValue, column int) *Record {
	data := cur.In.Rest()
	before := data[:p.Stop.Start]
	if line := bytes.LastIndexByte(before, '\n'); line >= 0 && p.Stop.Start < len(data) && BeginsValue(data[p.Stop.Start]) &&
		value.SpaceSize(before[line:]) == len(before)-line && len(before)-line == column {
		p.Stop = endOfRecord(data[:line], false)
		rec := cur.NewRecord(data[:line:line], "", p.Result)
		cur.In.Skip(line)
		return rec
	}
	data = lineWith(cur.In.Load(p.Stop.End+contextBytes), p.Stop.End)
	rec := cur.NewRecord(input.TrimEnd(data, p.Stop.End), "", p.Result)
	cur.In.Skip(len(data))
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

// seekLine skips, in bounded memory, to the next line whose first byte after
// whitespace opens a value at the column, or to the end of the input.
func seekLine(in *input.Input, column int) {
	for {
		in.SkipLine()
		if c, ok := in.Peek(); !ok || BeginsValue(c) && in.Pos.Column == column {
			return
		}
	}
}

// IsTruncated reports whether a record is valid up to its end, which comes too
// early. A stray line feed splits a record like that: all its lines are one
// finding.
func IsTruncated(rec *Record) bool {
	n := len(rec.Problems)
	return n > 0 && rec.Problems[n-1].Detail == value.NotClosed
}
