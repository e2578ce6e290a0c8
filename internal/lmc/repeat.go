package lmc

import "github.com/lmclint/lmclint/internal/source"

// Repeat is Follow for so many more records that are like r, the one that was
// followed last, but for their texts, which are not empty. It reports false,
// and does nothing, where each of them may mean something of its own.
func (t *Tracker) Repeat(r *Record, records int, texts source.RunTexts) bool {
	b := t.open
	if b == nil || b.fitted != r || b.Contents == 0 || !t.isSteady(r) {
		return false
	}
	b.Contents += records
	if b.reading != nil {
		b.reading.repeat(b, records, texts)
	}
	return true
}

// TakesText reports whether the text of chunks like r is taken in, however much
// there is of it.
func (r *Record) TakesText() bool { return isTaken(r.Type) }

// isSteady reports whether a chunk in the open block leaves the tracker as a
// chunk like it has left it, and would tell nobody anything.
func (t *Tracker) isSteady(r *Record) bool {
	return t.wanted&PlainText == 0 && t.open.Nulls == 0 && r.isPlainText() && (t.run == nil || t.run.decided)
}
