package lmc

import "github.com/lmclint/lmclint/source"

// maxTail is how many bytes are kept of a block's beginning and end: enough
// for the longest closing tag of a review.
const maxTail = 16

// reading is what is kept of the open block's content. There is one open block
// at a time, so the tracker has one reading and uses its memory again.
type reading struct {
	first      source.Anchor // the content of the first chunk
	text       textWriter    // of code
	doubled    doubling
	head, tail []byte // of a review
	piece      []byte // the chunk at hand, decoded
}

func (g *reading) reset() {
	g.doubled.reset()
	g.text.reset()
	g.head, g.tail = g.head[:0], g.tail[:0]
}

// add takes in the string of a chunk, if the block is of a type whose text
// somebody asks for.
func (g *reading) add(b *Block, r *Record) {
	if b.Contents == 1 {
		g.first.At(r.Source, r.Content)
	}
	message := b.Type == "message"
	if !message && b.Type != "code" && b.Type != "review" || message && g.doubled.over {
		return
	}
	if message && b.Contents == 1 && len(r.Content.Raw()) > maxFirst {
		g.doubled.over = true // its text need not be taken in at all
		return
	}
	g.piece = r.Content.AppendText(g.piece[:0])
	g.doubled.add(g.piece, b.Contents == 1)
	if b.Type == "code" {
		g.text.add(g.piece)
	}
	if b.Type == "review" {
		g.addEnds()
	}
}

func (g *reading) addEnds() {
	g.head = append(g.head, g.piece[:min(len(g.piece), maxTail-len(g.head))]...)
	g.tail = append(g.tail, g.piece...)
	g.tail = append(g.tail[:0], g.tail[max(0, len(g.tail)-maxTail):]...)
}

// whole is the text of a code block without a doubling.
func (g *reading) whole() Text {
	if g.doubled.found() {
		return TextOf(string(g.doubled.first))
	}
	return g.text.text()
}
