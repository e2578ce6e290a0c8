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
	end, good := r.balancedEnd(sight, p.inside)
	if end < p.stop.end {
		end, good = 0, false
	}
	next, resumes := 0, false
	if !good {
		next, resumes = r.nextObject(p.stop, sight)
	}
	switch {
	case resumes:
		return a.resumed(p, pointer, next)
	case end == 0:
		return a.giveUp(p, pointer, sight)
	case p.inside && a.inEnvelope && r.in.followedBy(end) == 0:
		return a.neverClosed(p, end)
	}
	return a.bracketed(p, pointer, end)
}

// neverClosed reports that the list of an envelope lacks its closing bracket:
// the envelope's other members, which end at end, stand where an element
// should.
func (a *array) neverClosed(p piece, end int) *Record {
	a.done = true
	p.stop.detail += ", or `]` before that"
	rec := a.r.newBetween(a.r.in.rest()[:end:end], a.r.in.pos, *p.stop)
	return a.passOver(rec, end)
}

// bracketed makes a record of an element that ends where its brackets say.
func (a *array) bracketed(p piece, pointer string, end int) *Record {
	rec := a.r.newRecord(a.r.in.rest()[:end:end], pointer, p.verdict)
	a.r.in.skip(end)
	return rec
}

// giveUp makes a record of an element of which the end is not to be seen.
func (a *array) giveUp(p piece, pointer string, sight int) *Record {
	in := &a.r.in
	a.lost = true
	seen := in.load(sight)
	data := lineWith(seen[:min(len(seen), p.stop.end+contextBytes)], p.stop.end)
	rec := a.r.newRecord(trimBehind(data, p.stop.end), pointer, p.verdict)
	in.skip(max(p.stop.end, partialRune(seen)))
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

// balancedEnd looks for the end of an element by its brackets alone. It is
// good if what follows can follow an element; else it is the first end that a
// separator follows, or 0. A string without its closing quote is tried as well
// as one that holds a line break. Inside says that the opening bracket is
// missing.
func (r *Reader) balancedEnd(sight int, inside bool) (end int, good bool) {
	ways := [...]*balance{{}, {lines: true}}
	if inside {
		for _, b := range ways {
			b.begun, b.open = true, []byte{'}'}
		}
	}
	for {
		rest := r.in.rest()
		data := rest[:min(len(rest), sight)]
		done := true
		for _, b := range ways {
			done = b.feed(data) && done
		}
		complete := r.in.complete() && len(data) == len(rest)
		end, good, waits := firstEnd(ways[:], data, complete)
		if good || r.in.complete() || len(data) == sight || done && !waits {
			r.effort += int64(len(ways) * len(data))
			return end, good
		}
		r.in.more()
	}
}

// firstEnd chooses between ends. Waits says that what follows one has not
// arrived.
func firstEnd(ways []*balance, data []byte, complete bool) (end int, good, waits bool) {
	for _, b := range ways {
		if !b.closed {
			continue
		}
		switch follows := afterElement(data[b.seen:], complete); {
		case follows == unknown:
			waits = true
		case follows == certain && (!good || b.seen < end):
			end, good = b.seen, true
		case follows == possible && end == 0:
			end = b.seen
		}
	}
	return end, good, waits
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
	return afterElement(data[v.end:], true) >= possible
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
