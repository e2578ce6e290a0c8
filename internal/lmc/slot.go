package lmc

import "github.com/lmclint/lmclint/internal/source"

// slot is memory for a block and for what is remembered of it. A stream has a
// block every few records, but few of them matter at a time: the tracker uses
// the memory of one again when nothing leads to it any more.
type blockSlot struct {
	block        Block
	start, final source.PlaceRef
	code         Code
	confirmed    source.PlaceRef
}

func newBlock(r *Record, stray bool) *Block { return new(blockSlot).open(r, stray) }

// open makes a block of what the slot holds.
func (s *blockSlot) open(r *Record, stray bool) *Block {
	s.start.Set(r.Source, nil)
	s.block = Block{
		Role: r.Role, Type: r.Type, Format: r.Format, Language: r.Language, Number: r.Source.Index + 1, Start: &s.start,
		Stray: stray, doubt: r.Invalid &^ (InvalidContent | InvalidLine), slot: s,
	}
	return &s.block
}

// become makes the code that the block has become.
func (s *blockSlot) become() *Code {
	s.code = Code{Role: s.block.Role, Start: &s.start, Number: s.block.Number, confirmed: &s.confirmed}
	return &s.code
}

// newBlock makes a block for the tracker itself. Those that it makes are few:
// it can lead to no more than a dozen at a time.
func (t *Tracker) newBlock(r *Record, stray bool) *Block {
	for _, s := range t.slots {
		if !t.references(s) {
			return s.open(r, stray)
		}
	}
	s := new(blockSlot)
	t.slots = append(t.slots, s)
	return s.open(r, stray)
}

// leadsTo reports whether the tracker may still ask for what is in a slot. No
// block is open when it makes one.
func (t *Tracker) references(s *blockSlot) bool {
	return s.holds(t.resync.interrupted) || s.holds(t.resync.unended) ||
		s.holdsCode(t.waiting) || s.holdsCode(t.last) || s.holdsCode(t.shown) ||
		t.run != nil && (s.holds(t.run.First) || s.holds(t.run.Console) || s.holdsCode(t.run.Code))
}

func (s *blockSlot) holds(b *Block) bool { return b != nil && (b.slot == s || s.holdsCode(b.code)) }

// holdsCode reports whether code is of the block in the slot, whose start it
// shares wherever it lies itself.
func (s *blockSlot) holdsCode(c *Code) bool { return c != nil && c.Start == &s.start }
