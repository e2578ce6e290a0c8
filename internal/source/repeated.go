package source

import (
	"bytes"
	"slices"
)

// repeated is the texts of the foreign records that were read last, without others among
// them. They are one mistake, which is reported at the first of each kind, so that where
// they repeat themselves, further ones are skipped without a record for each. The last
// ones are read: what follows them may be another.
type repeated struct {
	texts   [][]byte // at most 2*maxPeriod
	skipped int      // since the last record
}

// Limits of what is skipped.
const (
	maxRepeated  = 32 // bytes of a record
	maxPeriod    = 4  // records after which the same ones follow
	firstRecords = 64 // of an input show what it is, and are all read
)

// note takes note of a record that the reader returns, and whether records like it may be
// skipped.
func (p *repeated) note(r *Record, maySkip bool) {
	switch {
	case len(r.Data) > maxRepeated || !maySkip || !r.IsForeign():
		p.texts = p.texts[:0]
		return
	case len(p.texts) == 2*maxPeriod:
		p.texts = append(p.texts[:0], p.texts[1:]...)
	}
	p.texts = append(p.texts, bytes.Clone(r.Data))
}

// unit returns the texts of the last records that followed each other twice in the same
// order, nil if there are none.
func (p *repeated) unit() [][]byte {
	for period := 1; 2*period <= len(p.texts); period++ {
		before, last := p.texts[len(p.texts)-2*period:len(p.texts)-period], p.texts[len(p.texts)-period:]
		if slices.EqualFunc(before, last, bytes.Equal) {
			return last
		}
	}
	return nil
}

// skipRepeated skips records like the last ones, each with the same text after it, and
// returns how many.
func (cur *Cursor) skipRepeated(after string) (count int) {
	texts := cur.repeated.unit()
	if texts == nil || cur.Index < firstRecords {
		return 0
	}
	var unit []byte
	for _, text := range texts {
		unit = append(append(unit, text...), after...)
	}
	twice := slices.Concat(unit, unit)
	for cur.In.StartsWith(twice) {
		count += len(texts) * cur.In.SkipCopies(len(unit))
	}
	cur.Index += count
	cur.repeated.skipped += count
	return count
}
