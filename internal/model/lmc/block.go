package lmc

import (
	"strconv"

	"github.com/lmclint/lmclint/internal/source"
)

// Block is what a start and an end flag enclose. A run of content without a
// start is a block, too.
type Block struct {
	signature

	Number   int // of the record that opened it, from 1: no other block has it
	Start    *source.PlaceRef
	Stray    bool             // it has no start flag
	Sent     bool             // in a session: the client sent it
	Lossy    bool             // a record of it was unreadable or invalid
	Cut      bool             // closed by resynchronization, not by an end flag
	Contents int              // content chunks
	Nulls    int              // active_line null among them
	Final    *source.PlaceRef // of the first active_line null, if Nulls > 0

	isAtStart  bool           // its last content came in one chunk with a start flag: it may be all of the block
	unclear    bool           // its last content is an active_line that may have been meant as null
	codeNumber int            // of the code that it becomes when it closes
	text       *openBlockText // of its content; nil when another block has begun
	slot       *blockSlot
}

// blockSlots is how many slots for blocks a tracker needs: when a block opens,
// three others are referenced at most (anomaly.other, lastRun.First and
// lastRun.Console).
const blockSlots = 4

// blockSlot is memory for a block, which is reused when nothing references it.
type blockSlot struct {
	block        Block
	start, final source.PlaceRef
}

// newBlock returns a block in a free slot. No block is open.
func (t *Tracker) newBlock(r *Record, startless bool) *Block {
	i := 0
	for t.referencesBlock(&t.blocks[i].block) {
		i++
	}
	s := &t.blocks[i]
	s.start.Set(r.Source, nil)
	number := r.Source.Index + 1
	s.block = Block{signature: signatureOf(r), Number: number, Start: &s.start, Stray: startless, Sent: t.isClient, codeNumber: number, slot: s}
	return &s.block
}

// HeldBlock returns the block that a flag, which no tracker has followed yet, opens: its
// role, type and format. It returns nil for the end of one.
func HeldBlock(r *Record) *Block {
	if !r.Start {
		return nil
	}
	return &Block{signature: signatureOf(r)}
}

func (t *Tracker) referencesBlock(b *Block) bool {
	return b == t.other || b == t.lastRun.First || b == t.lastRun.Console
}

// Repetition returns how the block repeats its text. It is valid until the next block
// opens, as are First, Text, Repeated and Ends.
func (b *Block) Repetition() Repetition {
	if b.text == nil {
		return NoRepetition
	}
	return b.text.repeats.found()
}

// First is the place of the content of the block's first chunk.
func (b *Block) First() source.Place {
	if b.text == nil || b.Contents == 0 {
		return b.Start.Place()
	}
	return b.text.first.Place()
}

// Text returns the text of a message or of code, without a repetition, and the content of its
// first chunk. Ok is false if the text was not kept.
func (b *Block) Text() (text []byte, first *source.PlaceRef, ok bool) {
	if b.text == nil || b.text.repeats.over || b.text.repeats.chunks == 0 {
		return nil, nil, false
	}
	if b.text.repeats.found() != NoRepetition {
		return b.text.repeats.once(), &b.text.first, true
	}
	return b.text.repeats.text, &b.text.first, true
}

// Repeated returns the content of the chunk that repeats others, how many, and the size of
// their text in bytes: the first chunk if it has all, whose text ends with them, else the
// first one that repeats the text before it. The size is that of the text at the start of a
// chunk that was sent again, or 0 if it was more than once. It is valid if the block has a
// repetition.
func (b *Block) Repeated() (at *source.PlaceRef, chunks, size int) {
	r := &b.text.repeats
	if r.found() == FirstHasAll {
		return &b.text.first, b.Contents - 1, len(r.text) - r.first
	}
	return &r.at, r.count, r.size
}

// Ends returns the first and the last bytes of a review's text, at most 16 of each.
func (b *Block) Ends() (head, tail string) {
	if b.text == nil {
		return "", ""
	}
	return string(b.text.head), string(b.text.tail)
}

// Invalid returns the parts of the block's start flag that are already
// reported and that no later record has settled.
func (b *Block) Invalid() InvalidParts { return b.invalid }

// Name names the block in messages, as in "assistant code (python)".
func (b *Block) Name() string {
	if b.Type == "" && b.Format == "" && b.Role != "" {
		return Name(b.Role, "", "") + "'s message"
	}
	return Name(b.Role, b.Type, b.Format)
}

// IsFromExecution reports whether the block is of a kind that an execution
// produces: output, an image, or code that the computer displays.
func (b *Block) IsFromExecution() bool {
	switch {
	case b.invalid&InvalidType != 0:
		return b.Role == "computer"
	case b.Type == "console" || b.Type == "image":
		return b.Role == "computer" || b.invalid&InvalidRole != 0
	}
	return b.Role == "computer" && b.Type == "code"
}

// namesLine reports whether a value is a number, or a string that contains one.
func namesLine(n *source.Node) bool {
	_, err := strconv.ParseFloat(n.Text(), 64)
	return n.Kind == source.Number || err == nil
}

// hasAllText reports whether the text of a code block is what was sent, provided
// that the block has ended. That of other blocks is not kept.
func (b *Block) hasAllText() bool {
	return isRun(b.Type) && !b.Lossy && !b.Stray
}

// add adds a content chunk.
func (b *Block) add(r *Record) {
	b.Contents++
	b.unclear = false
	if !r.Binary && r.HasInvalid(shape|InvalidContent) {
		b.Lossy = true
	}
	if r.Content == nil {
		return
	}
	if b.Type == "console" && r.Format == "active_line" {
		b.unclear = r.HasInvalid(InvalidLine) && !namesLine(r.Content)
		if r.Content.Kind == source.Null {
			b.Nulls++
			if b.Nulls == 1 {
				b.Final = &b.slot.final
				b.Final.Set(r.Source, nil)
			}
		}
	}
	if b.text != nil {
		b.text.add(b, r)
	}
}

// signature is what the records of a block have in common. Parts that are
// already reported as invalid match any value.
type signature struct {
	Role, Type, Format string // of the start flag; of the first content where that is invalid
	Language           string // as in Record

	invalid InvalidParts // of the record that it was taken from
}

// shape are the parts that decide to which block a record belongs.
const shape = InvalidRole | InvalidType | InvalidFormat

// signatureOf returns the signature of the block that r begins.
func signatureOf(r *Record) signature {
	return signature{
		Role: r.Role, Type: r.Type, Format: r.Format, Language: r.Language,
		invalid: r.Invalid &^ (InvalidContent | InvalidLine),
	}
}

// fits reports whether a record belongs to the block by its role, type and
// format.
func (s *signature) fits(r *Record) bool {
	invalid := s.invalid | r.Invalid
	if s.Type == "" || r.Type == "" && r.Flag() {
		invalid |= InvalidType | InvalidFormat // a user's block in a session needs no type
	}
	return (invalid&InvalidRole != 0 || s.Role == r.Role) &&
		(invalid&InvalidType != 0 || s.Type == r.Type) &&
		(invalid&InvalidFormat != 0 || s.Type == "console" || s.Format == r.Format ||
			s.invalid&InvalidLanguage != 0 && (s.Language == "" || s.Language == r.Language)) // the start may mean the language of its content
}

func (s *signature) isAssistantCode() bool { return s.Type == "code" && s.Role == "assistant" }

// adopt replaces invalid parts of the signature with those of a record that fits.
func (s *signature) adopt(r *Record) {
	if s.invalid&InvalidRole != 0 && !r.HasInvalid(InvalidRole) {
		s.Role = r.Role
	}
	if s.invalid&InvalidType != 0 && !r.HasInvalid(InvalidType) {
		s.Type = r.Type
	}
	if s.invalid&(InvalidFormat|InvalidLanguage) != 0 && !r.HasInvalid(InvalidFormat) {
		s.Format, s.Language = r.Format, r.Language
	}
	s.invalid &= r.Invalid
}
