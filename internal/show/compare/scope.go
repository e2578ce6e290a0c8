package compare

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/blocks"
)

// scope is what is compared of two recordings: it depends on their kinds, and on
// the options.
//
// A transcript of LMC has no flags, confirmations, reviews, active lines and frames
// of a server, and no empty output. A stream has no messages of the user, unless it
// was made of a transcript: what the other one cannot have is not a difference. Of
// Semantic Workbench, a list of messages has no events.
type scope struct {
	options Options
	stored  bool // of LMC, one is a transcript and the other is not: flags are not compared
	users   bool // both have messages of the user, which are compared
	several bool // one of them has several conversations
}

// hasUser reports whether the recording has a message of the user.
func (r *Recording) hasUser() bool {
	return slices.ContainsFunc(r.Blocks, func(b *Block) bool { return b.Kind == Content && b.Role == "user" })
}

func (r *Recording) isWorkbench() bool { return r.Protocol == (protocol.Workbench{}).Name() }

func (r *Recording) hasBoundaries() bool { return len(r.Blocks) > 0 && r.Blocks[0].Kind == Boundary }

// view is the blocks of a recording that are compared, and for each the hash of all
// of it that is compared.
type view struct {
	blocks []*Block
	keys   []blocks.Hash
}

// view returns the blocks of a recording that are compared with those of another
// one, and adds the number of the others to leftOut.
func (s *scope) view(r, other *Recording, leftOut *int) (v view) {
	if s.several && !r.hasBoundaries() {
		v.blocks = append(v.blocks, newBoundary(-1, r.Blocks))
	}
	for _, b := range r.Blocks {
		if s.omits(b, r, other) {
			*leftOut++
		} else {
			v.blocks = append(v.blocks, b)
		}
	}
	for _, b := range v.blocks {
		v.keys = append(v.keys, s.keyOf(b))
	}
	return v
}

// omits reports whether the other recording cannot have a block.
func (s *scope) omits(b *Block, r, other *Recording) bool {
	switch {
	case b.Kind == Boundary || b.Kind == Unreadable || b.Kind == Other:
		return false
	case b.Kind == Event:
		return r.Kind != protocol.KindTranscript && other.Kind == protocol.KindTranscript
	case r.Kind == protocol.KindSession && other.Kind == protocol.KindStream:
		return b.sent // what the client sends is not in what it receives
	case !s.stored:
		return false
	case r.Kind == protocol.KindTranscript:
		isUsers := b.Role != "assistant" && b.Role != "computer"
		return other.Kind == protocol.KindStream && isUsers && (!s.users || b.Type == "command") || b.isSilentConsole()
	}
	return b.Kind == Single || b.Type == "review" || b.Type == "command" || b.isSilentConsole()
}

// isSilentConsole reports whether the block is an execution without output.
func (b *Block) isSilentConsole() bool { return b.Type == "console" && b.Text.Bytes == 0 }

// keyOf returns the hash of what is compared of a block.
func (s *scope) keyOf(b *Block) blocks.Hash {
	var key bytes.Buffer
	for _, word := range []string{string(b.Kind), b.Role, b.Type, b.Format, b.Recipient, s.flagsOf(b), b.Keys} {
		key.WriteString(word)
		key.WriteByte(0)
	}
	values, text := s.valuesOf(b), s.textOf(b)
	return blocks.HashOf(key.Bytes(), values[:], text[:])
}

// flagsOf returns the flags of a block, if they are compared.
func (s *scope) flagsOf(b *Block) string {
	if s.stored {
		return ""
	}
	return b.Flags
}

// valuesOf returns the hash of a block's values, if they are compared.
func (s *scope) valuesOf(b *Block) blocks.Hash {
	if s.options.IgnoreContent && b.isMeaningful() || s.stored && b.Type == "console" {
		return blocks.Hash{}
	}
	return b.values
}

// textOf returns the hash of a block's text, if it is compared.
func (s *scope) textOf(b *Block) blocks.Hash {
	if s.options.IgnoreContent && b.isMeaningful() || s.options.IgnoreImages && b.IsImage() {
		return blocks.Hash{}
	}
	return b.Text.Hash
}

// isMeaningful reports whether the block has a role and a type, so that it can be
// compared without its content.
func (b *Block) isMeaningful() bool { return b.Kind != Other && b.Kind != Unreadable }
