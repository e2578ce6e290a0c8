package lmc

import "github.com/lmclint/lmclint/internal/source"

// maxTail is how many bytes are kept of a block's beginning and end: enough
// for the longest closing tag of a review.
const maxTail = 16

// reading is what is kept of the open block's content. There is one open block
// at a time, so the tracker has one reading and uses its memory again.
type openBlockText struct {
	first      source.PlaceRef // the content of the first chunk
	text       Digester        // of code
	doubled    doubling
	head, tail []byte   // of a review
	piece      []byte   // the chunk at hand, decoded
	other      Digester // for a text beside the block's
}

func (g *openBlockText) reset() {
	g.doubled.reset()
	g.text.Reset()
	g.head, g.tail = g.head[:0], g.tail[:0]
}

// textOf is the Text of a string beside the block's.
func (g *openBlockText) textOf(n *source.Node) TextDigest {
	g.piece = n.AppendText(g.piece[:0])
	g.other.Reset()
	g.other.Add(g.piece)
	return g.other.Digest()
}

// add takes in the string of a chunk, if the block is of a type whose text
// somebody asks for.
func (g *openBlockText) add(b *Block, r *Record) {
	if b.Contents == 1 {
		g.first.Set(r.Source, r.Content)
	}
	message := b.Type == "message"
	if !message && !isTaken(b.Type) || message && g.doubled.over {
		return
	}
	if message && b.Contents == 1 && len(r.Content.Raw()) > maxFirst {
		g.doubled.over = true // its text need not be taken in at all
		return
	}
	g.piece = r.Content.AppendText(g.piece[:0])
	if b.Contents == 1 {
		g.doubled.begin(g.piece)
	} else {
		g.doubled.add(g.piece, 1)
	}
	g.take(b.Type, g.piece)
}

// take takes in the text of one chunk or more.
func (g *openBlockText) take(kind string, text []byte) {
	switch kind {
	case "code":
		g.text.Add(text)
	case "review":
		g.addEnds(text)
	}
}

// isTaken reports whether all text of a block of a type is taken in.
func isTaken(kind string) bool { return kind == "code" || kind == "review" }

func (g *openBlockText) addEnds(text []byte) {
	g.head = append(g.head, text[:min(len(text), maxTail-len(g.head))]...)
	g.tail = append(g.tail, text[max(0, len(text)-maxTail):]...)
	g.tail = append(g.tail[:0], g.tail[max(0, len(g.tail)-maxTail):]...)
}

// whole is the text of a code block without a doubling.
func (g *openBlockText) whole() TextDigest {
	if g.doubled.found() {
		return DigestText(string(g.doubled.first))
	}
	return g.text.Digest()
}
