package lmc

import "github.com/lmclint/lmclint/internal/source"

// Tracker follows a stream: it knows the open block, the code that waits for a
// confirmation, and the execution under way.
//
// After a mistake it takes up the thread so that the next record is judged on
// its own. What it must remember for that is in resync.
type Tracker struct {
	emit    Emit
	isNote  func(language string) bool
	open    *Block
	waiting *Code // the last code block since the last execution
	last    *Code // the last code block, run or not
	run     *Run
	shown   *Code // what the computer displayed as code in the last execution
	resync  resync
	anyCode bool          // a code block, or what may have been one, was seen
	cut     bool          // the input ends inside a record
	reading openBlockText // of the open block
	slots   []*blockSlot  // memory for blocks

	execution Run                 // memory for run
	asked     ConfirmationRequest // the last confirmation
	event     Event               // the one that is being told
	wanted    Kind                // what emit asks for
	end       source.PlaceRef
	sent      bool // follows what a session's client sends
}

// resync is what the tracker remembers of the last mistake.
type resync struct {
	interrupted   *Block // just closed without its end, or put aside: more of it is silent
	mismatched    *Block // the run of content that does not fit the open block
	closedEmpty   *Block // just closed by its end, without any content
	unended       *Block // the last one that was told to have no end, as long as that may come late
	strayed       *Block // the end of the last one that had no start, whose start may follow
	possibleStart *Block // an end where nothing was open, just now: it may have been meant as a start
	early         bool   // content came before its start: the block that starts lacks it
	doubt         bool   // a record was not plain: it explains the next misfit
	unconfirmed   bool   // it may have been the confirmation that is missing
}

// NewTracker makes a tracker that hands its events to emit. IsNote says which
// code formats are text and never run.
func NewTracker(isNote func(language string) bool, emit Emit) *Tracker {
	return &Tracker{emit: emit, isNote: isNote, wanted: ^Kind(0)}
}

// NewClientTracker returns a tracker of what the client of a session sends.
func NewClientTracker(isNote func(language string) bool, emit Emit) *Tracker {
	t := NewTracker(isNote, emit)
	t.sent = true
	return t
}

// Open returns the open block, or nil.
func (t *Tracker) Open() *Block { return t.open }

// Fits reports whether a record belongs to the open block by its role, type
// and format.
func (t *Tracker) Fits(r *Record) bool { return t.open != nil && t.open.fits(r) }

// IsMidBlock reports whether a block is open that has a start and content.
func (t *Tracker) IsMidBlock() bool {
	return t.open != nil && !t.open.Stray && !t.open.soft && t.open.Contents > 0
}

// PendingCode returns the last code block if it has not run yet, or nil.
func (t *Tracker) PendingCode() *Code { return t.waiting }

// LacksStart reports whether content outside a block lost its start, and no
// earlier anomaly explains it.
func (t *Tracker) LacksStart() bool {
	if t.resync.doubt || t.resync.possibleStart != nil {
		return false // its start was lost, or the end before was meant as its start
	}
	return t.open == nil && t.resync.interrupted == nil || t.open != nil && t.open.Stray
}

// SkipContentWithoutStart notes that the caller has handled content without a
// start. The next block that starts lacks it.
func (t *Tracker) SkipContentWithoutStart(r *Record) {
	if t.resync.closedEmpty != nil {
		t.closedEmpty(r)
	}
	t.resync.early = true
}

// ReportEmpty emits the end of an empty block now, instead of after the next record.
func (t *Tracker) ReportEmpty() {
	if t.resync.closedEmpty != nil {
		t.closedEmpty(nil)
	}
}

// Want says which kinds of events are to be told; all, if nobody says.
func (t *Tracker) SetWanted(kinds Kind) { t.wanted = kinds }

// Step follows one record.
func (t *Tracker) Step(r *Record) {
	t.end.Set(r.Source, nil)
	t.tell(Event{Kind: Seen, Record: r})
	t.follow(r)
}

// Follow is Step for a record that is told of to nobody. Last must be called
// before the stream ends.
func (t *Tracker) Follow(r *Record) { t.follow(r) }

// Last says which record was the last one that Follow followed.
func (t *Tracker) Last(src *source.Record) { t.end.Set(src, nil) }

// Continues reports whether a record that starts nothing goes on with the open
// block, by its role, type and format.
func (t *Tracker) Continues(r *Record) bool { return t.open != nil && !r.Start && t.open.fits(r) }

// SkipUnreadable passes over a record that could not be read.
func (t *Tracker) SkipUnreadable(src *source.Record) {
	t.end.Set(src, nil)
	t.MarkUncertain()
}

// CutOff says that the input ends inside a record.
func (t *Tracker) CutOff() { t.cut = true }

// follow decides what a record does. A chunk should have exactly one of start,
// end and content; of one with more, the reading counts that explains the most.
func (t *Tracker) follow(r *Record) {
	if t.resync.closedEmpty != nil {
		t.closedEmpty(r)
	}
	content := r.Content != nil
	if r.Flag() || !content && !r.Binary {
		t.resync.possibleStart = nil
	}
	switch {
	case r.Binary:
		t.binary(r)
	case needsNoBlock(r) && content && !t.inDoubt(r):
		t.alone(r)
	case r.IsTransport(), r.isCall():
	case needsNoBlock(r), !r.Flag() && !content:
		t.MarkUncertain()
	case !r.Flag():
		t.content(r)
	case r.Start && !r.End && !content:
		t.start(r)
	case r.End && !r.Start && !content:
		t.endFlag(r)
	default:
		t.conflicting(r)
	}
}

// standsAlone reports whether a record is of a kind that needs no block, and
// that no flag can give one.
func needsNoBlock(r *Record) bool { return r.Type == "confirmation" || r.IsServerFrame() }

// inDoubt reports whether what names itself a confirmation in the middle of a
// block may as well be a part of that.
func (t *Tracker) inDoubt(r *Record) bool {
	return t.open != nil && r.Type == "confirmation" && r.HasInvalid(InvalidFormat)
}

// alone follows a record that stands between blocks.
func (t *Tracker) alone(r *Record) {
	if r.Type == "confirmation" {
		t.confirm(r)
		return
	}
	t.frame(r)
}

// conflicting follows a chunk with more than one of start, end and content.
func (t *Tracker) conflicting(r *Record) {
	fits := t.open != nil && t.open.fits(r)
	switch {
	case fits && r.End:
		t.softEnd(r)
	case fits:
		t.addContent(r)
	case r.Start:
		t.start(r)
		if r.Content != nil {
			t.addContent(r)
		}
		t.open.soft = r.End
	default:
		t.MarkUncertain()
	}
}

// softEnd closes the open block softly: if the block goes on the record was
// content, if not it was the end.
func (t *Tracker) softEnd(r *Record) {
	if r.Content != nil {
		t.addContent(r)
	}
	t.open.soft = true
	t.open.Lossy = true
}

// passOver skips a record whose event is not plain. It may have been anything.
func (t *Tracker) MarkUncertain() {
	if t.resync.closedEmpty != nil {
		t.closedEmpty(nil)
	}
	t.resync.doubt = true
	t.anyCode = true
	if t.open == nil {
		t.resync.unconfirmed = true
		return
	}
	t.open.Lossy = true
}

// tell hands over an event. It is good during the call only, so that telling
// what happens costs no memory.
func (t *Tracker) tell(e Event) {
	if e.Kind&t.wanted == 0 {
		return
	}
	e.Sent = t.sent
	t.event = e
	t.emit(&t.event)
}

// plain ends the doubt that a record left behind.
func (t *Tracker) ClearUncertainty() { t.resync.doubt = false }

// misfit tells of a record that does not fit, unless the last record explains it.
func (t *Tracker) misfit(kind Kind, r *Record, b *Block) {
	if !t.resync.doubt {
		t.tell(Event{Kind: kind, Record: r, Block: b})
	}
	t.ClearUncertainty()
}

// Finish ends the stream.
func (t *Tracker) Finish() {
	if t.resync.closedEmpty != nil {
		t.closedEmpty(nil)
	}
	if b := t.open; b != nil {
		if !b.Stray && !b.soft && !t.cut && !t.resync.doubt && (!b.again || b.Contents > 0) {
			t.tell(Event{Kind: Truncated, Last: &t.end, Block: b})
		}
		t.close(nil, true)
	}
	t.endRun(nil)
	t.abandon(nil)
	t.tell(Event{Kind: Finished, Last: &t.end})
}
