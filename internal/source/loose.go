package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// looseRecord makes a record of a piece that is not bound to a line. Lost says
// that reading is to go on with seekLine.
func (r *Reader) looseRecord(p rawValue, column int) (rec *Record, lost bool, err error) {
	switch {
	case p.tooLarge:
		rec, closed := r.largeRecord(p, "", r.tooLarge())
		return rec, !closed, nil
	case p.Stop == nil:
		rec := r.newRecord(r.in.rest()[:p.End:p.End], "", p.Result)
		r.in.skip(p.End)
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
func (r *Reader) faultyLoose(p rawValue, column int) *Record {
	data := r.in.rest()
	before := data[:p.Stop.Start]
	if line := bytes.LastIndexByte(before, '\n'); line >= 0 && p.Stop.Start < len(data) && beginsValue(data[p.Stop.Start]) &&
		value.SpaceSize(before[line:]) == len(before)-line && len(before)-line == column {
		p.Stop = endOfRecord(data[:line], false)
		rec := r.newRecord(data[:line:line], "", p.Result)
		r.in.skip(line)
		return rec
	}
	data = lineWith(r.in.load(p.Stop.End+contextBytes), p.Stop.End)
	rec := r.newRecord(trimBehind(data, p.Stop.End), "", p.Result)
	r.in.skip(len(data))
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
func (r *Reader) strayLoose() *Record {
	at := r.in.pos
	end, detail := stray(r.in.load(settledBytes))
	data := r.in.rest()[:end:end]
	r.in.skip(end)
	if isSeparator(data[0]) {
		if r.strayed {
			return nil
		}
		r.strayed = true
	}
	return r.newBetween(data, at, value.Fault{Kind: value.InvalidJSON, End: end, Detail: detail})
}

// seekLine skips, in bounded memory, to a line whose first byte but white
// space opens a value and stands at the column, or to the end.
func (in *input) seekLine(column int) {
	for {
		for in.lineEnd() < 0 {
			in.skip(len(in.unread()))
			if !in.fetch() {
				return
			}
		}
		in.skip(in.lineEnd() + 1)
		if c, ok := in.peek(); !ok || beginsValue(c) && in.pos.Column == column {
			return
		}
	}
}

// abandon skips what is left of a document that went wrong, and that began at
// the column: to the end of its line, if it is bound to that, else to where
// the next one may begin.
func (in *input) abandon(column int) {
	if in.bound {
		in.discard()
	} else {
		in.seekLine(column)
	}
}

// beginsValue reports whether c opens an object or an array.
func beginsValue(c byte) bool { return c == '{' || c == '[' }
