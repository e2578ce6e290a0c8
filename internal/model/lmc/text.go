package lmc

import (
	"bytes"
	"hash/maphash"

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

// maxTail is how many bytes are kept of the beginning and the end of a review:
// enough for the longest closing tag.
const maxTail = 16

// openBlockText is what the tracker keeps of the open block's content. One
// block has it at a time, so that its memory is reused.
type openBlockText struct {
	first      source.PlaceRef // the content of the first chunk
	text       Digester        // of code and edits
	target     TextDigest      // of an edit
	repeats    repetition
	head, tail []byte // of a review
	piece      []byte // the current chunk, decoded
}

func (g *openBlockText) reset() {
	g.repeats.reset()
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
		g.repeats.stop()
	}
	if b.Type == "edit" && g.target.Bytes == 0 {
		if path := r.Key("target"); path != nil && path.Kind == source.String {
			g.target = DigestText(path.Text())
		}
	}
	message := b.Type == "message"
	if !message && !needsAllText(b.Type) || message && g.repeats.over {
		return
	}
	if message && len(r.Content.Raw()) > maxText {
		g.repeats.over = true // its text is not needed at all
		return
	}
	g.piece = r.Content.AppendText(g.piece[:0])
	g.repeats.prose = message
	g.repeats.add(g.piece, r)
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

// keepCode keeps the text of a code block.
func (g *openBlockText) keepCode(c *Code) {
	c.Target, c.Text = g.target, g.text.Digest()
	c.Sent = c.Text
	var object []byte // the text, if it may be one
	if len(g.text.object) == g.text.gathered.Bytes {
		object = g.text.object
	}
	switch {
	case g.repeats.found() == NoRepetition:
	case g.repeats.over:
		c.Lossy = true
	default:
		object = g.repeats.once()
		c.Text = DigestText(string(object))
	}
	if call, ok := unwrapObject(string(object)); ok {
		c.Call = &CalledCode{*call.language, DigestText(call.code)}
	}
}
