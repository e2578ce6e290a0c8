package lmc

// shape are the doubts about what a block is.
const shape = InvalidRole | InvalidType | InvalidFormat

// start follows a start flag.
func (t *Tracker) start(r *Record) {
	t.CloseUnended(r)
	cut := t.resync.interrupted
	late := t.resync.isLate(r)
	if late && t.waiting != nil {
		t.waiting.abandoned = true // it is told already
	}
	again := late || cut != nil && cut.Contents > 0 && cut.fits(r)
	if u := t.resync.unended; u != nil && u.fits(r) {
		t.resync.unended = nil
	}
	t.openBlock(r, false)
	t.open.again = again
}

// interrupt closes what is open without its end, because something else begins.
func (t *Tracker) CloseUnended(r *Record) {
	b := t.open
	t.resync.mismatched = nil
	switch {
	case b == nil:
		t.resync.interrupted = nil
		t.ClearUncertainty()
	case b.Stray || b.soft:
		t.close(r, true)
		t.ClearUncertainty()
		t.resync.early = b.Stray && b.fits(r)
	case b.again && b.Contents == 0:
		t.close(r, true) // its start was meant as the end of the block before
		t.ClearUncertainty()
	default:
		t.misfit(Unclosed, r, b)
		t.close(r, true)
		t.resync.interrupted = b
		t.resync.unended = b
	}
}

// openBlock opens a block at a start flag or at stray content.
func (t *Tracker) openBlock(r *Record, stray bool) {
	if cut := t.resync.interrupted; cut != nil {
		cut.reading = nil
	}
	t.open = t.newBlock(r, stray)
	if stray && t.sent {
		t.open.Type, t.open.Format = "", "" // one lost start loses all parts of a user's message
	}
	t.open.Lossy = t.resync.early
	t.open.reading = &t.reading
	t.reading.reset()
	t.resync.early = false
	t.begin(r, t.open)
	t.tell(Event{Kind: Opened, Record: r, Block: t.open})
}

// content follows a record with content and no flag.
func (t *Tracker) content(r *Record) {
	if t.open == nil {
		t.outside(r)
		return
	}
	t.inside(r)
}

// outside follows content with no block open.
func (t *Tracker) outside(r *Record) {
	cut, turned := t.resync.interrupted, t.resync.possibleStart
	t.resync.possibleStart = nil
	switch {
	case turned != nil && turned.fits(r):
		t.openBlock(r, true)
		t.addContent(r)
	case cut != nil && cut.fits(r):
		t.reopen(cut)
		t.addContent(r)
	case r.HasInvalid(^InvalidLine):
		t.MarkUncertain()
	default:
		t.stray(r)
	}
}

// stray begins a run of content without a start.
func (t *Tracker) stray(r *Record) {
	t.misfit(ContentOutsideBlock, r, nil)
	t.openBlock(r, true)
	t.addContent(r)
}

// inside follows content while a block is open.
func (t *Tracker) inside(r *Record) {
	b, cut := t.open, t.resync.interrupted
	switch {
	case b.fits(r):
		t.addContent(r)
	case b.doubt&shape != 0 && b.Contents == 0 && !r.HasInvalid(shape):
		b.doubt = shape
		t.addContent(r)
	case r.HasInvalid(shape):
		b.Lossy = true
	case cut != nil && cut.fits(r):
		t.reopen(cut)
		t.addContent(r)
	case b.Stray || b.soft:
		t.close(r, true)
		t.stray(r)
	default:
		t.strange(r)
	}
}

// addContent adds a chunk to the open block.
func (t *Tracker) addContent(r *Record) {
	b := t.open
	t.ClearUncertainty()
	t.resync.mismatched = nil
	b.adopt(r)
	b.soft = false
	b.add(r)
	t.ranContent(r, b)
	if r.HasInvalid(InvalidContent | InvalidLine) {
		return
	}
	kind := Content
	switch {
	case b.Nulls == 0 && r.isPlainText():
		kind = PlainText
	case r.isActiveLine():
		kind = ActiveLine
	}
	if t.wanted&kind != 0 {
		t.tell(Event{Kind: kind, Record: r, Block: b, Code: t.last, Run: t.run})
	}
}

// strange follows content that does not fit the open block. A run of like
// chunks is one mistake.
func (t *Tracker) strange(r *Record) {
	t.open.Lossy = true
	if s := t.resync.mismatched; s != nil && s.fits(r) {
		return
	}
	t.misfit(ContentMismatch, r, t.open)
	t.resync.mismatched = newBlock(r, true)
}

// endFlag follows an end flag.
func (t *Tracker) endFlag(r *Record) {
	b := t.open
	if b == nil {
		t.endOutside(r)
		return
	}
	cut, stranger := t.resync.interrupted, t.resync.mismatched
	switch {
	case b.fits(r):
		b.adopt(r)
		t.closeByEnd(r)
	case stranger != nil && stranger.fits(r):
		b.adopt(r)
		t.closeByEnd(r)
		t.keepStranger(r, b, stranger)
	case cut != nil && cut.fits(r):
		t.endCut(r)
	case t.resync.isLateEnd(r):
	case b.doubt&shape != 0, r.HasInvalid(shape):
		t.closeByEnd(r)
	default:
		t.misfit(EndMismatch, r, b)
		b.Lossy = true
		t.closeByEnd(r)
		t.resync.interrupted = b // its own end may follow
	}
}

// endOutside follows an end flag with no block open.
func (t *Tracker) endOutside(r *Record) {
	switch cut := t.resync.interrupted; {
	case cut != nil && cut.fits(r):
		t.endCut(r)
		return
	case r.HasInvalid(shape), t.resync.isLateEnd(r):
	default:
		t.misfit(EndWithoutStart, r, nil)
		t.resync.possibleStart = newBlock(r, true)
	}
	t.resync.interrupted = nil
}

// endCut follows the end of a block that resynchronisation had closed. One that
// was only put aside closes here.
func (t *Tracker) endCut(r *Record) {
	b, open := t.resync.interrupted, t.open
	t.resync.interrupted = nil
	if !b.aside {
		return
	}
	b.aside, t.open = false, b
	t.closeByEnd(r)
	t.open = open
}

func (t *Tracker) closeByEnd(r *Record) {
	if t.resync.doubt {
		t.open.Lossy = true
	}
	t.ClearUncertainty()
	t.resync.ends(t.open, r)
	t.close(r, false)
}

// close ends the open block. Cut says that no end flag did.
func (t *Tracker) close(r *Record, cut bool) {
	b, stranger := t.open, t.resync.mismatched
	t.open = nil
	t.resync.mismatched = nil
	b.Cut = cut
	t.ranClosed(b)
	if b.Contents == 0 && !cut && !b.Lossy {
		t.resync.closedEmpty = b // its content may follow
	} else {
		t.tell(Event{Kind: Closed, Record: r, Block: b, Run: t.run})
	}
	if stranger != nil && b.Contents == 0 && (r == nil || !b.fits(r)) {
		b.Role, b.Type, b.Format = stranger.Role, stranger.Type, stranger.Format
	}
	t.keepCode(b)
}

// emptied tells of a block that closed without any content, unless the next
// record is just that: then it came behind the end, and is told of as stray.
func (t *Tracker) closedEmpty(next *Record) {
	b := t.resync.closedEmpty
	t.resync.closedEmpty = nil
	if next != nil && !next.Flag() && next.Content != nil && t.open == nil && b.fits(next) {
		return
	}
	t.tell(Event{Kind: Closed, Record: next, Block: b})
}

// reopen takes up a block again that resynchronisation had closed: what
// interrupted it did not end it. That is put aside, for the two may be
// interleaved, which is one mistake.
func (t *Tracker) reopen(b *Block) {
	if t.open != nil && t.waiting == nil {
		t.keepCode(t.open) // a confirmation may refer to it
		if t.waiting != nil {
			t.waiting.abandoned = true // but it need not
		}
	}
	if t.open != nil {
		t.open.aside = true
	}
	t.resync.interrupted = t.open
	t.open = b
	b.Cut, b.aside = false, false
	b.Lossy = b.Lossy || b.reading == nil
}
