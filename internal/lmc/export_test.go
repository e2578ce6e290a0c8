package lmc

import "github.com/lmclint/lmclint/internal/source"

// SpoilFreeSlots overwrites the slots for blocks and code that nothing should
// reference any more, so that a test finds what still does.
func (t *Tracker) SpoilFreeSlots() {
	for i := range t.blocks {
		if b := &t.blocks[i].block; b != t.open && b != t.empty && !t.referencesBlock(b) {
			*b = Block{signature: signature{Role: "spoiled", Type: "code"}, Number: -1, codeNumber: -1}
			t.blocks[i].start, t.blocks[i].final = source.PlaceRef{}, source.PlaceRef{}
		}
	}
	for i := range t.codes {
		if c := &t.codes[i].code; !t.references(c) {
			*c = Code{Language: "spoiled", Number: -1, Lossy: true, phase: bypassed}
			t.codes[i].start, t.codes[i].confirmed = source.PlaceRef{}, source.PlaceRef{}
		}
	}
}
