package blocks

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"slices"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/wtf8"
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

// Ends is the beginning and the end of a text that arrives in pieces.
type Ends struct {
	Head  []byte // its first bytes
	Rest  []byte // what follows them; if not all is kept, the last bytes of that
	Bytes int64  // of the text
}

// Add adds a piece. The first bytes of the text are kept, up to head of them, and
// of the others at least the last ones, tail of them.
func (e *Ends) Add(piece []byte, head, tail int) {
	e.Bytes += int64(len(piece))
	n := min(len(piece), max(0, head-len(e.Head)))
	e.Head, piece = append(e.Head, piece[:n]...), piece[n:]
	if tail == 0 {
		return
	}
	e.Rest = append(e.Rest, piece[max(0, len(piece)-tail):]...)
	if len(e.Rest) > 4*tail {
		e.Rest = append(e.Rest[:0], e.Rest[len(e.Rest)-tail:]...)
	}
}

// Reset begins another text. The memory is used again.
func (e *Ends) Reset() { *e = Ends{Head: e.Head[:0], Rest: e.Rest[:0]} }

// IsWhole reports whether all of the text is kept.
func (e *Ends) IsWhole() bool { return e.Bytes == int64(len(e.Head)+len(e.Rest)) }

// TextBuilder builds a text from its chunks. The halves of a surrogate pair may be
// in two of them.
type TextBuilder struct {
	head, tail int // bytes to keep
	ends       Ends
	hash       hash.Hash
	held       []byte // a high surrogate, whose pair may be completed
	first      int64
}

// NewTextBuilder returns a builder that keeps a text that is not longer than head
// bytes, and of another one about that many and the last ones, tail of them.
func NewTextBuilder(head, tail int) *TextBuilder {
	return &TextBuilder{head: head, tail: tail, hash: sha256.New(), first: -1}
}

// Add adds a piece, which it changes.
func (b *TextBuilder) Add(piece []byte) {
	if len(b.held) > 0 {
		piece = append(b.held, piece...)
	}
	piece, b.held = wtf8.CutHighSurrogate(wtf8.JoinSurrogates(piece))
	b.take(piece)
	if b.first < 0 {
		b.first = b.ends.Bytes
	}
}

func (b *TextBuilder) take(text []byte) {
	_, _ = b.hash.Write(text) // never fails
	b.ends.Add(text, b.head, b.tail)
}

// Restart drops the text so far: what follows replaces it.
func (b *TextBuilder) Restart() {
	b.hash.Reset()
	b.ends, b.held = Ends{}, nil
}

// Text returns the text.
func (b *TextBuilder) Text() Text {
	b.take(b.held)
	b.held = nil
	t := Text{Bytes: b.ends.Bytes, Hash: sumOf(b.hash), First: max(b.first, 0), Head: slices.Clip(b.ends.Head)}
	if t.Bytes > int64(len(t.Head)) && b.tail > 0 {
		kept := b.ends.Rest
		if b.ends.IsWhole() {
			kept = append(b.ends.Head, kept...)
		}
		t.Tail = bytes.Clone(kept[max(0, len(kept)-b.tail):])
	}
	return t
}
