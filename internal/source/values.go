package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// LooseRecord returns the record of a value that may continue on other lines.
// Column is that of its first line. If lost is set, the caller must resume with
// seekLine.
func (cur *Cursor) LooseRecord(p RawValue, column int) (rec *Record, lost bool, err error) {
	switch {
	case p.TooLarge:
		rec, closed := cur.largeRecord(p, "", cur.TooLarge())
		return rec, !closed, nil
	case p.Stop == nil:
		rec := cur.NewRecord(cur.In.Rest()[:p.End:p.End], "", p.Result)
		cur.In.Skip(p.End)
		return rec, false, nil
	case p.Stop.ExceedsLimit():
		rec, closed := cur.largeRecord(p, "", *p.Stop)
		return rec, !closed, nil
	case p.Stop.Truncated, cur.endsInString(p.Stop):
		rec, err := cur.truncatedRecord(p, "")
		return rec, false, err
	}
	return cur.brokenRecord(p, column), true, nil
}

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

// strayText reports text between values. It returns nil for separators after the
// first.
func (cur *Cursor) strayText() *Record {
	at := cur.In.Pos
	fault := stray(cur.In.Load(SettledBytes))
	data := cur.In.Rest()[:fault.End:fault.End]
	cur.In.Skip(fault.End)
	if isSeparator(data[0]) {
		if cur.separatorReported {
			return nil
		}
		cur.separatorReported = true
	}
	return cur.NewGap(data, at, fault)
}

// seekLine skips, in bounded memory, to the next line whose first byte after
// whitespace opens a value at the column, or to the end of the input.
func seekLine(in *input.Input, column int) {
	for {
		for in.LineEnd() < 0 {
			in.Skip(len(in.Unread()))
			if !in.Fetch() {
				return
			}
		}
		in.Skip(in.LineEnd() + 1)
		if c, ok := in.Peek(); !ok || BeginsValue(c) && in.Pos.Column == column {
			return
		}
	}
}

// skipDocument skips the rest of an invalid document that began at the column: to
// the end of its line if it must end there, else to the next line on which a
// document may begin.
func skipDocument(in *input.Input, column int) {
	if in.LineBound {
		in.Discard()
	} else {
		seekLine(in, column)
	}
}
