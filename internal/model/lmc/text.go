package lmc

import (
	"bytes"
	"hash/maphash"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
)

// TextDigest is what the tracker keeps of a text: enough to compare it with
// another one, in constant memory.
type TextDigest struct {
	Bytes int    // length
	Lines int    // line feeds
	Blank bool   // nothing but whitespace
	sum   uint64 // a hash, valid within one process
}

// Equal reports whether two texts are the same.
func (t *TextDigest) Equal(other *TextDigest) bool {
	return t.Bytes == other.Bytes && t.sum == other.sum
}

// DigestText returns the digest of a text.
func DigestText(s string) TextDigest {
	var w Digester
	w.Add([]byte(s))
	return w.Digest()
}

// seed differs from run to run: hashes are only compared with each other.
var seed = maphash.MakeSeed()

// Digester computes the digest of a text that arrives in pieces. The zero Digester is
// ready to use.
type Digester struct {
	gathered TextDigest // but for the sum
	nonBlank bool       // something other than whitespace
	sum      maphash.Hash
	object   []byte // the text, if it may be an object with code in it, which can be unwrapped only as a whole
}

// maxCall is how many bytes of an object are kept.
const maxCall = 256 << 10

// Reset begins another text.
func (w *Digester) Reset() {
	w.gathered, w.nonBlank, w.object = TextDigest{}, false, w.object[:0]
}

// Add adds a piece, or several joined ones.
func (w *Digester) Add(piece []byte) {
	isFirst := w.gathered.Bytes == 0
	if isFirst {
		w.sum.SetSeed(seed)
	}
	if len(w.object) == w.gathered.Bytes && len(w.object)+len(piece) <= maxCall && (!isFirst || bytes.HasPrefix(piece, []byte{'{'})) {
		w.object = append(w.object, piece...)
	}
	_, _ = w.sum.Write(piece) // never fails
	w.gathered.Bytes += len(piece)
	w.gathered.Lines += bytes.Count(piece, []byte{'\n'})
	w.nonBlank = w.nonBlank || len(bytes.TrimSpace(piece)) > 0
}

// Digest returns the digest of what was added so far.
func (w *Digester) Digest() TextDigest {
	t := w.gathered
	t.Blank = !w.nonBlank
	if t.Bytes > 0 {
		t.sum = w.sum.Sum64()
	}
	return t
}

// maxFirst is how many bytes a first chunk may have to be compared with the
// chunks after it.
const maxFirst = 1 << 20

// doubling detects a block whose first chunk already contains the text of the
// chunks that follow: it was serialized after the producer had appended them
// to the object that it had sent [R collected_alias].
type doubling struct {
	first  []byte
	chunks int // after the first
	points int // code points after the first
	rest   []byte
	over   bool // the rest has outgrown the first chunk, or cannot be compared
}

func (d *doubling) reset() {
	*d = doubling{first: d.first[:0], rest: d.rest[:0]}
}

// begin adds the text of the first chunk.
func (d *doubling) begin(text []byte) {
	if len(text) > maxFirst {
		d.over = true
		return
	}
	d.first = append(d.first[:0], text...)
}

// add adds the joined text of more chunks.
func (d *doubling) add(text []byte, chunks int) {
	if d.over = d.over || len(d.rest)+len(text) > len(d.first); d.over {
		return
	}
	d.chunks += chunks
	d.points += utf8.RuneCount(text)
	d.rest = append(d.rest, text...)
}

// found reports whether two or more chunks of four or more code points in all
// repeat the end of the first.
func (d *doubling) found() bool {
	return !d.over && d.chunks >= 2 && d.points >= 4 && bytes.HasSuffix(d.first, d.rest)
}

// maxTail is how many bytes are kept of the beginning and the end of a review:
// enough for the longest closing tag.
const maxTail = 16

// openBlockText is what the tracker keeps of the open block's content. One
// block has it at a time, so that its memory is reused.
type openBlockText struct {
	first      source.PlaceRef // the content of the first chunk
	text       Digester        // of code and edits
	target     TextDigest      // of an edit
	doubled    doubling
	head, tail []byte // of a review
	piece      []byte // the current chunk, decoded
}

func (g *openBlockText) reset() {
	g.doubled.reset()
	g.text.Reset()
	g.target = TextDigest{}
	g.head, g.tail = g.head[:0], g.tail[:0]
}

// add adds the text of a chunk to the block, which has counted it, if text of
// the block's type is needed.
func (g *openBlockText) add(b *Block, r *Record) {
	if b.Contents == 1 {
		g.first.Set(r.Source, r.Content)
	}
	if r.Replaces() {
		g.doubled.over = true
	}
	if b.Type == "edit" && g.target.Bytes == 0 {
		if path := r.Key("target"); path != nil && path.Kind == source.String {
			g.target = DigestText(path.Text())
		}
	}
	message := b.Type == "message"
	if !message && !needsAllText(b.Type) || message && g.doubled.over {
		return
	}
	if message && b.Contents == 1 && len(r.Content.Raw()) > maxFirst {
		g.doubled.over = true // its text is not needed at all
		return
	}
	g.piece = r.Content.AppendText(g.piece[:0])
	if b.Contents == 1 {
		g.doubled.begin(g.piece)
	} else {
		g.doubled.add(g.piece, 1)
	}
	g.keepText(b.Type, g.piece)
}

// keepText adds the text of one chunk or more.
func (g *openBlockText) keepText(kind string, text []byte) {
	switch kind {
	case "code", "edit":
		g.text.Add(text)
	case "review":
		g.head = append(g.head, text[:min(len(text), maxTail-len(g.head))]...)
		g.tail = append(g.tail, text[max(0, len(text)-maxTail):]...)
		g.tail = append(g.tail[:0], g.tail[max(0, len(g.tail)-maxTail):]...)
	}
}

// needsAllText reports whether all text of blocks of a type is needed.
func needsAllText(kind string) bool { return isRun(kind) || kind == "review" }

// call returns the code in the text of a code block that is an object with a
// language, or nil.
func (g *openBlockText) call() *CalledCode {
	if len(g.text.object) < g.text.gathered.Bytes || g.doubled.found() {
		return nil
	}
	c, ok := unwrapObject(string(g.text.object))
	if !ok {
		return nil
	}
	return &CalledCode{*c.language, DigestText(c.code)}
}

// whole returns the digest of a code block's text, without a doubling.
func (g *openBlockText) whole() TextDigest {
	if g.doubled.found() {
		return DigestText(string(g.doubled.first))
	}
	return g.text.Digest()
}
