package source

import (
	"bytes"
	"unicode/utf8"
)

// How far recovery looks, in bytes. When bad elements are so many that
// looking for their ends has cost more than freeEffort and four times the
// input, it becomes short-sighted, so that the work stays in proportion.
const (
	farSight   = 1 << 20
	nearSight  = 256
	freeEffort = 64 << 20
)

// sight is how far behind a fault recovery may look now.
func (r *Reader) sight() int {
	left := freeEffort + 4*r.in.pos.Offset - r.effort
	return int(max(nearSight, min(farSight, left/16)))
}

// faulty makes a record of an element that is no JSON, and finds where to go
// on.
func (a *array) faulty(p piece, pointer string) *Record {
	r := a.r
	sight := p.stop.end + r.sight()
	if end, ok := r.balancedEnd(sight, r.in.rest()[0] == '"'); ok && end >= p.stop.end {
		rec := r.newRecord(r.in.rest()[:end:end], pointer, p.verdict)
		r.in.skip(end)
		return rec
	}
	if next, ok := r.nextObject(p.stop, sight); ok {
		return a.resumed(p, pointer, next)
	}
	a.lost = true
	seen := r.in.load(sight)
	data := lineWith(seen[:min(len(seen), p.stop.end+contextBytes)], p.stop.end)
	rec := r.newRecord(trimBehind(data, p.stop.end), pointer, p.verdict)
	r.in.skip(max(p.stop.end, partialRune(seen)))
	return rec
}

// resumed makes a record of an element that was never closed, because the
// next one begins at next. What was taken for wrong may stand behind that.
func (a *array) resumed(p piece, pointer string, next int) *Record {
	r := a.r
	data := trimRight(r.in.rest()[:next])
	comma := len(data) - 1
	switch {
	case p.stop.start <= comma:
		p.stop.end = min(p.stop.end, next)
		data = trimBehind(data[:comma], p.stop.end)
	case p.stop.token < comma && r.in.rest()[p.stop.token] == '"':
		stop := fault{kind: InvalidJSON, start: p.stop.token, end: p.stop.token + 1, detail: "found a string that is never closed"}
		data, p.stop = trimRight(data[:comma]), &stop
	default:
		stop := fault{kind: InvalidJSON, start: comma, end: comma + 1, detail: "found the next record, expected this one to be closed first"}
		p.stop = &stop
	}
	p.faults = faultsBefore(p.faults, len(data))
	rec := r.newRecord(data[:len(data):len(data)], pointer, p.verdict)
	r.in.skip(next)
	a.afterValue, a.afterComma = false, true
	return rec
}

func faultsBefore(faults []fault, end int) []fault {
	for i := range faults {
		if faults[i].end > end {
			return faults[:i]
		}
	}
	return faults
}

// balancedEnd looks for the end of an element by its brackets alone. The end
// counts only if a separator follows. A string without its closing quote is
// tried as well as one that holds a line break. Inside says that the opening
// bracket is missing.
func (r *Reader) balancedEnd(sight int, inside bool) (end int, ok bool) {
	ways := [...]*balance{{}, {lines: true}}
	if inside {
		for _, b := range ways {
			b.begun, b.open = true, []byte{'}'}
		}
	}
	for {
		rest := r.in.rest()
		data := rest[:min(len(rest), sight)]
		full := r.in.complete() || len(data) == sight
		undecided := false
		for _, b := range ways {
			if !b.feed(data) {
				undecided = true
			}
		}
		end, waits := firstEnd(ways[:], data, r.in.complete() && len(data) == len(rest))
		if end > 0 || full || !undecided && !waits {
			r.effort += int64(len(ways) * len(data))
			return end, end > 0
		}
		r.in.more()
	}
}

// firstEnd returns the first end that a separator follows, or 0. Waits says
// that what follows an end has not arrived.
func firstEnd(ways []*balance, data []byte, complete bool) (end int, waits bool) {
	for _, b := range ways {
		if !b.closed || end > 0 && b.seen >= end {
			continue
		}
		i := b.seen + countSpace(data[b.seen:])
		switch {
		case i == len(data) && !complete:
			waits = true
		case i == len(data) || data[i] == ',' || data[i] == ']':
			end = b.seen
		}
	}
	return end, waits
}

// nextObject looks for an object that can only be the next element: a comma
// stands before it, it is whole, and a separator follows.
func (r *Reader) nextObject(stop *fault, sight int) (at int, ok bool) {
	data := r.in.load(sight)
	complete := r.in.complete() && len(data) == len(r.in.rest())
	budget := r.effort + 4*int64(sight)
	for i := max(1, stop.token); i < len(data); i++ {
		j := bytes.IndexByte(data[i:], '{')
		if j < 0 {
			break
		}
		i += j
		if before := trimRight(data[:i]); before[len(before)-1] != ',' {
			continue
		}
		if r.isElement(data[i:], complete, budget) {
			return i, true
		}
	}
	return 0, false
}

// isElement reports whether data begins with an object that a separator
// follows. Where the data ends too early, or too much was tried, a good
// beginning will do.
func (r *Reader) isElement(data []byte, complete bool, budget int64) bool {
	if r.effort > budget {
		inside := bytes.TrimLeft(data[1:], " \t\r\n")
		return len(inside) > 0 && inside[0] == '"'
	}
	v := r.scan.check(data)
	r.effort += int64(v.end)
	if v.stop != nil {
		return v.stop.cutOff && !complete
	}
	rest := data[v.end:]
	rest = rest[countSpace(rest):]
	return len(rest) == 0 || rest[0] == ',' || rest[0] == ']'
}

// find skips, in bounded memory, to an object that can be the next element.
// It reports false if there is none in the stretch.
func (a *array) find() bool {
	in := &a.r.in
	comma := false
	for {
		c, ok := in.peek()
		if !ok {
			return false
		}
		if c == '{' && comma && a.begins() {
			a.lost, a.quiet = false, false
			a.afterValue, a.afterComma = false, true
			return true
		}
		n := plainRun(in.rest())
		if n == 0 && c >= utf8.RuneSelf && in.more() {
			continue
		}
		comma = c == ','
		in.skip(max(1, n))
	}
}

// begins reports whether the unread input begins with a whole object, or with
// one that is too large to tell.
func (a *array) begins() bool {
	budget := freeEffort + 4*a.r.in.pos.Offset
	if a.r.effort > budget {
		return true
	}
	p := a.r.cut()
	a.r.effort += int64(p.end)
	return p.tooLarge || p.stop == nil || p.stop.passable()
}

// plainRun counts the bytes that text begins with and that recovery has no
// use for. It ends where a code point does.
func plainRun(text []byte) int {
	i := bytes.IndexAny(text, ",{ \t\r\n")
	if i < 0 {
		i = partialRune(text)
	}
	return i
}
