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
