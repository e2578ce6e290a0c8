package source

import (
	"bytes"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/value"
)

// nextObject looks for an object that can only be the next element: a comma
// stands before it, it is whole, and what follows can follow an element. It
// begins to look at the last good token, because that may be a string which
// has swallowed the object, and ends before upTo.
//
// Where an element went wrong because an object stands in its last string, or
// where a name should, a quote or a bracket is missing, and the object is the
// next element for certain. Elsewhere it may as well be part of the element.
func (r *Cursor) nextObject(stop *value.Fault, upTo, sight int) (at int, ok bool) {
	budget := r.effort + 4*int64(sight)
	for i := max(1, stop.Token); ; i++ {
		if i = r.In.Index('{', i, upTo); i < 0 {
			return 0, false
		}
		before := value.TrimRight(r.In.Rest()[:i])
		if before[len(before)-1] == ',' && r.isElement(i, sight, budget) {
			return i, true
		}
	}
}

// isElement reports whether an object begins at i that is whole, and that is
// followed as an element is. Where that is not to be seen in sight, or too
// much was tried, a good beginning will do.
func (r *Cursor) isElement(i, sight int, budget int64) bool {
	if r.effort > budget {
		c := r.In.FollowedBy(i + 1)
		return c == '"' || c == '\'' && r.Scan.Python
	}
	for {
		data := r.In.Rest()
		whole := r.In.Complete() || len(data) == sight && !r.In.More()
		data = r.In.Rest()
		if len(data) > sight {
			data, whole = data[:sight], false
		}
		v := r.Scan.Check(data[i:])
		follows := unlikely
		switch {
		case v.Stop == nil:
			follows = afterElement(data[i+v.End:], whole)
		case v.Stop.Truncated && !whole:
			follows = unknown
		}
		if follows != unknown || len(data) == sight {
			r.effort += int64(v.End)
			return follows != unlikely
		}
		r.In.Load(max(2*len(data), firstRetry))
	}
}

// find skips, in bounded memory, to an object that can be the next element.
// It reports false if there is none in the stretch.
func (a *array) find() bool {
	in := &a.r.In
	comma := false
	for {
		c, ok := in.Peek()
		if !ok {
			return false
		}
		if c == '{' && comma && a.begins() {
			a.lost, a.quiet = false, false
			a.afterValue, a.afterComma = false, true
			return true
		}
		n := plainRun(in.Rest())
		if n == 0 && c >= utf8.RuneSelf && in.More() {
			continue
		}
		comma = c == ','
		in.Skip(max(1, n))
	}
}

// begins reports whether the unread input begins with a whole object, or with
// one that is too large to tell.
func (a *array) begins() bool {
	budget := freeEffort + 4*a.r.In.Pos.Offset
	if a.r.effort > budget {
		return true
	}
	p := a.r.Cut()
	a.r.effort += int64(p.End)
	return p.TooLarge || p.Stop == nil || p.Stop.HasEnd()
}

// plainRun counts the bytes that text begins with and that recovery has no
// use for. It ends where a code point does.
func plainRun(text []byte) int {
	i := bytes.IndexAny(text, ",{ \t\r\n")
	if i < 0 {
		i = value.PartialRune(text)
	}
	return i
}
