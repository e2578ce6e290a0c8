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
	head, tail []byte     // of a review
	piece      []byte     // the chunk at hand, decoded
	other      textWriter // for a text beside the block's
}

func (g *reading) reset() {
	g.doubled.reset()
	g.text.reset()
	g.head, g.tail = g.head[:0], g.tail[:0]
}

// textOf is the Text of a string beside the block's.
func (g *reading) textOf(n *source.Node) Text {
	g.piece = n.AppendText(g.piece[:0])
	g.other.reset()
	g.other.add(g.piece)
	return g.other.text()
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
	g.take(b, b.Contents == 1)
}

// take takes in the piece at hand.
func (g *reading) take(b *Block, isFirst bool) {
	g.doubled.add(g.piece, isFirst)
	if b.Type == "code" {
		g.text.add(g.piece)
	}
	if b.Type == "review" {
		g.addEnds()
	}
}

// repeat takes in the texts of chunks that are like one that is not the
// block's first, as far as somebody asks for them.
func (g *reading) repeat(b *Block, texts source.Texts) {
	if b.Type == "code" && g.doubled.over {
		g.text.addAll(texts)
		return
	}
	for b.Type == "code" || b.Type == "review" || b.Type == "message" && !g.doubled.over {
		var more bool
		if g.piece, more = texts.Append(g.piece[:0]); !more {
			return
		}
		g.take(b, false)
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
