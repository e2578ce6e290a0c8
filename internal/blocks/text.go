package blocks

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"slices"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/lmc"
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
	piece      []byte // memory for a content
}

// NewTextBuilder returns a builder that keeps the first bytes of a text, up to head of
// them, and of the others at least the last ones, tail of them.
func NewTextBuilder(head, tail int) *TextBuilder {
	return &TextBuilder{head: head, tail: tail, hash: sha256.New(), first: -1}
}

// AddContent adds the content of a record, which is a string. It may replace the text so
// far.
func (b *TextBuilder) AddContent(r *lmc.Record) {
	if r.Replaces() {
		b.hash.Reset()
		b.ends, b.held = Ends{}, nil
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
	if b.first < 0 {
		b.first = b.ends.Bytes
	}
}

func (b *TextBuilder) take(text []byte) {
	_, _ = b.hash.Write(text) // never fails
	e := &b.ends
	e.Bytes += int64(len(text))
	n := min(len(text), b.head-len(e.Head))
	e.Head, text = append(e.Head, text[:n]...), text[n:]
	if b.tail == 0 {
		return
	}
	e.Rest = append(e.Rest, text[max(0, len(text)-b.tail):]...)
	if len(e.Rest) > 4*b.tail {
		e.Rest = append(e.Rest[:0], e.Rest[len(e.Rest)-b.tail:]...)
	}
}

// Ends returns what is kept of the text.
func (b *TextBuilder) Ends() *Ends {
	b.take(b.held)
	b.held = nil
	return &b.ends
}

// Text returns the text.
func (b *TextBuilder) Text() Text {
	ends := b.Ends()
	t := Text{Bytes: ends.Bytes, Hash: sumOf(b.hash), First: max(b.first, 0), Head: slices.Clip(ends.Head)}
	if t.Bytes > int64(len(t.Head)) && b.tail > 0 {
		kept := ends.Rest
		if ends.IsWhole() {
			kept = append(ends.Head, kept...)
		}
		t.Tail = bytes.Clone(kept[max(0, len(kept)-b.tail):])
	}
	return t
}
