package lmc

// CanRepeat reports whether records that differ from r, the last one, in their
// texts only may be passed to Repeat, and whether their texts are needed. The
// texts must not be empty.
func (t *Tracker) CanRepeat(r *Record) (ok, needsText bool) {
	b := t.open
	if b == nil || b.fitted != r || b.Contents == 0 || !t.isSteady(r) {
		return false, false
	}
	if b.reading == nil {
		return true, false
	}
	return b.Type != "message" || b.reading.doubled.over, isTaken(b.Type)
}

// Repeat is Follow for so many more records that CanRepeat allows. Text is their
// texts, joined, if these are needed.
func (t *Tracker) Repeat(records int, text []byte) {
	b := t.open
	b.Contents += records
	if b.reading != nil && isTaken(b.Type) {
		b.reading.doubled.add(text, records)
		b.reading.take(b.Type, text)
	}
}

// isSteady reports whether a chunk in the open block leaves the tracker in the
// state in which a chunk like it has left it, and emits no event.
func (t *Tracker) isSteady(r *Record) bool {
	return t.wanted&PlainText == 0 && t.open.Nulls == 0 && r.isPlainText() && (t.run == nil || t.run.decided)
}
