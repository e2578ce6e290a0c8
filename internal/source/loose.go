package source

import "bytes"

// looseRecord makes a record of a piece that is not bound to a line. Lost says
// that reading is to go on with seekLine.
func (r *Reader) looseRecord(p rawValue, column int) (rec *Record, lost bool, err error) {
	switch {
	case p.tooLarge:
		rec, closed := r.largeRecord(p, "", r.tooLarge())
		return rec, !closed, nil
	case p.stop == nil:
		rec := r.newRecord(r.in.rest()[:p.end:p.end], "", p.verdict)
		r.in.skip(p.end)
		return rec, false, nil
	case p.stop.passable():
		rec, closed := r.largeRecord(p, "", *p.stop)
		return rec, !closed, nil
	case p.stop.cutOff:
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
	before := data[:p.stop.start]
	if line := bytes.LastIndexByte(before, '\n'); line >= 0 && p.stop.start < len(data) && beginsValue(data[p.stop.start]) &&
		countSpace(before[line:]) == len(before)-line && len(before)-line == column {
		p.stop = endOfRecord(data[:line], false)
		rec := r.newRecord(data[:line:line], "", p.verdict)
		r.in.skip(line)
		return rec
	}
	data = lineWith(r.in.load(p.stop.end+contextBytes), p.stop.end)
	rec := r.newRecord(trimBehind(data, p.stop.end), "", p.verdict)
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
	return data[:partialRune(data)]
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
	return r.newBetween(data, at, fault{kind: InvalidJSON, end: end, detail: detail})
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
