package lmc

import (
	"strings"

	"github.com/lmclint/lmclint/source"
)

// Block is what stands between a start and an end flag. A run of content
// without a start is a block, too: a stray one.
type Block struct {
	Role, Type, Format string // of the start flag; of the first content where that is in doubt
	Start              source.Anchor
	Stray              bool          // there was no start flag
	Lossy              bool          // a record of it was not readable or not sound
	Cut                bool          // closed by resynchronisation, not by an end flag
	First              source.Anchor // the content of its first chunk, if Contents > 0
	Contents           int           // content chunks
	Nulls              int           // active_line null among them
	Lines              int           // other active_line among them
	Final              source.Anchor // of the first active_line null, if Nulls > 0
	Text               Text
	Head, Tail         string // the first and last bytes of the text, at most 16

	doubt   Doubt // parts of the start flag that are in doubt
	soft    bool  // closed by a record that has content and end
	doubled doubling
	code    *Code // the code that the block became when it closed
}

func newBlock(r *Record, stray bool) *Block {
	b := &Block{Role: r.Role, Type: r.Type, Format: r.Format, Stray: stray, doubt: r.Doubt &^ DoubtContent}
	b.Start.At(r.Source, nil)
	return b
}

// Doubled reports whether the block's first chunk ends with all the chunks
// that follow.
func (b *Block) Doubled() bool { return b.doubled.found() }

// Name calls the block for people, as in "assistant code (python)".
func (b *Block) Name() string { return Name(b.Role, b.Type, b.Format) }

// Ran reports whether the block is of the kind that an execution puts out.
func (b *Block) Ran() bool {
	switch {
	case b.doubt&DoubtType != 0:
		return b.Role == "computer"
	case b.Type == "console" || b.Type == "image":
		return b.Role == "computer" || b.doubt&DoubtRole != 0
	}
	return b.Role == "computer" && b.Type == "code"
}

// fits reports whether a record belongs to the block by its role, type and
// format, as far as they are beyond doubt.
func (b *Block) fits(r *Record) bool {
	doubt := b.doubt | r.Doubt
	if b.Type == "" || r.Type == "" && r.Flag() {
		doubt |= DoubtType | DoubtFormat // a user's block in a session needs no type
	}
	return (doubt&DoubtRole != 0 || b.Role == r.Role) &&
		(doubt&DoubtType != 0 || b.Type == r.Type) &&
		(doubt&DoubtFormat != 0 || b.Type == "console" || b.Format == r.Format)
}

// adopt takes what is in doubt in the start flag from a sound record.
func (b *Block) adopt(r *Record) {
	if b.doubt&DoubtRole != 0 && !r.doubts(DoubtRole) {
		b.Role = r.Role
	}
	if b.doubt&DoubtType != 0 && !r.doubts(DoubtType) {
		b.Type = r.Type
	}
	if b.doubt&DoubtFormat != 0 && !r.doubts(DoubtFormat) {
		b.Format = r.Format
	}
	b.doubt &= r.Doubt
}

// add takes in a content chunk.
func (b *Block) add(r *Record) {
	b.Contents++
	if r.doubts(DoubtRole | DoubtType | DoubtFormat | DoubtContent) {
		b.Lossy = true
	}
	if r.Content == nil {
		return
	}
	if b.Contents == 1 {
		b.First.At(r.Source, r.Content)
	}
	if b.Type == "console" && r.Format == "active_line" {
		b.addLine(r)
		return
	}
	b.addText(r.Text())
}

func (b *Block) addLine(r *Record) {
	if r.Content.Kind != source.Null {
		b.Lines++
		return
	}
	b.Nulls++
	if b.Nulls == 1 {
		b.Final.At(r.Source, nil)
	}
}

func (b *Block) addText(piece string) {
	if b.Type != "message" && b.Type != "code" && b.Type != "review" {
		return
	}
	b.doubled.add(piece, b.Contents == 1)
	b.Text.Add(piece)
	if len(b.Head) < maxTail {
		b.Head += piece[:min(len(piece), maxTail-len(b.Head))]
	}
	tail := b.Tail + piece
	b.Tail = strings.Clone(tail[max(0, len(tail)-maxTail):])
}

// whole is the text of the block without a doubling.
func (b *Block) whole() *Text {
	if b.Doubled() {
		return TextOf(b.doubled.first)
	}
	return &b.Text
}
