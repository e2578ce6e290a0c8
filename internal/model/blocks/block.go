// Package blocks has what a comparison needs of the blocks of a stream and of the
// messages of a transcript: who says what ([Block]), a text in bounded memory
// ([TextBuilder]), and which blocks of two lists belong together ([Aligner]).
// Package agreement, compare and timeline use it; assembling does not, as it
// imitates consumers key by key.
//
// Which records a block consists of is not decided here, because the answers differ.
// Agreement and timeline take the blocks of the tracker, which reports one mistake
// once: a chunk with a misspelled role belongs to its block, and one that is invalid
// may be in none. For compare each mistake is a difference, so that it divides the
// records themselves, and none is in no block.
package blocks

import "github.com/lmclint/lmclint/internal/model/lmc"

// Block is what a block of a stream or a message says.
type Block struct {
	Role      string `json:"role,omitempty"` // "" if absent
	Type      string `json:"type,omitempty"`
	Format    string `json:"format,omitempty"`
	Text      Text   `json:"-"`
	Lossy     bool   `json:"-"` // Text may not be what was sent, or the content is not text
	Confirmed *Text  `json:"-"` // of code: what the user was asked to confirm, or nil

	rewritten *rewritten // computed once it is asked for
}

// rewritten is code as the interpreter stores it.
type rewritten struct {
	text       Text
	language   string
	ok bool
}

// Name names the block in messages.
func (b *Block) Name() string { return lmc.Name(b.Role, b.Type, b.Format) }

// IsImage reports whether the block is an image whose content is data.
func (b *Block) IsImage() bool {
	return b.Type == "image" && b.Format != "path" && b.Format != "description"
}

// Rewritten returns the code of a block as the interpreter stores it, and its language. It
// returns false if that is unchanged, or the code is not kept.
func (b *Block) Rewritten() (text *Text, language string, ok bool) {
	if b.rewritten == nil {
		kept, isWhole := b.Text.Whole()
		code := lmc.RewriteCode(string(kept), b.Format)
		b.rewritten = &rewritten{TextOf([]byte(code.Text)), code.Language, isWhole && code.Text != string(kept)}
	}
	return &b.rewritten.text, b.rewritten.language, b.rewritten.ok
}
