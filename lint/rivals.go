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
// believes the leader: there are several protocols, and more records are there.
// Nobody is kept waiting for a record that is still to be written.
func (r *run) awaitsRivals(first []*source.Record) bool {
	if len(r.linter.candidates()) < 2 || len(first) >= rivalRecords {
		return false
	}
	size := 0
	for _, rec := range first {
		size += len(rec.Data)
	}
	inList := len(first) > 0 && first[len(first)-1].Pointer != "" // nobody writes a list while it is read
	return size < rivalBytes && (inList || r.reader.Arrived())
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
