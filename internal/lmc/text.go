package lmc

import (
	"bytes"
	"hash/maphash"
	"unicode/utf8"
)

// Text is what is kept of a text: enough to compare it with another, in
// constant memory.
type TextDigest struct {
	Bytes int       // length
	Lines int       // line feeds
	Blank bool      // nothing but white space
	sum   [2]uint64 // 128 bits
}

// Equal reports whether two texts are the same.
func (t *TextDigest) Equal(other *TextDigest) bool {
	return t.Bytes == other.Bytes && t.sum == other.sum
}

// TextOf is the Text of one whole piece.
func DigestText(s string) TextDigest {
	var w Digester
	w.Add([]byte(s))
	return w.Digest()
}

// seeds make two independent sums. They differ from run to run, which no
// result shows: sums are only ever compared with each other.
var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// Digester gathers a text that arrives in pieces, mostly of a few bytes.
type Digester struct {
	gathered TextDigest
	ink      bool   // something that is no white space
	pending  []byte // not summed up yet
	sum      [2]maphash.Hash
}

// maxPending is how many bytes wait until they are summed up.
const maxPending = 4 << 10

func (w *Digester) Reset() {
	w.gathered, w.ink, w.pending = TextDigest{}, false, w.pending[:0]
}

// size is how many bytes were added.
func (w *Digester) size() int { return w.gathered.Bytes + len(w.pending) }

// add adds a piece, or several that are joined.
func (w *Digester) Add(piece []byte) {
	w.pending = append(w.pending, piece...)
	if len(w.pending) > maxPending {
		w.flush()
	}
}

func (w *Digester) flush() {
	for i := range w.sum {
		if w.gathered.Bytes == 0 {
			w.sum[i].SetSeed(seeds[i])
		}
		_, _ = w.sum[i].Write(w.pending) // never fails
	}
	w.gathered.Bytes += len(w.pending)
	w.gathered.Lines += bytes.Count(w.pending, []byte{'\n'})
	w.ink = w.ink || len(bytes.TrimSpace(w.pending)) > 0
	w.pending = w.pending[:0]
}

func (w *Digester) Digest() TextDigest {
	w.flush()
	t := w.gathered
	t.Blank = !w.ink
	for i := range w.sum {
		if t.Bytes > 0 {
			t.sum[i] = w.sum[i].Sum64()
		}
	}
	return t
}

// maxFirst is how many bytes a first chunk may have to be searched for
// doubled text.
const maxFirst = 1 << 20

// doubling watches for a block whose first chunk already holds the text of the
// chunks that follow: it was serialised after the producer had appended them
// to the very object it had sent [R collected_alias].
type doubling struct {
	first  []byte
	chunks int // after the first
	points int // code points after the first
	rest   Digester
	over   bool // the rest has outgrown the first chunk, or cannot be compared
}

func (d *doubling) reset() {
	d.first, d.chunks, d.points, d.over = d.first[:0], 0, 0, false
	d.rest.Reset()
}

// begin takes in the text of the first chunk.
func (d *doubling) begin(text []byte) {
	if len(text) > maxFirst {
		d.over = true
		return
	}
	d.first = append(d.first[:0], text...)
}

// add takes in the text of so many more chunks.
func (d *doubling) add(text []byte, chunks int) {
	if d.over = d.over || d.rest.size()+len(text) > len(d.first); d.over {
		return
	}
	d.chunks += chunks
	d.points += utf8.RuneCount(text)
	d.rest.Add(text)
}

// found reports whether two or more chunks of four or more code points in all
// repeat the end of the first.
func (d *doubling) found() bool {
	if d.over || d.chunks < 2 || d.points < 4 {
		return false
	}
	var end Digester
	end.Add(d.first[len(d.first)-d.rest.size():])
	text, rest := end.Digest(), d.rest.Digest()
	return text.Equal(&rest)
}
