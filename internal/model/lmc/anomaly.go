package lmc

// anomaly is the last framing error, as far as it explains records that
// follow, so that one mistake is reported once. In the stream
//
//	m+ m. c+ c. m. c. m- c-
//
// of a message (m) and code (c), with starts (+), contents (.) and ends (-), the end
// of the message was lost or comes late. The code's start reports that: the trouble
// is unclosed, and other is the message. Its second content says that it goes on: it
// is open again, the code is put aside, and the trouble is interleaved, with the code
// as the other block. The code's second content opens that again, with the message as
// the other one, which m- ends. None of this is reported. testdata/streams.txt has
// this stream first, and one for each other trouble after it.
type anomaly struct {
	trouble trouble
	other   *Block // the block that the trouble is about; it is not the open one

	uncertain      bool // the last record may have been anything: it explains the next framing error
	maybeConfirmed bool // a record that may have been the confirmation of the next execution
}

// trouble is what the last anomaly was.
type trouble uint8

const (
	noTrouble      trouble = iota
	unclosed               // other was reported to have no end
	endedWrongly           // other had a wrong end, or had none and a block like it has begun since
	interleaved            // other is open, too
	unclosedBefore         // as unclosed, but a block has begun since while nothing was open
	troubleCount
)

// recurrence is what a record is that does not fit, but is like the other block.
type recurrence uint8

const (
	unexplained recurrence = iota
	resumeOther            // the other block continues; what is open is put aside
	endOther               // the end of the other block, once
	closeOther             // the end of the other block, which closes
)

// recurrences says what each trouble explains, and why: one mistake is
// reported once.
var recurrences = [troubleCount]struct {
	content, end recurrence
	principle    string
}{
	unclosed:       {resumeOther, endOther, "a lost end closes the block at the next start, confirmation or server frame; if the block continues, that was the mistake"},
	endedWrongly:   {resumeOther, endOther, "a mismatched end closes the block; its own end may follow"},
	interleaved:    {resumeOther, closeOther, "interleaved blocks are one mistake"},
	unclosedBefore: {unexplained, endOther, "an end that matches the block that resynchronization closed is not reported"},
}

// limitRecurrence limits what the last anomaly explains, when something begins or ends
// while nothing is open.
func (a *anomaly) limitRecurrence() {
	switch a.trouble {
	case unclosed:
		a.trouble = unclosedBefore
	case endedWrongly, interleaved:
		a.clearAnomaly()
	}
}

// noteStart notes a start. An end like it may be its own from now on.
func (a *anomaly) noteStart(r *Record) {
	switch {
	case a.trouble == unclosed && a.other.fits(r):
		a.trouble = endedWrongly
	case a.trouble == unclosedBefore && a.other.fits(r):
		a.clearAnomaly()
	}
}

func (a *anomaly) clearAnomaly() { a.trouble, a.other = noTrouble, nil }

// ClearUncertainty ends the doubt that an unclear record left.
func (a *anomaly) ClearUncertainty() { a.uncertain = false }

// resume opens the other block again: what interrupted it did not end it. The
// open block is put aside: it is the other one now, for the two may be interleaved,
// which is one mistake.
func (t *Tracker) resume(r *Record) {
	t.endTransientState(r)
	b, aside := t.other, t.open
	t.clearAnomaly()
	if aside != nil {
		if t.PendingCode() == nil {
			t.keepCode(aside) // a confirmation may refer to it
			t.dismissCode()   // but it need not
		}
		t.trouble, t.other = interleaved, aside
	}
	t.noteContinued(b)
	t.open, t.state = b, b.withContent()
	b.Cut = false
	b.Lossy = b.Lossy || b.text == nil
}

// endsOther reports whether an end is explained as that of the other block.
func (t *Tracker) endsOther(r *Record) bool {
	e := recurrences[t.trouble].end
	if e == unexplained || !t.other.fits(r) || t.trouble == unclosedBefore && r.HasInvalid(shape) {
		return false
	}
	t.endTransientState(r)
	b, open, state := t.other, t.open, t.state
	t.noteContinued(b)
	t.clearAnomaly()
	if e == endOther {
		if c := t.codeOf(b); c != nil && c.Lossy { // nothing of its text is missing
			c.Lossy = !b.hasAllText()
		}
		return true
	}
	t.open, t.state = b, filled
	t.closeByEnd(r)
	if open != nil {
		t.endTransientState(r)
		t.open, t.state = open, state
	}
	return true
}

// reportError reports a record that does not fit, unless the last record explains it.
func (t *Tracker) reportError(kind KindOf[FramingError], r *Record, b *Block) {
	if !t.uncertain {
		sendIn(t, kind, &t.memory.err, FramingError{r, b, t.isClient})
	}
	t.ClearUncertainty()
}

// MarkUncertain skips a record that may have been anything.
func (t *Tracker) MarkUncertain() {
	t.endTransientState(nil)
	if t.open == nil || t.uncertain {
		t.maybeConfirmed = true
	}
	t.uncertain, t.anyCode = true, true
	if t.open != nil {
		t.open.Lossy = true
	}
}
