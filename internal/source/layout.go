package source

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Layout is how a record stands in its input, byte for byte, but for one
// value that may differ: a string, or a positive whole number. A line that
// begins as the layout does, goes on with some such value, and ends as the
// layout does is as sound a record as the one that the layout was taken from.
type Template struct {
	head    []byte     // up to the value, with a string's opening quote; or the whole record
	tail    []byte     // from behind the value, with a string's closing quote
	between []byte     // what stands between the values of two lines: the tail, a line feed, and the head
	open    value.Kind // String or Number; 0 if nothing may differ
	base64  bool       // the value is expected to be base64, and long
	long    bool       // or to be another long string
	python  bool       // a Python literal
	flat    bool       // what it fixes is ASCII on one line

	record  []byte   // that the layout was taken from
	members *members // of it; nil if nothing but their order can be had
}

// Hole is where a line holds the value that its layout leaves open, a string
// without its quotes. Offsets are bytes from the line's start.
type Placeholder struct {
	From, To int
	Base64   int // so many bytes of a string, from its first, are known to be base64 characters
	holeMarks
}

// holeMarks are apart from the rest of a [Hole] because one of more than four
// fields would not be kept in registers.
type holeMarks struct {
	Escaped  bool // it holds escapes
	Wide     bool // it may hold characters beyond ASCII
	Shuffled bool // the members come in another order than the layout has
}

// NewLayout takes the layout of a record with one of its values left open;
// with none if n is nil. It keeps the record's data. N is a string or a number.
func NewLayout(r *Record, n *value.Node) Template {
	l := Template{head: r.Data, python: r.Python, record: r.Data, members: membersOf(r.Data, r.Root, n)}
	if n != nil {
		l.head, l.tail = r.Data[:n.Start+n.QuoteSize()], r.Data[n.End-n.QuoteSize():]
		l.between = slices.Concat(l.tail, []byte{'\n'}, l.head)
		l.open, l.base64 = n.Kind, !r.Python && looksBase64(n.RawContent())
		l.long = len(n.Raw()) > value.SetBytes
	}
	l.flat = isFlat(l.head) && isFlat(l.tail)
	return l
}

// isFlat reports whether text is ASCII on one line, so that it has as many
// columns as bytes.
func isFlat(text []byte) bool {
	for _, c := range text {
		if c == '\n' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Equal reports whether two layouts are the same, but for the order of members.
func (l *Template) Equal(other *Template) bool {
	if l.python != other.python || l.open != other.open {
		return false
	}
	return l.isSame(other) || l.members != nil && l.members.equal(other.members)
}

// Reorders reports whether two layouts differ in the order of their members
// alone.
func (l *Template) DiffersInKeyOrder(other *Template) bool { return !l.isSame(other) && l.Equal(other) }

func (l *Template) isSame(other *Template) bool {
	return bytes.Equal(l.head, other.head) && bytes.Equal(l.tail, other.tail)
}

// Size is how many bytes the layout fixes.
func (l *Template) Size() int { return len(l.head) + len(l.tail) }

// Match finds out whether text begins with a record of the layout, and how
// many bytes that has. It returns 0 where it is not certain: where a string is
// not UTF-8 or holds a control character, also as an escape, or half a
// surrogate pair, and where a number has over nine digits. Cut says that text
// ends within the string.
func (l *Template) Match(text []byte) (hole Placeholder, size int, cut bool) {
	if !bytes.HasPrefix(text, l.head) {
		return hole, 0, false
	}
	if l.open == 0 {
		return hole, len(l.head), false
	}
	hole, ok := l.fill(text, len(l.head))
	return l.close(text, hole, ok)
}

// close looks whether what stands behind a hole is as the layout has it.
func (l *Template) close(text []byte, hole Placeholder, ok bool) (_ Placeholder, size int, cut bool) {
	if !ok || !bytes.HasPrefix(text[hole.To:], l.tail) {
		return hole, 0, !ok && hole.To == len(text)
	}
	return hole, hole.To + len(l.tail), false
}

// MatchShuffled is Match for a record whose members may come in any order.
func (l *Template) MatchAnyOrder(text []byte) (hole Placeholder, size int, cut bool) {
	if l.members == nil {
		return l.Match(text)
	}
	return l.matchMembers(text, hole)
}

// matchMembers is MatchShuffled for a text of whose hole something was seen
// when it was shorter.
func (l *Template) matchMembers(text []byte, hole Placeholder) (_ Placeholder, size int, cut bool) {
	end, shuffled := l.members.match(l, text, 0, &hole)
	if end < 0 {
		hole.Shuffled = true // as far as anybody knows
		return hole, 0, hole.From > 0 && hole.To == len(text)
	}
	hole.Shuffled = shuffled
	return hole, end, false
}

// MatchLine is Match for a record that is alone on its line. Size counts the
// line feed.
func (l *Template) MatchLine(text []byte) (hole Placeholder, size int) {
	hole, end, _ := l.Match(text)
	if end == 0 {
		return hole, 0
	}
	behind := LineEnd(text[end:])
	if behind == 0 {
		return hole, 0
	}
	return hole, end + behind
}

// LineEnd is how many bytes of a line's end text begins with, 0 if it does not.
func LineEnd(text []byte) int {
	switch {
	case len(text) > 0 && text[0] == '\n':
		return 1
	case len(text) > 1 && text[0] == '\r' && text[1] == '\n':
		return 2
	}
	return 0
}

// fill finds the value that stands in the hole. Of a string that text ends
// within it says that it goes up to there.
func (l *Template) fill(text []byte, from int) (hole Placeholder, ok bool) {
	switch {
	case l.open == value.Number:
		to := skipCount(text, from)
		return Placeholder{From: from, To: to}, to > from
	case l.python:
		hole.From, hole.Wide = from, true
		hole.To, hole.Escaped, ok = value.SkipPythonText(text, from, text[from-1])
		return hole, ok
	case l.base64:
		return fillBase64(text, from)
	case l.long:
		hole.From = from
		hole.To, hole.Escaped, hole.Wide, ok = value.SkipLongText(text, from)
		return hole, ok
	}
	if to, escaped := shortText(text, from); to >= 0 {
		hole.From, hole.To, hole.Escaped = from, to, escaped
		return hole, true
	}
	return fillText(text, from)
}

func fillText(text []byte, from int) (hole Placeholder, ok bool) {
	hole.From = from
	hole.To, hole.Escaped, hole.Wide, ok = value.SkipText(text, from)
	return hole, ok
}

// fillBase64 finds the end of a string that is base64, mostly: an image, which
// is long.
func fillBase64(text []byte, from int) (hole Placeholder, ok bool) {
	return Placeholder{From: from}.resume(text)
}

// resume is fillBase64 for a text of which the beginning was looked at before.
func (h Placeholder) resume(text []byte) (hole Placeholder, ok bool) {
	h.Base64 += CountBase64(text[h.From+h.Base64:])
	h.To, h.Escaped, h.Wide, ok = value.SkipText(text, h.From+h.Base64)
	return h, ok
}

// Halved reports whether text ends within the hole that Match said was cut, and
// all of it up to there is base64. Then Resume goes on where Match ended.
func (h Placeholder) IsPartial(text []byte) bool { return h.Base64 > 0 && h.From+h.Base64 == len(text) }

// Resume is Match for a text that was shorter before, and ended in the hole.
func (l *Template) Resume(text []byte, half Placeholder) (hole Placeholder, size int, cut bool) {
	if half.Shuffled {
		return l.matchMembers(text, half)
	}
	hole, ok := half.resume(text)
	return l.close(text, hole, ok)
}

// skipCount finds the end of a positive whole number of at most nine digits.
func skipCount(text []byte, from int) (end int) {
	end = from
	for end < len(text) && end-from < 9 && value.IsDigit(text[end]) {
		end++
	}
	if end > from && text[from] == '0' {
		return from
	}
	return end
}
