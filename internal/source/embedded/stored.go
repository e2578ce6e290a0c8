package embedded

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// storedStage is the stage of the whole messages that a program logs after the
// stream of their chunks. It is above those of chunks that were logged again.
const storedStage = maxStages / 2

// streamStage is the stage of the chunks that a program logs after the whole
// messages of a stored conversation.
const streamStage = storedStage + 1

// maxStreamed is how many kinds of blocks of a log are kept.
const maxStreamed = 32

// streamedBlocks are the blocks of the first stage of a log, which
// distinguish a whole message from a chunk.
type streamedBlocks struct {
	isOpen   bool
	hasFlag  bool
	asked    bool            // it has a message of the user
	answered bool            // and one of another role
	kinds    []uint64        // digests of the role and type of the blocks that have begun
	prefixes map[string]bool // those of chunks
}

// isStored reports whether a record is a whole message of a stored conversation:
// a block like it was streamed before, none is open, and no chunk has had the
// prefix.
func (b *streamedBlocks) isStored(root *value.Node, prefix string) bool {
	return !b.isOpen && len(b.kinds) > 0 && !b.prefixes[prefix] && !isFlag(root) &&
		root.Member("content") != nil && slices.Contains(b.kinds, blockKind(root))
}

// beginsStream reports whether a record is the first of a stream after a stored
// conversation: the first flag of the log, after messages of both sides.
func (b *streamedBlocks) beginsStream(root *value.Node) bool {
	return root.Member("start") != nil && !b.hasFlag && b.asked && b.answered
}

// add notes a record of the first stage.
func (b *streamedBlocks) add(root *value.Node, prefix string) {
	if root.Member("content") != nil && !isFlag(root) {
		b.asked, b.answered = b.asked || isUser(root), b.answered || !isUser(root)
	}
	if isFlag(root) {
		b.hasFlag = true
		b.isOpen = root.Member("end") == nil
		if kind := blockKind(root); b.isOpen && !slices.Contains(b.kinds, kind) {
			b.kinds = appendBounded(b.kinds, kind, maxStreamed)
		}
	}
	if !b.isOpen && !isFlag(root) || isUser(root) || len(b.prefixes) == maxPrefixKinds {
		return
	}
	if b.prefixes == nil {
		b.prefixes = map[string]bool{}
	}
	b.prefixes[prefix] = true
}

// isUser reports whether a record has the role of the user.
func isUser(root *value.Node) bool {
	role := root.Member(roleKey)
	return role != nil && role.Text() == "user"
}

// isFlag reports whether a record starts or ends a block.
func isFlag(root *value.Node) bool {
	return root.Member("start") != nil || root.Member("end") != nil
}

// blockKind returns a digest of the role and the type of a record.
func blockKind(root *value.Node) (kind uint64) {
	for _, key := range []string{"role", "type"} {
		if n := root.Member(key); n != nil {
			kind = kind*31 + digest(n)
		}
	}
	return kind
}
