package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// dataLines collects the data lines of one event from the unread value on, to
// join a value that spans several lines.
type dataLines struct {
	cur     *Cursor
	text    []byte // the values of the lines, joined by line feeds
	end     int    // unread offset of the end of the last line
	next    int    // unread offset of the line after it
	count   int    // number of lines
	limit   int    // Options.MaxRecordBytes
	checked int    // bytes of text that were last looked at whole
}

// join starts reading a value that spans several data lines, and returns its
// first record. It returns false if the value does not continue on the next
// data line.
func (e *events) join() (*Record, bool) {
	d := &dataLines{cur: e.cur, limit: int(e.cur.Options.MaxRecordBytes)}
	if !d.gather() {
		return nil, false
	}
	in := &e.cur.In
	if len(d.text) > d.limit {
		return e.tooLong(d), true
	}
	joined := e.cur.Nest(d.origin(), e.cur.Form, func(inner *Cursor) RecordReader {
		inner.language = e.cur.language
		inner.Scan.Python = e.cur.Scan.Python
		inner.In.IsNested = !in.IsBlankAfter(d.end)
		return inner.SingleRecord()
	})
	in.Skip(d.end)
	e.joined = joined
	return e.fromJoined(), true
}

// fromJoined returns the next record of a value that spans several lines.
func (e *events) fromJoined() *Record {
	rec := e.joined.Next()
	if rec != nil && rec.IsLost() {
		e.skip = true
	}
	return rec
}

// tooLong returns a record for a value whose lines exceed the limit together.
func (e *events) tooLong(d *dataLines) *Record {
	first := d.cur.In.Rest()
	first = first[:max(1, value.RuneStart(first, int(min(PrefixBytes, int64(d.limit)))))]
	stop := d.cur.TooLarge()
	d.cur.keptData = append(d.cur.keptData[:0], first...)
	rec := d.cur.NewRecord(d.cur.keptData, "", value.Result{Stop: &stop})
	d.cur.In.Skip(d.end)
	e.skip = true
	return rec
}

// origin returns the map from the joined text to the input.
func (d *dataLines) origin() *TextMap {
	in := &d.cur.In
	var o *TextMap
	if d.cur.Origin != nil {
		from := int(in.Pos.Offset)
		o = d.cur.Origin.Inner(d.text, from, from+d.end, eventUnits)
	} else {
		o = NewTextMap(d.text, bytes.Clone(in.Unread()[:d.end]), in.Pos, eventUnits)
	}
	o.encode = asDataLine
	return o
}

// gather collects lines until the value is closed. It returns false if that
// needs the first line only.
func (d *dataLines) gather() bool {
	b := value.BracketMatcher{Python: d.cur.Scan.Python}
	from, ok := 0, true
	for ok && !b.IsClosed() && !b.IsBroken() && !b.InString() && len(d.text) <= d.limit {
		if ok = d.add(from); ok {
			b.Feed(d.text)
			from, ok = d.more()
		}
	}
	return d.count > 1
}

// add appends the line whose value starts at the unread offset from. It returns
// false for a line that is a record by itself and does not continue the text.
func (d *dataLines) add(from int) bool {
	end, next, ok := d.cur.In.LineFrom(from, d.limit)
	if !ok {
		return false
	}
	line := d.cur.In.Unread()[from:end]
	if d.count > 0 {
		if d.isNext(line) {
			return false
		}
		d.text = append(d.text, '\n')
	}
	d.text = append(d.text, line...)
	d.end, d.next = end, next
	d.count++
	return true
}

// more returns the unread offset of the value of the event's next data line.
func (d *dataLines) more() (from int, found bool) {
	for at := d.next; ; {
		end, next, ok := d.cur.In.LineFrom(at, d.limit)
		if !ok || at == len(d.cur.In.Unread()) {
			return 0, false
		}
		switch f, value := fieldOf(d.cur.In.Unread()[at:end]); f {
		case noField:
			return 0, false
		case dataField:
			return at + value, true
		}
		if at = next; at > 2*d.limit+contextBytes {
			return 0, false
		}
	}
}

// isNext reports whether a line is the next record instead of a continuation of
// the text. To keep the total cost linear, it assumes a continuation until the
// text has doubled since the last check.
func (d *dataLines) isNext(line []byte) bool {
	if len(line) == 0 || line[0] != '{' || d.count > 4 && len(d.text) < 2*d.checked {
		return false
	}
	if v := d.cur.Scan.Check(line); v.Stop != nil || len(value.TrimRight(line[v.End:])) > 0 {
		return false
	}
	d.checked = len(d.text)
	both := append(append(d.text[:len(d.text):len(d.text)], '\n'), line...)
	v := d.cur.Scan.Check(both)
	return v.Stop != nil && !v.Stop.Truncated
}
