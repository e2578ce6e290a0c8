package compare

import (
	"crypto/sha256"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Kind is what a block is.
type Kind string

// The kinds of blocks.
const (
	Content    Kind = "content"      // a block of a stream, or a whole message
	Single     Kind = "single"       // a record without a block: a confirmation, or a frame of the server
	Event      Kind = "event"        // an event of Semantic Workbench
	Other      Kind = "other"        // an object that is neither a message nor a chunk
	Unreadable Kind = "unreadable"   // a record that could not be read
	Boundary   Kind = "conversation" // where a conversation begins, in an input with several
)

// Block is what is compared with the block of another recording.
type Block struct {
	Kind               Kind
	Role, Type, Format string // "" if absent
	Recipient          string // several are separated by commas

	// Flags says which flags a block of a stream has, and what is unusual about
	// them: "start, end" normally. It is "" for a whole message.
	Flags string

	// Keys are the names of other keys than those of the protocol, sorted.
	Keys string

	// Values are the contents that are not text, as JSON, such as the numbers of
	// active lines. They may be truncated.
	Values string

	Text  []byte // nil if it is not kept
	Tail  []byte // of console output whose text is not kept: its end
	Bytes int64  // of the text

	Place   Place
	Records int // that it consists of

	sent       bool  // by the client of a session
	text       hash  // of the text
	values     hash  // of all values
	first      int64 // bytes of its first chunk
	confirmed  *Block
	sketch     sketch
	isComplete bool // Text is the whole text
}

// Place is where a block begins.
type Place struct {
	Start        source.Position
	Record       int // from 0; -1 between records
	Conversation int // from 0; -1 where the input is a single one
	Pointer      string
}

// HasText reports whether Text is the whole text of the block.
func (b *Block) HasText() bool { return b.isComplete }

// IsImage reports whether the block is an image whose content is data.
func (b *Block) IsImage() bool {
	return b.Type == "image" && b.Format != "path" && b.Format != "description"
}

// Hash returns the first bytes of the hash of the block's text, as SHA-256.
func (b *Block) Hash() []byte { return b.text[:] }

// Name names the block in messages.
func (b *Block) Name() string {
	switch b.Kind {
	case Boundary:
		return "conversation"
	case Unreadable:
		return "unreadable record"
	}
	if name := lmc.Name(b.Role, b.Type, b.Format); name != "" {
		return name
	}
	return "record"
}

// hash is the beginning of a SHA-256: 128 bits, the same in every run.
type hash [16]byte

func hashOf(parts ...[]byte) (h hash) {
	w := sha256.New()
	for _, part := range parts {
		_, _ = w.Write(part) // never fails
	}
	copy(h[:], w.Sum(nil))
	return h
}

// placeOf returns the place of a record.
func placeOf(rec *source.Record) Place {
	at := rec.Place()
	return Place{Start: at.Span.Start, Record: at.Record, Conversation: rec.Conversation, Pointer: at.Pointer}
}
