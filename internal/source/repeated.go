package source

import (
	"bytes"
	"slices"
)

// repeated is the text of foreign records that follow one another. They are one mistake,
// which is reported at the first, so that further ones are skipped without a record for
// each. The last one is read: what follows it may be another.
type repeated struct {
	text    []byte
	times   int
	skipped int // since the last record
}

// Limits of what is skipped.
const (
	maxRepeated  = 32 // bytes of a record
	firstRecords = 64 // of an input show what it is, and are all read
)

// note takes note of a record that the reader returns, and whether records like it may be
// skipped.
func (p *repeated) note(r *Record, maySkip bool) {
	switch {
	case len(r.Data) > maxRepeated || !maySkip || !r.IsForeign():
		p.times = 0
	case p.times > 0 && bytes.Equal(p.text, r.Data):
		p.times++
	default:
		p.text, p.times = append(p.text[:0], r.Data...), 1
	}
}

// skipRepeated skips records like the last two, each with the same text after it, and
// returns how many.
func (cur *Cursor) skipRepeated(after string) (count int) {
	p := &cur.repeated
	if p.times < 2 || cur.Index < firstRecords {
		return 0
	}
	unit := slices.Concat(p.text, []byte(after))
	twice := slices.Concat(unit, unit)
	for cur.In.StartsWith(twice) {
		count += cur.In.SkipCopies(len(unit))
	}
	cur.Index += count
	p.skipped += count
	return count
}
