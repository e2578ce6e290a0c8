package lmc

import (
	"hash/maphash"
	"strings"
	"unicode/utf8"
)

// Text is what is kept of a text that arrives in pieces: enough to compare it
// with another, in constant memory.
type Text struct {
	Bytes int // length
	Lines int // line feeds
	Blank bool
	seen  bool
	sum   [2]maphash.Hash // 128 bits
}

// seeds make two independent sums. They differ from run to run, which no
// result shows: sums are only ever compared with each other.
var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// Add appends a piece.
func (t *Text) Add(piece string) {
	if !t.seen {
		t.seen, t.Blank = true, true
		t.sum[0].SetSeed(seeds[0])
		t.sum[1].SetSeed(seeds[1])
	}
	t.Bytes += len(piece)
	t.Lines += strings.Count(piece, "\n")
	t.Blank = t.Blank && strings.TrimSpace(piece) == ""
	_, _ = t.sum[0].WriteString(piece) // never fails
	_, _ = t.sum[1].WriteString(piece)
}

// Equal reports whether two texts are the same.
func (t *Text) Equal(other *Text) bool {
	if t.Bytes != other.Bytes || t.Bytes == 0 {
		return t.Bytes == other.Bytes
	}
	return t.sum[0].Sum64() == other.sum[0].Sum64() && t.sum[1].Sum64() == other.sum[1].Sum64()
}

// TextOf is the Text of one whole piece.
func TextOf(s string) *Text {
	t := &Text{}
	t.Add(s)
	return t
}

// Limits on what a block keeps of its text, in bytes.
const (
	maxFirst = 1 << 20 // a first chunk above this is not searched for doubled text
	maxTail  = 16      // enough for the longest closing tag of a review
)

// doubling watches for a block whose first chunk already holds the text of the
// chunks that follow: it was serialised after the producer had appended them
// to the very object it had sent [R collected_alias].
type doubling struct {
	first  string
	chunks int // after the first
	points int // code points after the first
	rest   Text
	over   bool // the rest has outgrown the first chunk, or cannot be compared
}

func (d *doubling) add(piece string, isFirst bool) {
	switch {
	case d.over:
	case isFirst && len(piece) > maxFirst:
		d.over = true
	case isFirst:
		d.first = strings.Clone(piece)
	case d.rest.Bytes+len(piece) > len(d.first):
		*d = doubling{over: true}
	default:
		d.chunks++
		d.points += utf8.RuneCountInString(piece)
		d.rest.Add(piece)
	}
}

// found reports whether two or more chunks of four or more code points in all
// repeat the end of the first.
func (d *doubling) found() bool {
	if d.over || d.chunks < 2 || d.points < 4 {
		return false
	}
	return TextOf(d.first[len(d.first)-d.rest.Bytes:]).Equal(&d.rest)
}
