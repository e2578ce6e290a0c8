package lmc

// Flags that come some records late are one mistake with what was told of
// their absence.

// ends notes that a block is closed by its end.
func (s *resync) ends(b *Block, r *Record) {
	if s.unended == b {
		s.unended = nil
	}
	if b.Stray {
		s.strayed = newBlock(r, true)
	}
}

// isLate reports whether a start stands directly behind the end of what lacked
// just that.
func (s *resync) isLate(r *Record) bool {
	b := s.strayed
	s.strayed = nil
	return b != nil && b.Number == r.Source.Index && b.fits(r)
}

// endsLate reports whether an end is that of the last block that was told to
// have none, and of whose kind no other has begun since.
func (s *resync) isLateEnd(r *Record) bool {
	b := s.unended
	if b == nil || r.HasInvalid(shape) || !b.fits(r) {
		return false
	}
	s.unended = nil
	return true
}

// keepStranger keeps the code whose start was lost in another block, which its
// end has closed: a confirmation refers to it.
func (t *Tracker) keepStranger(r *Record, b, stranger *Block) {
	if stranger.Type != "code" || stranger.Role != "assistant" || b.Contents == 0 {
		return
	}
	t.endRun(r)
	t.keepCode(stranger)
	t.waiting.abandoned = true // all of it is told
}
