package lint

import (
	"slices"

	"github.com/lmclint/lmclint/source"
)

// Limits of what is read before one of several protocols gets an input, so
// that a stranger at its beginning does not decide.
const (
	rivalRecords = 20
	rivalBytes   = 64 << 10
)

// awaitsRivals reports whether detection is to see more of the input before it
// believes the leader: a rival may have records in it, and more records are there.
// Nobody is kept waiting for a record that is still to be written.
func (r *run) awaitsRivals(first []*source.Record, leader Protocol) bool {
	if len(first) >= rivalRecords || !r.mayHoldRivals(leader) {
		return false
	}
	size := 0
	for _, rec := range first {
		size += len(rec.Data)
	}
	inList := len(first) > 0 && first[len(first)-1].Pointer != "" // nobody writes a list while it is read
	return size < rivalBytes && (inList || r.reader.Arrived())
}

// mayHoldRivals reports whether there may be records of any protocol but one in
// what has arrived of the input.
func (r *run) mayHoldRivals(leader Protocol) bool {
	return slices.ContainsFunc(r.linter.candidates(), func(p Protocol) bool { return p != leader && r.mayHold(p) })
}

// mayHold reports whether there may be records of a protocol in what has
// arrived of the input.
func (r *run) mayHold(p Protocol) bool {
	marked, ok := p.(Marked)
	return !ok || r.reader.Shows(marked.Marks())
}

// candidates are the protocols that an input may be of: all, or the one that
// the user named.
func (l *Linter) candidates() []Protocol {
	if l.config.Protocol == "" {
		return l.protocols
	}
	i := slices.IndexFunc(l.protocols, func(p Protocol) bool { return p.Name() == l.config.Protocol })
	if i < 0 {
		return nil
	}
	return l.protocols[i : i+1]
}
