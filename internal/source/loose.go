package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// looseRecord makes a record of a piece that is not bound to a line. Lost says
// that reading is to go on with seekLine.
func (r *Cursor) LooseRecord(p RawValue, column int) (rec *Record, lost bool, err error) {
	switch {
	case p.TooLarge:
		rec, closed := r.largeRecord(p, "", r.TooLarge())
		return rec, !closed, nil
	case p.Stop == nil:
		rec := r.NewRecord(r.In.Rest()[:p.End:p.End], "", p.Result)
		r.In.Skip(p.End)
		return rec, false, nil
	case p.Stop.HasEnd():
		rec, closed := r.largeRecord(p, "", *p.Stop)
		return rec, !closed, nil
	case p.Stop.Truncated:
		rec, err := r.cutOffRecord(p, "")
		return rec, false, err
	}
	return r.faultyLoose(p, column), true, nil
}

// faultyLoose makes a record that ends with the line on which it went wrong,
// or before that line if the next record begins there: then it was never
// closed.
func (r *Cursor) faultyLoose(p RawValue, column int) *Record {
	data := r.In.Rest()
	before := data[:p.Stop.Start]
	if line := bytes.LastIndexByte(before, '\n'); line >= 0 && p.Stop.Start < len(data) && BeginsValue(data[p.Stop.Start]) &&
		value.SpaceSize(before[line:]) == len(before)-line && len(before)-line == column {
		p.Stop = endOfRecord(data[:line], false)
		rec := r.NewRecord(data[:line:line], "", p.Result)
		r.In.Skip(line)
		return rec
	}
	data = lineWith(r.In.Load(p.Stop.End+contextBytes), p.Stop.End)
	rec := r.NewRecord(input.TrimBehind(data, p.Stop.End), "", p.Result)
	r.In.Skip(len(data))
	return rec
}

// lineWith cuts data at the end of the line that offset end stands on.
func lineWith(data []byte, end int) []byte {
	if end > 0 && data[end-1] == '\n' {
		return data[:end-1]
	}
	if i := bytes.IndexByte(data[end:], '\n'); i >= 0 {
		return data[:end+i]
	}
	return data[:value.PartialRune(data)]
}

// strayLoose reports text that stands between values. It returns nil for
// separators that are not the first.
func (r *Cursor) strayLoose() *Record {
	at := r.In.Pos
	end, detail := stray(r.In.Load(SettledBytes))
	data := r.In.Rest()[:end:end]
	r.In.Skip(end)
	if isSeparator(data[0]) {
		if r.strayed {
			return nil
		}
		r.strayed = true
	}
	return r.NewGap(data, at, value.Fault{Kind: value.InvalidJSON, End: end, Detail: detail})
}

// seekLine skips, in bounded memory, to a line whose first byte but white
// space opens a value and stands at the column, or to the end.
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

// abandon skips what is left of a document that went wrong, and that began at
// the column: to the end of its line, if it is bound to that, else to where
// the next one may begin.
func abandon(in *input.Input, column int) {
	if in.Bound {
		in.Discard()
	} else {
		seekLine(in, column)
	}
}

// beginsValue reports whether c opens an object or an array.
func BeginsValue(c byte) bool { return c == '{' || c == '[' }
