package lmc

// storedBlocks finds the blocks of a stream that were saved in a conversation of whole
// messages.
type storedBlocks struct {
	open     signature // of the last start flag
	isOpen   bool
	hasBlock bool // a block has content
}

// has reports whether a record is a chunk of a stored block, or a record of the stream that
// comes between its blocks.
func (s *storedBlocks) has(r *Record) bool {
	switch {
	case r.Flag():
		return false
	case s.isOpen && s.open.fits(r):
		return true
	}
	return s.hasBlock && (r.Type == "confirmation" || r.isFrame())
}

// follow follows a record.
func (s *storedBlocks) follow(r *Record) {
	r.Stored = s.has(r)
	switch {
	case r.Start && !r.End && r.Content == nil:
		s.open, s.isOpen = signatureOf(r), true
	case r.Stored:
		s.hasBlock = true
	default:
		s.isOpen = false
	}
}
