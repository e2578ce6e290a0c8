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

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"slices"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/base/wtf8"
	"github.com/lmclint/lmclint/internal/model/lmc"
)

// Hash is the beginning of a SHA-256: 128 bits, the same in every run.
type Hash [16]byte

// HashOf returns the hash of parts that are joined.
func HashOf(parts ...[]byte) Hash {
	w := sha256.New()
	for _, part := range parts {
		_, _ = w.Write(part) // never fails
	}
	return sumOf(w)
}

func sumOf(w hash.Hash) (h Hash) {
	copy(h[:], w.Sum(nil))
	return h
}

// Text is the size, the hash and the kept parts of a text. The zero Text is that of the
// empty text, except for its hash.
type Text struct {
	Bytes int64
	Hash  Hash
	First int64  // bytes of the first chunk
	Head  []byte // from its start, in WTF-8
	Tail  []byte // its last bytes, of one that is not kept as a whole
}

// TextOf returns a text that is kept as a whole.
func TextOf(text []byte) Text {
	return Text{Bytes: int64(len(text)), Hash: HashOf(text), First: int64(len(text)), Head: text}
}

// Whole returns the text, if all of it is kept.
func (t *Text) Whole() (text []byte, ok bool) { return t.Head, int64(len(t.Head)) == t.Bytes }

// Equal reports whether two texts are the same.
func (t *Text) Equal(other *Text) bool { return t.Bytes == other.Bytes && t.Hash == other.Hash }

// End returns the last code points of the text, at most n of them, as far as they
// are kept.
func (t *Text) End(n int) []byte {
	if text, ok := t.Whole(); ok {
		return wtf8.Tail(text, n)
	}
	return wtf8.Tail(t.Tail, n)
}

// CommonRunes returns with how many code points, and how many bytes, two texts begin
// alike.
func CommonRunes(a, b []byte) (runes, size int) {
	for size < len(a) && size < len(b) && a[size] == b[size] {
		size++
	}
	for size > 0 && (size < len(a) && !utf8.RuneStart(a[size]) || size < len(b) && !utf8.RuneStart(b[size])) {
		size--
	}
	return utf8.RuneCount(a[:size]), size
}

// TextBuilder builds a text from its chunks. The halves of a surrogate pair may be
// in two of them.
type TextBuilder struct {
	text  Text   // so far, without its hash; Tail is all that is kept of it after Head
	most  int    // bytes of a text that is kept as a whole
	head  int    // bytes of the text that are kept in Head
	tail  int    // bytes of its end that are kept, at least
	held  []byte // a high surrogate, whose pair may be completed
	hash  hash.Hash
	piece []byte // memory for a content
}

// tails is how many times as many bytes as those of the end are kept before some are
// dropped, so that few are moved.
const tails = 4

// NewTextBuilder returns a builder that keeps a text of up to most bytes as a whole, and
// of a longer one the beginning and the last bytes, tail of them.
func NewTextBuilder(most, tail int) *TextBuilder {
	return &TextBuilder{text: Text{First: -1}, most: most, head: max(0, most-tails*tail), tail: tail, hash: sha256.New()}
}

// AddContent adds the content of a record, which is a string. It may replace the text so
// far.
func (b *TextBuilder) AddContent(r *lmc.Record) {
	if r.Replaces() {
		b.text, b.held = Text{First: b.text.First}, nil
		b.hash.Reset()
	}
	b.piece = r.Content.AppendExact(b.piece[:0])
	b.Add(b.piece)
}

// Add adds a piece, which it changes.
func (b *TextBuilder) Add(piece []byte) {
	if len(b.held) > 0 {
		piece = append(b.held, piece...)
	}
	piece, b.held = wtf8.CutHighSurrogate(wtf8.JoinSurrogates(piece))
	b.take(piece)
	if t := &b.text; t.First < 0 {
		t.First = t.Bytes
	}
}

func (b *TextBuilder) take(piece []byte) {
	_, _ = b.hash.Write(piece) // never fails
	t := &b.text
	t.Bytes += int64(len(piece))
	n := min(len(piece), b.head-len(t.Head))
	t.Head, piece = append(t.Head, piece[:n]...), piece[n:]
	t.Tail = append(t.Tail, piece[max(0, len(piece)-tails*b.tail):]...)
	if len(t.Tail) > tails*b.tail {
		t.Tail = append(t.Tail[:0], t.Tail[len(t.Tail)-b.tail:]...)
	}
}

// Text returns the text, to which nothing is added any more.
func (b *TextBuilder) Text() Text {
	b.take(b.held)
	t := b.text
	t.Hash, t.First = sumOf(b.hash), max(t.First, 0)
	if t.Bytes <= int64(b.most) {
		t.Head, t.Tail = append(t.Head, t.Tail...), nil
	} else {
		t.Tail = bytes.Clone(t.Tail[max(0, len(t.Tail)-b.tail):])
	}
	t.Head = slices.Clip(t.Head)
	return t
}

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
	text     Text
	language string
	ok       bool
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
