package source

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// How far recovery looks after a fault, in bytes.
const (
	farSight  = 64 << 10
	nearSight = 256
)

// isShortSighted reports whether invalid values are so many that looking for their ends
// has cost more than 64 MiB and four times the input. From then on it looks less far, so
// that the work stays in proportion.
func (cur *Cursor) isShortSighted() bool { return cur.recoveryBytes > 64<<20+4*cur.In.Pos.Offset }

// faulty returns a record for an invalid element, and skips to where reading
// resumes: at an object before the fault, where the brackets of the element close,
// or at an object after that. If none is near, resync searches for one.
func (l *list) faulty(p RawValue, pointer string) *Record {
	sight := farSight
	if l.isShortSighted() {
		sight = nearSight
	}
	near := l.Load(p.Stop.End + sight)
	next, resumes := l.nextObject(near, p.Stop, p.Stop.Start+1)
	end, closes := 0, false
	if !resumes {
		b := value.BracketMatcher{Python: l.Scan.Python}
		if p.lacksBracket {
			b.StartInsideObject()
		}
		b.Feed(near)
		end = b.Size()
		closes = b.IsClosed() && end >= p.Stop.End && canFollow(near[end:])
		l.recoveryBytes += int64(end)
	}
	if !resumes && !closes {
		next, resumes = l.nextObject(near, p.Stop, len(near))
	}
	switch {
	case resumes:
		return l.resumed(p, pointer, next)
	case !closes:
		l.state = lostPlace
		data := lineWith(near[:min(len(near), p.Stop.End+contextBytes)], p.Stop.End)
		rec := l.NewRecord(input.TrimEnd(data, p.Stop.End), pointer, p.Result)
		l.Skip(max(p.Stop.End, value.PartialRune(near)))
		return rec
	case p.lacksBracket && l.members != nil && l.FollowedBy(end) == 0:
		// The list of an envelope lacks its closing bracket: the envelope's other members
		// are at the place of an element.
		l.state = done
		p.Stop.Detail += ", or `]` before that"
		rec := l.NewGap(l.Rest()[:end:end], l.Pos, *p.Stop)
		return l.skipReported(rec, end)
	}
	rec := l.NewRecord(near[:end:end], pointer, p.Result)
	l.Skip(end)
	return rec
}

// resumed returns a record for an element that was never closed: the next one
// starts at next. The reported fault may be after that; it is then replaced by
// one within the element.
func (l *list) resumed(p RawValue, pointer string, next int) *Record {
	data := value.TrimRight(l.Rest()[:next])
	comma := len(data) - 1
	switch {
	case p.Stop.Start <= comma:
		p.Stop.End = min(p.Stop.End, next)
		data = input.TrimEnd(data[:comma], p.Stop.End)
	case p.Stop.Token < comma && l.Rest()[p.Stop.Token] == '"':
		quote := value.Range{Start: p.Stop.Token, End: p.Stop.Token + 1}
		stop := value.Fault{Kind: value.InvalidJSON, Start: quote.Start, End: quote.End, Detail: "found a string that is never closed", Related: &quote}
		data, p.Stop = value.TrimRight(data[:comma]), &stop
	default:
		stop := value.Fault{Kind: value.InvalidJSON, Start: comma, End: comma + 1, Detail: "found the next record, expected this one to be closed first"}
		p.Stop = &stop
	}
	p.Faults = slices.DeleteFunc(p.Faults, func(f value.Fault) bool { return f.End > len(data) })
	rec := l.NewRecord(data[:len(data):len(data)], pointer, p.Result)
	l.Skip(next)
	l.state = afterComma
	return rec
}

// nextObject returns the offset of an object before upTo that can only be the
// next element: a comma precedes it, it is complete, and the text after it can
// follow an element. It searches from the last valid token on, because that may
// be a string with a missing closing quote that contains the object.
//
// If the fault is an object in the element's last string, or at the place of a
// name, then a quote or a bracket is missing, and the object is certainly the
// next element. Elsewhere it may be part of the element.
func (l *list) nextObject(data []byte, stop *value.Fault, upTo int) (at int, ok bool) {
	for at = max(1, stop.Token); ; at++ {
		i := bytes.IndexByte(data[min(at, len(data)):min(len(data), upTo)], '{')
		if i < 0 {
			return 0, false
		}
		at += i
		if before := value.TrimRight(data[:at]); before[len(before)-1] != ',' {
			continue
		}
		v := l.Scan.Check(data[at:])
		l.recoveryBytes += int64(v.End)
		if v.Stop == nil && canFollow(data[at+v.End:]) {
			return at, true
		}
	}
}

// canFollow reports whether text can follow an element of a list of objects: its
// end, or a comma and another object. The text may end anywhere.
func canFollow(text []byte) bool {
	for _, set := range []string{",]", "{", `"'}`} {
		text = text[value.SpaceSize(text):]
		switch {
		case len(text) == 0, text[0] == ']' && set == ",]":
			return true
		case strings.IndexByte(set, text[0]) < 0:
			return false
		}
		text = text[1:]
	}
	return true
}

// resync skips, in bounded memory, to an object that can be the next element.
// It reports false if there is none in the segment.
func (l *list) resync() bool {
	for comma := false; ; {
		c, ok := l.Peek()
		if !ok {
			return false
		}
		if next := l.FollowedBy(1); c == '{' && comma && (next == '"' || next == '\'' || next == '}') {
			l.state, l.reported = afterComma, false
			return true
		}
		n := bytes.IndexAny(l.Rest(), ",{ \t\r\n")
		if n < 0 {
			n = value.PartialRune(l.Rest())
		}
		if n == 0 && c >= utf8.RuneSelf && l.More() {
			continue
		}
		comma = c == ','
		l.Skip(max(1, n))
	}
}
