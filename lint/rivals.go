package lint

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// Limits of what is read to tell by which of several protocols an input is,
// where they know as many of its first records.
const (
	rivalRecords = 20
	rivalBytes   = 64 << 10
)

// isContested reports whether so many records may leave open which protocol an
// input is of. What is behind them decides nothing, however much of that is
// there: nobody is kept waiting for a record that is still to be written.
func isUndecided(first []*source.Record) bool {
	size := 0
	for _, rec := range first {
		size += len(rec.Data)
	}
	return len(first) < rivalRecords && size < rivalBytes
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
