package source

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// How far recovery looks, in bytes. When bad elements are so many that
// looking for their ends has cost more than freeEffort and four times the
// input, it becomes short-sighted, so that the work stays in proportion.
const (
	farSight   = 1 << 20
	nearSight  = 256
	freeEffort = 64 << 20
)

// recoveryLimit returns how many bytes after a fault recovery may examine now.
func (cur *Cursor) recoveryLimit() int {
	left := freeEffort + 4*cur.In.Pos.Offset - cur.recoveryBytes
	return int(max(nearSight, min(farSight, left/16)))
}

// faulty returns a record for an invalid element, and skips to where reading
// resumes: at an object before the fault, where the brackets of the element close,
// or at an object after that.
func (l *list) faulty(p RawValue, pointer string) *Record {
	r := l.cur
	sight := p.Stop.End + r.recoveryLimit()
	next, resumes := r.nextObject(p.Stop, p.Stop.Start+1, sight)
	end, closes := 0, false
	if !resumes {
		end, closes = r.balancedEnd(sight, p.lacksBracket)
		closes = closes && end >= p.Stop.End
	}
	if !resumes && !closes {
		next, resumes = r.nextObject(p.Stop, sight, sight)
	}
	switch {
	case resumes:
		return l.resumed(p, pointer, next)
	case !closes:
		return l.giveUp(p, pointer, sight)
	case p.lacksBracket && l.members != nil && r.In.FollowedBy(end) == 0:
		return l.neverClosed(p, end)
	}
	rec := r.NewRecord(r.In.Rest()[:end:end], pointer, p.Result)
	r.In.Skip(end)
	return rec
}

// neverClosed reports that the list of an envelope lacks its closing bracket:
// the envelope's other members, which end at end, are at the place of an
// element.
func (l *list) neverClosed(p RawValue, end int) *Record {
	l.done = true
	p.Stop.Detail += ", or `]` before that"
	rec := l.cur.NewGap(l.cur.In.Rest()[:end:end], l.cur.In.Pos, *p.Stop)
	return l.skipReported(rec, end)
}

// giveUp returns a record for an element whose end cannot be found.
func (l *list) giveUp(p RawValue, pointer string, sight int) *Record {
	in := &l.cur.In
	l.lost = true
	seen := in.Load(sight)
	data := lineWith(seen[:min(len(seen), p.Stop.End+contextBytes)], p.Stop.End)
	rec := l.cur.NewRecord(input.TrimEnd(data, p.Stop.End), pointer, p.Result)
	in.Skip(max(p.Stop.End, value.PartialRune(seen)))
	return rec
}

// resumed returns a record for an element that was never closed: the next one
// starts at next. The reported fault may be after that; it is then replaced by
// one within the element.
func (l *list) resumed(p RawValue, pointer string, next int) *Record {
	r := l.cur
	data := value.TrimRight(r.In.Rest()[:next])
	comma := len(data) - 1
	switch {
	case p.Stop.Start <= comma:
		p.Stop.End = min(p.Stop.End, next)
		data = input.TrimEnd(data[:comma], p.Stop.End)
	case p.Stop.Token < comma && r.In.Rest()[p.Stop.Token] == '"':
		quote := value.Range{Start: p.Stop.Token, End: p.Stop.Token + 1}
		stop := value.Fault{Kind: value.InvalidJSON, Start: quote.Start, End: quote.End, Detail: "found a string that is never closed", Related: &quote}
		data, p.Stop = value.TrimRight(data[:comma]), &stop
	default:
		stop := value.Fault{Kind: value.InvalidJSON, Start: comma, End: comma + 1, Detail: "found the next record, expected this one to be closed first"}
		p.Stop = &stop
	}
	p.Faults = slices.DeleteFunc(p.Faults, func(f value.Fault) bool { return f.End > len(data) })
	rec := r.NewRecord(data[:len(data):len(data)], pointer, p.Result)
	r.In.Skip(next)
	l.afterValue, l.afterComma = false, true
	return rec
}

// balancedEnd returns the end of an element by its brackets alone. Ok reports that
// there is one, and the text after it can follow an element. Inside says that the
// opening bracket is missing.
func (cur *Cursor) balancedEnd(sight int, inside bool) (end int, ok bool) {
	b := value.BracketMatcher{Python: cur.Scan.Python}
	if inside {
		b.StartInsideObject()
	}
	for {
		rest := cur.In.Rest()
		data := rest[:min(len(rest), sight)]
		whole := cur.In.Complete() && len(data) == len(rest)
		known := b.Feed(data)
		if b.IsClosed() {
			ok, known = afterElement(data[b.Size():], whole)
		}
		if known || cur.In.Complete() || len(data) == sight {
			cur.recoveryBytes += int64(b.Size())
			return b.Size(), ok
		}
		cur.In.More()
	}
}

// nextObject returns the offset of an object before upTo that can only be the
// next element: a comma precedes it, it is complete, and the text after it can
// follow an element. It searches from the last valid token on, because that may
// be a string with a missing closing quote that contains the object.
//
// If the fault is an object in the element's last string, or at the place of a
// name, then a quote or a bracket is missing, and the object is certainly the
// next element. Elsewhere it may be part of the element.
func (cur *Cursor) nextObject(stop *value.Fault, upTo, sight int) (at int, ok bool) {
	budget := cur.recoveryBytes + 4*int64(sight)
	for i := max(1, stop.Token); ; i++ {
		if i = cur.In.Index('{', i, upTo); i < 0 {
			return 0, false
		}
		before := value.TrimRight(cur.In.Rest()[:i])
		if before[len(before)-1] == ',' && cur.isElement(i, sight, budget) {
			return i, true
		}
	}
}

// isElement reports whether a complete object starts at i and the text after it
// can follow an element. If sight bytes do not suffice to decide that, or the
// budget is exceeded, a plausible start suffices.
func (cur *Cursor) isElement(i, sight int, budget int64) bool {
	if cur.recoveryBytes > budget {
		c := cur.In.FollowedBy(i + 1)
		return c == '"' || c == '\'' && cur.Scan.Python
	}
	for {
		data := cur.In.Rest()
		whole := cur.In.Complete() || len(data) == sight && !cur.In.More()
		data = cur.In.Rest()
		if len(data) > sight {
			data, whole = data[:sight], false
		}
		v := cur.Scan.Check(data[i:])
		ok, known := false, true
		switch {
		case v.Stop == nil:
			ok, known = afterElement(data[i+v.End:], whole)
		case v.Stop.Truncated:
			known = whole
		}
		if known || len(data) == sight {
			cur.recoveryBytes += int64(v.End)
			return ok || !known
		}
		cur.In.Load(max(2*len(data), firstRetry))
	}
}

// resync skips, in bounded memory, to an object that can be the next element.
// It reports false if there is none in the segment.
func (l *list) resync() bool {
	in := &l.cur.In
	comma := false
	for {
		c, ok := in.Peek()
		if !ok {
			return false
		}
		if c == '{' && comma && l.startsWithObject() {
			l.lost, l.reported = false, false
			l.afterValue, l.afterComma = false, true
			return true
		}
		n := bytes.IndexAny(in.Rest(), ",{ \t\r\n")
		if n < 0 {
			n = value.PartialRune(in.Rest())
		}
		if n == 0 && c >= utf8.RuneSelf && in.More() {
			continue
		}
		comma = c == ','
		in.Skip(max(1, n))
	}
}

// startsWithObject reports whether the unread input starts with a complete
// object, or with one that is too large to decide.
func (l *list) startsWithObject() bool {
	budget := freeEffort + 4*l.cur.In.Pos.Offset
	if l.cur.recoveryBytes > budget {
		return true
	}
	p := l.cur.ScanValue()
	l.cur.recoveryBytes += int64(p.End)
	return p.TooLarge || p.Stop == nil || p.Stop.ExceedsLimit()
}

// afterElement reports whether text can follow an element of a list of objects: its
// end, or a comma and another object. That is unknown while more text may come.
func afterElement(text []byte, complete bool) (ok, known bool) {
	for _, set := range []string{",]", "{", `"'}`} {
		text = text[value.SpaceSize(text):]
		switch {
		case len(text) == 0:
			return complete, complete
		case strings.IndexByte(set, text[0]) < 0:
			return false, true
		case text[0] == ']':
			return true, true
		}
		text = text[1:]
	}
	return true, true
}
