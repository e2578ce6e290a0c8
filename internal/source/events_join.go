package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// dataLines are the data lines of one event, from the value at the start of
// the unread input on.
type dataLines struct {
	r       *Reader
	text    []byte // joined by line feeds
	end     int    // of the last line, in the unread input
	next    int    // the line behind it
	count   int
	limit   int
	checked int // bytes of text that were last looked at whole
}

// join reads a value that goes on in the next data lines of its event. It
// reports false if there are none that the value goes on in.
func (e *events) join() (*Record, bool) {
	d := &dataLines{r: e.r, limit: int(e.r.options.MaxRecordBytes)}
	if !d.gather() {
		return nil, false
	}
	in := &e.r.in
	if len(d.text) > d.limit {
		return e.tooLong(d), true
	}
	inner := e.r.inside(d.origin(), e.r.form)
	inner.inner.scan.Python, inner.inner.in.comments = e.r.scan.Python, e.r.scan.Python
	inner.inner.mode = &lines{r: inner.inner, alone: true}
	inner.inner.in.within = !in.blankBehind(d.end)
	in.skip(d.end)
	e.joined = inner
	return e.fromJoined(), true
}

// fromJoined is the next record of a value over several lines.
func (e *events) fromJoined() *Record {
	rec := e.joined.next()
	if rec != nil && rec.isLost() {
		e.skip = true
	}
	return rec
}

// tooLong makes a record of a value whose lines together are too large.
func (e *events) tooLong(d *dataLines) *Record {
	first := d.r.in.rest()
	first = first[:max(1, value.RuneStart(first, int(min(prefixBytes, int64(d.limit)))))]
	stop := d.r.tooLarge()
	d.r.kept = append(d.r.kept[:0], first...)
	rec := d.r.newRecord(d.r.kept, "", value.Result{Stop: &stop})
	d.r.in.skip(d.end)
	e.skip = true
	return rec
}

// origin is where the text stands in the input.
func (d *dataLines) origin() *sourceMap {
	in := &d.r.in
	if d.r.origin != nil {
		from := int(in.pos.Offset)
		return d.r.origin.inner(d.text, from, from+d.end, eventUnits)
	}
	return newOrigin(d.text, bytes.Clone(in.unread()[:d.end]), in.pos, eventUnits)
}

// gather collects lines until the value is closed. It reports false if it is
// no longer than its first line.
func (d *dataLines) gather() bool {
	b := value.BracketMatcher{Python: d.r.scan.Python}
	from, ok := 0, true
	for ok && !b.Closed && !b.Broken && !b.InString && len(d.text) <= d.limit {
		if ok = d.add(from); ok {
			b.Feed(d.text)
			from, ok = d.more()
		}
	}
	return d.count > 1
}

// add takes the line whose value begins at from, unless it is a record by
// itself and the text cannot go on with it.
func (d *dataLines) add(from int) bool {
	end, next, ok := d.r.in.lineFrom(from, d.limit)
	if !ok {
		return false
	}
	line := d.r.in.unread()[from:end]
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
		end, next, ok := d.r.in.lineFrom(at, d.limit)
		if !ok || at == len(d.r.in.unread()) {
			return 0, false
		}
		switch f, value := fieldOf(d.r.in.unread()[at:end]); f {
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
	if v := d.r.scan.Check(line); v.Stop != nil || len(value.TrimRight(line[v.End:])) > 0 {
		return false
	}
	d.checked = len(d.text)
	both := append(append(d.text[:len(d.text):len(d.text)], '\n'), line...)
	v := d.r.scan.Check(both)
	return v.Stop != nil && !v.Stop.Truncated
}
