package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// dataLines are the data lines of one event, from the value at the start of
// the unread input on.
type dataLines struct {
	cur     *Cursor
	text    []byte // joined by line feeds
	end     int    // of the last line, in the unread input
	next    int    // the line after it
	count   int
	limit   int
	checked int // bytes of text that were last looked at whole
}

// join reads a value that continues in the next data lines of its event. It
// reports false if there are none that the value continues in.
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
		inner.ReadPython(e.cur.Scan.Python)
		inner.In.IsNested = !in.IsBlankAfter(d.end)
		return inner.SingleRecord()
	})
	in.Skip(d.end)
	e.joined = joined
	return e.fromJoined(), true
}

// fromJoined is the next record of a value over several lines.
func (e *events) fromJoined() *Record {
	rec := e.joined.Next()
	if rec != nil && rec.IsLost() {
		e.skip = true
	}
	return rec
}

// tooLong makes a record of a value whose lines together are too large.
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

// origin is where the text is in the input.
func (d *dataLines) origin() *TextMap {
	in := &d.cur.In
	if d.cur.Origin != nil {
		from := int(in.Pos.Offset)
		return d.cur.Origin.Inner(d.text, from, from+d.end, eventUnits)
	}
	return NewTextMap(d.text, bytes.Clone(in.Unread()[:d.end]), in.Pos, eventUnits)
}

// gather collects lines until the value is closed. It reports false if it is
// no longer than its first line.
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

// add takes the line whose value begins at from, unless it is a record by
// itself and the text cannot resume with it.
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

// more finds the value of the event's next data line.
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

// isNext reports whether a line is rather the next record than a part of the
// one that the text has begun. What has grown to less than twice the size
// since it was last looked at is not looked at again.
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
