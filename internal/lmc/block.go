package lmc

import (
	"strconv"

	"github.com/lmclint/lmclint/internal/source"
)

// Block is what stands between a start and an end flag. A run of content
// without a start is a block, too: a stray one.
type Block struct {
	Role, Type, Format string // of the start flag; of the first content where that is in doubt
	Language           string // as in Record
	Number             int    // of the record that opened it, from 1: no other block has it
	Start              *source.PlaceRef
	Stray              bool             // there was no start flag
	Lossy              bool             // a record of it was not readable or not sound
	Cut                bool             // closed by resynchronisation, not by an end flag
	Contents           int              // content chunks
	Nulls              int              // active_line null among them
	Final              *source.PlaceRef // of the first active_line null, if Nulls > 0

	fitted  *Record        // the last record that fits: the next Known one is often the same
	doubt   InvalidParts   // parts of the start flag that are in doubt
	unclear bool           // its last content is an active_line that may have been meant as null
	again   bool           // its start came while a block like it was open
	soft    bool           // closed by a record that has content and end
	aside   bool           // open, but another one is interleaved with it and goes on
	reading *openBlockText // of its content; nil when another block has begun
	code    *Code          // the code that the block became when it closed
	slot    *blockSlot     // its memory
}

// Doubled reports whether the block's first chunk ends with all the chunks
// that follow. It is known until the next block opens, as are First and Ends.
func (b *Block) Doubled() bool { return b.reading != nil && b.reading.doubled.found() }

// First is the content of the block's first chunk.
func (b *Block) First() source.Place {
	if b.reading == nil || b.Contents == 0 {
		return b.Start.Place()
	}
	return b.reading.first.Place()
}

// Ends returns the first and the last bytes of a review's text, at most 16 of each.
func (b *Block) Ends() (head, tail string) {
	if b.reading == nil {
		return "", ""
	}
	return string(b.reading.head), string(b.reading.tail)
}

// Invalid returns the parts of the block's start flag that are already
// reported and that no later record has settled.
func (b *Block) Invalid() InvalidParts { return b.doubt }

// Name calls the block for people, as in "assistant code (python)".
func (b *Block) Name() string {
	if b.Type == "" && b.Format == "" && b.Role != "" {
		return Name(b.Role, "", "") + "'s message"
	}
	return Name(b.Role, b.Type, b.Format)
}

// Ran reports whether the block is of the kind that an execution puts out.
func (b *Block) Ran() bool {
	switch {
	case b.doubt&InvalidType != 0:
		return b.Role == "computer"
	case b.Type == "console" || b.Type == "image":
		return b.Role == "computer" || b.doubt&InvalidRole != 0
	}
	return b.Role == "computer" && b.Type == "code"
}

// fits reports whether a record belongs to the block by its role, type and
// format, as far as they are beyond doubt.
func (b *Block) fits(r *Record) bool {
	if r.Known && b.fitted == r {
		return true
	}
	doubt := b.doubt | r.Invalid
	if b.Type == "" || r.Type == "" && r.Flag() {
		doubt |= InvalidType | InvalidFormat // a user's block in a session needs no type
	}
	fits := (doubt&InvalidRole != 0 || b.Role == r.Role) &&
		(doubt&InvalidType != 0 || b.Type == r.Type) &&
		(doubt&InvalidFormat != 0 || b.Type == "console" || b.sameFormat(r))
	if fits && doubt == 0 {
		b.fitted = r
	}
	return fits
}

// sameFormat compares formats. A start flag whose language is misspelled may
// mean the language of its content.
func (b *Block) sameFormat(r *Record) bool {
	return b.Format == r.Format || b.doubt&InvalidLanguage != 0 && (b.Language == "" || b.Language == r.Language)
}

// adopt takes what is in doubt in the start flag from a sound record.
func (b *Block) adopt(r *Record) {
	if b.doubt&InvalidRole != 0 && !r.HasInvalid(InvalidRole) {
		b.Role = r.Role
	}
	if b.doubt&InvalidType != 0 && !r.HasInvalid(InvalidType) {
		b.Type = r.Type
	}
	if b.doubt&(InvalidFormat|InvalidLanguage) != 0 && !r.HasInvalid(InvalidFormat) {
		b.Format, b.Language = r.Format, r.Language
	}
	b.doubt &= r.Invalid
}

// namesLine reports whether a value is a number, or a string that holds one.
func namesLine(n *source.Node) bool {
	_, err := strconv.ParseFloat(n.Text(), 64)
	return n.Kind == source.Number || err == nil
}

// add takes in a content chunk.
func (b *Block) add(r *Record) {
	b.Contents++
	b.unclear = false
	if r.HasInvalid(InvalidRole | InvalidType | InvalidFormat | InvalidContent) {
		b.Lossy = true
	}
	if r.Content == nil {
		return
	}
	if b.Type == "console" && r.Format == "active_line" {
		b.addLine(r)
	}
	if b.reading != nil {
		b.reading.add(b, r)
	}
}

func (b *Block) addLine(r *Record) {
	b.unclear = r.HasInvalid(InvalidLine) && !namesLine(r.Content)
	if r.Content.Kind != source.Null {
		return
	}
	b.Nulls++
	if b.Nulls == 1 {
		b.Final = &b.slot.final
		b.Final.Set(r.Source, nil)
	}
}
