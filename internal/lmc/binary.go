package lmc

// binary follows a binary frame: it is content of the audio block that is open.
func (t *Tracker) binary(r *Record) {
	b := t.open
	switch {
	case b == nil:
		if turned := t.resync.possibleStart; turned == nil || !turned.takesBinary() {
			t.misfit(ContentOutsideBlock, r, nil)
		}
		t.resync.possibleStart = nil
		t.openBlock(r, true)
		t.addBinary()
	case b.takesBinary():
		t.addBinary()
	case b.Stray || b.soft:
		t.close(r, true)
		t.binary(r)
	default:
		t.strange(r)
	}
}

// takesBinary reports whether binary frames may be content of the block.
func (b *Block) takesBinary() bool {
	return b.Type == "audio" || b.Type == "" || b.doubt&InvalidType != 0
}

func (t *Tracker) addBinary() {
	t.ClearUncertainty()
	t.resync.mismatched = nil
	t.open.soft = false
	t.open.Contents++
}
