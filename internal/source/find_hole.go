package source

import (
	"bytes"
	"hash/maphash"

	"github.com/lmclint/lmclint/internal/source/value"
)

// holeFinder moves over the record that a text begins with. It finds the value
// that differs from one record of its kind to the next: the content, or the
// content of the content, if that is a string or a positive whole number; a
// record with no such value has an open kind of 0. It goes by where things
// stand, and looks at nothing but that value closely: what it says holds if the
// rest is a layout that is known. Where text ends within the record it goes up
// to there.
type holeFinder struct {
	text  []byte
	at    int
	depth int
	hole  Placeholder
	open  value.Kind

	seed maphash.Seed
	sum  uint64 // of all but that value, in whatever order it comes
}

// object moves over an object of plain members.
func (f *holeFinder) object() bool {
	from := f.at
	if !f.pass('{') || f.depth == 2 {
		return false
	}
	f.depth++
	for {
		f.space()
		f.add(from, f.at)
		if !f.member() {
			return false
		}
		from = f.at
		if f.pass('}') {
			f.add(from, f.at)
			f.depth--
			return true
		}
		if !f.pass(',') {
			return false
		}
	}
}

// add takes a part of the record into the sum.
func (f *holeFinder) add(from, to int) {
	sum := maphash.Bytes(f.seed, f.text[from:to])
	if f.depth > 1 {
		sum *= 31
	}
	f.sum += sum
}

// member moves over a member.
func (f *holeFinder) member() bool {
	from := f.at
	if !f.string() {
		return false
	}
	isContent := string(f.text[from:f.at]) == `"content"`
	if !f.pass(':') {
		return false
	}
	f.space()
	if f.at == len(f.text) {
		return false
	}
	switch c := f.text[f.at]; {
	case isContent && c == '"':
		f.add(from, f.at+1)
		return f.openString()
	case isContent && c == '{':
		f.add(from, f.at)
		return f.object()
	case isContent && value.IsDigit(c):
		f.add(from, f.at)
		return f.count()
	}
	ok := f.plain()
	f.add(from, f.at)
	return ok
}

// plain moves over any other value.
func (f *holeFinder) plain() bool {
	if f.text[f.at] == '"' {
		return f.string()
	}
	return f.word()
}

// pass moves over white space and c, if that is what follows.
func (f *holeFinder) pass(c byte) bool {
	f.space()
	if f.at == len(f.text) || f.text[f.at] != c {
		return false
	}
	f.at++
	return true
}

func (f *holeFinder) space() {
	for f.at < len(f.text) && value.IsSpace(f.text[f.at]) {
		f.at++
	}
}

// string moves over a string without escapes.
func (f *holeFinder) string() bool {
	if f.at == len(f.text) || f.text[f.at] != '"' {
		return false
	}
	end := bytes.IndexByte(f.text[f.at+1:], '"')
	if end < 0 {
		f.at = len(f.text)
		return false
	}
	f.at += end + 2
	return true
}

// word moves over a number, true, false or null.
func (f *holeFinder) word() bool {
	from := f.at
	for f.at < len(f.text) && value.IsWordByte(f.text[f.at]) {
		f.at++
	}
	return f.at > from
}

// openString moves over the string that is the hole.
func (f *holeFinder) openString() bool {
	from := f.at + 1
	fill := fillText
	if looksBase64(f.text[from:]) {
		fill = fillBase64
	}
	hole, ok := fill(f.text, from)
	if !ok {
		f.hole.From = from
		if hole.To == len(f.text) || value.EndsInside(f.text, from, 1) {
			f.at = len(f.text)
		}
		return false
	}
	f.hole, f.open, f.at = hole, value.String, hole.To+1
	return true
}

// count moves over the number that is the hole.
func (f *holeFinder) count() bool {
	end := skipCount(f.text, f.at)
	if end == f.at {
		return f.word()
	}
	f.hole, f.open = Placeholder{From: f.at, To: end}, value.Number
	f.at = end
	return true
}
