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
func (s segment) recoveryLimit() int {
	left := freeEffort + 4*s.Pos.Offset - s.recoveryBytes
	return int(max(nearSight, min(farSight, left/16)))
}

// faulty returns a record for an invalid element, and skips to where reading
// resumes: at an object before the fault, where the brackets of the element close,
// or at an object after that.
func (l *list) faulty(p RawValue, pointer string) *Record {
	r := l.segment
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
	case p.lacksBracket && l.members != nil && r.FollowedBy(end) == 0:
		return l.neverClosed(p, end)
	}
	rec := r.NewRecord(r.Rest()[:end:end], pointer, p.Result)
	r.Skip(end)
	return rec
}

// neverClosed reports that the list of an envelope lacks its closing bracket:
// the envelope's other members, which end at end, are at the place of an
// element.
func (l *list) neverClosed(p RawValue, end int) *Record {
	l.done = true
	p.Stop.Detail += ", or `]` before that"
	rec := l.NewGap(l.Rest()[:end:end], l.Pos, *p.Stop)
	return l.skipReported(rec, end)
}

// giveUp returns a record for an element whose end cannot be found.
func (l *list) giveUp(p RawValue, pointer string, sight int) *Record {
	in := l.Segment
	l.lost = true
	seen := in.Load(sight)
	data := lineWith(seen[:min(len(seen), p.Stop.End+contextBytes)], p.Stop.End)
	rec := l.NewRecord(input.TrimEnd(data, p.Stop.End), pointer, p.Result)
	in.Skip(max(p.Stop.End, value.PartialRune(seen)))
	return rec
}

// resumed returns a record for an element that was never closed: the next one
// starts at next. The reported fault may be after that; it is then replaced by
// one within the element.
func (l *list) resumed(p RawValue, pointer string, next int) *Record {
	r := l.segment
	data := value.TrimRight(r.Rest()[:next])
	comma := len(data) - 1
	switch {
	case p.Stop.Start <= comma:
		p.Stop.End = min(p.Stop.End, next)
		data = input.TrimEnd(data[:comma], p.Stop.End)
	case p.Stop.Token < comma && r.Rest()[p.Stop.Token] == '"':
		quote := value.Range{Start: p.Stop.Token, End: p.Stop.Token + 1}
		stop := value.Fault{Kind: value.InvalidJSON, Start: quote.Start, End: quote.End, Detail: "found a string that is never closed", Related: &quote}
		data, p.Stop = value.TrimRight(data[:comma]), &stop
	default:
		stop := value.Fault{Kind: value.InvalidJSON, Start: comma, End: comma + 1, Detail: "found the next record, expected this one to be closed first"}
		p.Stop = &stop
	}
	p.Faults = slices.DeleteFunc(p.Faults, func(f value.Fault) bool { return f.End > len(data) })
	rec := r.NewRecord(data[:len(data):len(data)], pointer, p.Result)
	r.Skip(next)
	l.afterValue, l.afterComma = false, true
	return rec
}

// balancedEnd returns the end of an element by its brackets alone. Ok reports that
// there is one, and the text after it can follow an element. Inside says that the
// opening bracket is missing.
func (s segment) balancedEnd(sight int, inside bool) (end int, ok bool) {
	b := value.BracketMatcher{Python: s.Scan.Python}
	if inside {
		b.StartInsideObject()
	}
	for {
		rest := s.Rest()
		data := rest[:min(len(rest), sight)]
		whole := s.Complete() && len(data) == len(rest)
		known := b.Feed(data)
		if b.IsClosed() {
			ok, known = afterElement(data[b.Size():], whole)
		}
		if known || s.Complete() || len(data) == sight {
			s.recoveryBytes += int64(b.Size())
			return b.Size(), ok
		}
		s.More()
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
func (s segment) nextObject(stop *value.Fault, upTo, sight int) (at int, ok bool) {
	budget := s.recoveryBytes + 4*int64(sight)
	for i := max(1, stop.Token); ; i++ {
		if i = s.Find('{', i, upTo); i < 0 {
			return 0, false
		}
		before := value.TrimRight(s.Rest()[:i])
		if before[len(before)-1] == ',' && s.isElement(i, sight, budget) {
			return i, true
		}
	}
}

// isElement reports whether a complete object starts at i and the text after it
// can follow an element. If sight bytes do not suffice to decide that, or the
// budget is exceeded, a plausible start suffices.
func (s segment) isElement(i, sight int, budget int64) bool {
	if s.recoveryBytes > budget {
		c := s.FollowedBy(i + 1)
		return c == '"' || c == '\'' && s.Scan.Python
	}
	for {
		data := s.Rest()
		whole := s.Complete() || len(data) == sight && !s.More()
		data = s.Rest()
		if len(data) > sight {
			data, whole = data[:sight], false
		}
		v := s.Scan.Check(data[i:])
		ok, known := false, true
		switch {
		case v.Stop == nil:
			ok, known = afterElement(data[i+v.End:], whole)
		case v.Stop.Truncated:
			known = whole
		}
		if known || len(data) == sight {
			s.recoveryBytes += int64(v.End)
			return ok || !known
		}
		s.Load(max(2*len(data), firstRetry))
	}
}

// resync skips, in bounded memory, to an object that can be the next element.
// It reports false if there is none in the segment.
func (l *list) resync() bool {
	in := l.Segment
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
	budget := freeEffort + 4*l.Pos.Offset
	if l.recoveryBytes > budget {
		return true
	}
	p := l.readValue()
	l.recoveryBytes += int64(p.End)
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
