package compare

import (
	"cmp"

	"github.com/lmclint/lmclint/internal/model/blocks"
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
	Kind Kind `json:"kind"`
	blocks.Block
	Recipient string `json:"recipient,omitempty"` // several are separated by commas

	// Flags says which flags a block of a stream has, and what is unusual about
	// them: "start, end" normally. It is "" for a whole message.
	Flags string `json:"flags,omitempty"`

	// Keys are the names of other keys than those of the protocol, sorted.
	Keys string `json:"keys,omitempty"`

	// Values are the contents that are not text, as JSON, such as the numbers of
	// active lines. They may be truncated.
	Values string `json:"values,omitempty"`

	Place   Place `json:"-"`
	Records int   `json:"-"` // that it consists of

	sent   bool        // by the client of a session
	values blocks.Hash // of all values
	sketch sketch
}

// Place is where a block begins.
type Place struct {
	Start        source.Position
	Record       int // from 0; -1 between records
	Conversation int // from 0; -1 where the input is a single one
	Pointer      string
}

// Name names the block in messages.
func (b *Block) Name() string {
	switch b.Kind {
	case Boundary:
		return "conversation"
	case Unreadable:
		return "unreadable record"
	}
	return cmp.Or(b.Block.Name(), "record")
}
