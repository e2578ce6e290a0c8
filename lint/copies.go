package lint

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// copies relates the records that an input contains several times, in several
// conversations, so that a mistake in them is reported once.
type copies struct {
	originals []copied          // of the last copies, the newest last
	findings  []originalFinding // at the last records that may have copies
}

type copied struct{ record, original source.RecordRef }

type originalFinding struct {
	record source.RecordRef
	rule   *Rule
}

// keptCopies is how many records and findings are kept to compare others with.
const keptCopies = 64

// add notes the record that a record is a copy of.
func (c *copies) add(rec *source.Record) {
	if rec.CopyOf != nil {
		c.originals = appendBounded(c.originals, copied{source.RecordRef{Conversation: rec.Conversation, Index: rec.Index}, *rec.CopyOf})
	}
}

// isKnown reports whether a finding was reported at the original of its record.
func (c *copies) isKnown(f *Finding) bool {
	at := source.RecordRef{Conversation: f.Conversation, Index: f.Place.Record}
	c.findings = appendBounded(c.findings, originalFinding{at, f.Rule})
	i := slices.IndexFunc(c.originals, func(o copied) bool { return o.record == at })
	return i >= 0 && slices.Contains(c.findings, originalFinding{c.originals[i].original, f.Rule})
}

// appendBounded appends a value to a list, and removes the first one of a long
// list.
func appendBounded[T any](list []T, value T) []T {
	if len(list) == keptCopies {
		list = slices.Delete(list, 0, 1)
	}
	return append(list, value)
}
