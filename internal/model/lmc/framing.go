package lmc

import "github.com/lmclint/lmclint/internal/source"

// framing is the state machine that finds the blocks of a stream. A record
// becomes one input, or several if it has more than one of start, end and
// content; [framingTable] says what an input does in each state.
type framing struct {
	state    state
	open     *Block        // nil between blocks
	empty    *Block        // in afterEmptyBlock: the block, whose end is not emitted yet
	before   previous      // in the states that compare records with what came before
	openText openBlockText // of the open block
	blocks   [blockSlots]blockSlot
}

// state is what the tracker remembers of the records before, as far as the
// next record depends on it. Each of the after… states lasts for one record.
type state uint8

const (
	betweenBlocks       state = iota // no block is open
	afterEmptyBlock                  // a block without content just ended
	afterStrayEnd                    // an end without a start just came
	afterStartlessBlock              // a block without a start just ended
	afterEarlyContent                // content just came whose start may follow
	opened                           // a block is open, without content yet
	reopened                         // as opened, but its start may be a misspelled end
	filled                           // a block has content
	disturbed                        // a block is open; content of another one just came
	startless                        // content without a start, which makes a block
	maybeEnded                       // content with an end: the block ended unless it continues
	stateCount
)

// input is what a record is, compared with the open block. Where nothing is
// open, and in state disturbed, it is also compared with framing.before.
type input uint8

const (
	contentFits    input = iota // content of the open block
	contentRecurs               // content like what came before
	contentStrays               // content of neither
	contentUnclear              // content whose role, type or format is itself reported; outside a block, of an unknown type
	endFits                     // the end of the open block
	endRecurs                   // an end like what came before
	endStrays                   // an end of neither
	endUnclear                  // an end that may be of the open block
	startRecurs                 // a start like the open block, or like what came before
	startOther                  // another start, a record that needs no block, or the end of the input
	inputCount
)

// action is what the tracker does with an input.
type action uint8

const (
	ignore             action = iota
	addContent                // add the content to the open block
	continueBlock             // as addContent; the state is filled, or startless if the block has no start
	reportStrayContent        // report content outside a block; it begins a block without a start
	startSilently             // the stray end before was meant as the start of this content
	skipUnclear               // the record may have been anything: what comes next is uncertain
	reportMismatch            // report content that does not belong to the open block
	loseContent               // the open block may lack this content
	replaceBlock              // close the open block silently, and report stray content
	endBlock                  // close the open block; the state is afterEmptyBlock if it had no content and lost none, afterStartlessBlock if it had no start, otherwise betweenBlocks
	endBoth                   // close the open block, and the one whose content disturbed it
	reportEndMismatch         // report the end, and close the open block
	reportStrayEnd            // report an end without a start
	reportUnclosed            // report that the open block has no end, and close it
	reportStartTwice          // as reportUnclosed, but the start may be a misspelled end
	closeSilently             // close the open block; its end is not missed
	expectLostContent         // the next block has lost the content that came before its start; the state is afterEarlyContent until it starts
	dismissLateStart          // the start belongs to the block that just ended
	actionCount
)

// transition is what an input does in a state.
type transition struct {
	action action
	next   state // after content and ends; of starts, the state of the block that starts
}

// byAction is the next state where the action decides it.
const byAction = stateCount

// framingTable says what each input does in each state. What an [anomaly]
// explains is decided before. An input without a transition does not occur in the
// state, or does nothing.
var framingTable = [stateCount][inputCount]transition{
	betweenBlocks: {
		contentStrays: {reportStrayContent, startless}, contentUnclear: {skipUnclear, betweenBlocks},
		endStrays:  {reportStrayEnd, afterStrayEnd},
		startOther: {ignore, opened},
	},
	afterEmptyBlock: {
		contentRecurs: {reportStrayContent, startless}, contentStrays: {reportStrayContent, startless}, contentUnclear: {skipUnclear, betweenBlocks},
		endStrays:   {reportStrayEnd, afterStrayEnd},
		startRecurs: {ignore, opened}, startOther: {ignore, opened},
	},
	afterStrayEnd: {
		contentRecurs: {startSilently, startless}, contentStrays: {reportStrayContent, startless}, contentUnclear: {skipUnclear, betweenBlocks},
		endStrays:   {reportStrayEnd, afterStrayEnd},
		startRecurs: {ignore, opened}, startOther: {ignore, opened},
	},
	afterStartlessBlock: {
		contentStrays: {reportStrayContent, startless}, contentUnclear: {skipUnclear, betweenBlocks},
		endStrays:   {reportStrayEnd, afterStrayEnd},
		startRecurs: {dismissLateStart, reopened}, startOther: {ignore, opened},
	},
	afterEarlyContent: {
		contentStrays: {reportStrayContent, startless}, contentUnclear: {skipUnclear, betweenBlocks},
		endStrays:  {reportStrayEnd, afterStrayEnd},
		startOther: {expectLostContent, opened},
	},
	opened: {
		contentFits: {addContent, filled}, contentStrays: {reportMismatch, disturbed}, contentUnclear: {loseContent, opened},
		endFits: {endBlock, byAction}, endStrays: {reportEndMismatch, betweenBlocks}, endUnclear: {endBlock, byAction},
		startRecurs: {reportUnclosed, opened}, startOther: {reportUnclosed, opened},
	},
	reopened: {
		contentFits: {addContent, filled}, contentStrays: {reportMismatch, disturbed}, contentUnclear: {loseContent, reopened},
		endFits: {endBlock, byAction}, endStrays: {reportEndMismatch, betweenBlocks}, endUnclear: {endBlock, byAction},
		startRecurs: {closeSilently, opened}, startOther: {closeSilently, opened},
	},
	filled: {
		contentFits: {addContent, filled}, contentStrays: {reportMismatch, disturbed}, contentUnclear: {loseContent, filled},
		endFits: {endBlock, betweenBlocks}, endStrays: {reportEndMismatch, betweenBlocks}, endUnclear: {endBlock, betweenBlocks},
		startRecurs: {reportStartTwice, reopened}, startOther: {reportUnclosed, opened},
	},
	disturbed: {
		contentFits: {addContent, filled}, contentRecurs: {loseContent, disturbed}, contentStrays: {reportMismatch, disturbed}, contentUnclear: {loseContent, disturbed},
		endFits: {endBlock, betweenBlocks}, endRecurs: {endBoth, betweenBlocks}, endStrays: {reportEndMismatch, betweenBlocks}, endUnclear: {endBlock, betweenBlocks},
		startRecurs: {reportStartTwice, reopened}, startOther: {reportUnclosed, opened},
	},
	startless: {
		contentFits: {addContent, startless}, contentStrays: {replaceBlock, startless}, contentUnclear: {loseContent, startless},
		endFits: {endBlock, afterStartlessBlock}, endStrays: {reportEndMismatch, betweenBlocks}, endUnclear: {endBlock, afterStartlessBlock},
		startRecurs: {expectLostContent, opened}, startOther: {closeSilently, opened},
	},
	maybeEnded: {
		contentFits: {continueBlock, byAction}, contentStrays: {replaceBlock, startless}, contentUnclear: {loseContent, maybeEnded},
		endFits: {endBlock, byAction}, endStrays: {reportEndMismatch, betweenBlocks}, endUnclear: {endBlock, byAction},
		startRecurs: {closeSilently, opened}, startOther: {closeSilently, opened},
	},
}

// previous is a record that the next one may go back to.
type previous struct {
	signature
	number int             // of the record, from 1
	start  source.PlaceRef // of the record
}

// keepPrevious keeps what r says, to compare the next record with it.
func (f *framing) keepPrevious(r *Record) {
	f.before.signature, f.before.number = signatureOf(r), r.Source.Index+1
	f.before.start.Set(r.Source, nil)
}

// recurs reports whether r is like what came before, in the states that ask.
func (f *framing) recurs(r *Record) bool {
	switch f.state {
	case afterEmptyBlock, afterStrayEnd, afterStartlessBlock, disturbed:
		return f.before.fits(r)
	}
	return false
}

// followContent follows a record with content and no flag, or a binary frame.
func (t *Tracker) followContent(r *Record) {
	in := t.contentInput(r)
	if in != contentFits && (in != contentUnclear || t.open == nil) && recurrences[t.trouble].content == resumeOther && t.other.fits(r) {
		t.resume(r)
		in = contentFits
	}
	if in == contentUnclear && t.open == nil && !r.HasInvalid(InvalidType) {
		t.endTransientState(r) // without a role it changes nothing else
		return
	}
	t.move(in, r)
}

// move does what the table says about content or an end.
func (t *Tracker) move(in input, r *Record) {
	to := framingTable[t.state][in]
	t.apply(to.action, r)
	if to.next != byAction {
		t.state = to.next
	}
}

func (t *Tracker) contentInput(r *Record) input {
	b := t.open
	if b == nil {
		switch {
		case t.state != afterStartlessBlock && t.recurs(r):
			return contentRecurs
		case !r.Binary && (r.HasInvalid(InvalidType) || r.HasInvalid(InvalidRole) && r.Role == "" || r.Invalid != 0 && r.Role == "server"):
			return contentUnclear
		}
		return contentStrays
	}
	switch {
	case b.Contents == 0 && r.HasInvalid(shape) && t.recurs(r):
		return contentRecurs
	case b.fits(r):
		return contentFits
	case b.invalid&shape != 0 && b.Contents == 0 && !r.HasInvalid(shape):
		b.invalid = shape // all of it is taken from the first content
		return contentFits
	case !r.Binary && r.HasInvalid(shape):
		return contentUnclear
	case t.recurs(r):
		return contentRecurs
	}
	return contentStrays
}

// followEnd follows an end flag.
func (t *Tracker) followEnd(r *Record) {
	in, b := endStrays, t.open
	switch {
	case b != nil && b.fits(r):
		in = endFits
	case b != nil && t.recurs(r):
		in = endRecurs
	case r.HasInvalid(shape), b != nil && b.invalid&shape != 0:
		in = endUnclear
	}
	if in != endFits && in != endRecurs && t.endsOther(r) {
		return
	}
	if t.open == nil {
		t.limitRecurrence()
	}
	t.move(in, r)
}

// followStart follows a start flag.
func (t *Tracker) followStart(r *Record) {
	// That the code of the other block, which was not ended before, goes on after a start
	// of its execution is the same mistake.
	runsOther := t.trouble == unclosed && r.Role == "computer" && t.other.isAssistantCode()
	if t.open == nil && !runsOther {
		t.limitRecurrence()
	}
	next := t.closeBefore(r)
	t.noteStart(r)
	t.openBlock(r, false)
	t.open.Lossy = t.open.Lossy || r.HasInvalid(InvalidContent)
	t.state = next
}

// closeBefore closes the open block before r, which starts a block or needs none.
// It returns the state of the block that starts.
func (t *Tracker) closeBefore(r *Record) state {
	in := startOther
	if t.open != nil && t.open.fits(r) || t.open == nil && r.Start && t.recurs(r) {
		in = startRecurs
	}
	to := framingTable[t.state][in]
	certain := t.open != nil || r.Start
	t.apply(to.action, r)
	if certain {
		t.ClearUncertainty()
	}
	return to.next
}

// apply carries out an action. R is nil at the end of the input.
func (t *Tracker) apply(a action, r *Record) {
	b := t.open
	if b == nil {
		t.endTransientState(r)
	}
	switch a {
	case ignore:
	case addContent:
		t.add(r)
	case continueBlock:
		t.add(r)
		t.state = t.open.withContent()
	case reportStrayContent:
		t.reportError(ContentOutsideBlock, r, nil)
		t.openStartless(r, true)
	case startSilently:
		t.openStartless(r, false)
	case skipUnclear:
		t.MarkUncertain()
	case reportMismatch:
		b.Lossy = true
		t.reportError(ContentMismatch, r, b)
		t.keepPrevious(r)
	case loseContent:
		b.Lossy = true
	case replaceBlock:
		t.close(r, true)
		t.reportError(ContentOutsideBlock, r, nil)
		t.openStartless(r, true)
	case endBlock:
		b.Lossy = b.Lossy || t.state == reopened // nothing came since the start that may be a misspelled end
		t.closeByEnd(r)
	case endBoth:
		t.closeByEnd(r)
		if b.Contents > 0 && t.before.isAssistantCode() {
			t.endRun()
			t.keepLostCode()
		}
	case reportEndMismatch:
		t.reportError(EndMismatch, r, b)
		b.Lossy = b.Lossy || b.Type != r.Type
		t.closeByEnd(r)
		t.trouble, t.other = endedWrongly, b
	case reportStrayEnd:
		t.reportError(EndWithoutStart, r, nil)
		t.keepPrevious(r)
		if t.PendingCode() == nil && t.before.isAssistantCode() {
			t.keepLostCode().Note = true // nothing says that it was to be run
		}
	case reportUnclosed, reportStartTwice:
		t.reportUnclosed(r)
	case closeSilently:
		t.close(r, true)
	case expectLostContent:
		if b != nil {
			t.close(r, true)
		}
		t.state = afterEarlyContent
	case dismissLateStart:
		t.dismissCode()
	}
}

// endTransientState ends a state that lasts for one record. A block is not empty
// if r is its content, which came after its end.
func (t *Tracker) endTransientState(r *Record) {
	if t.open != nil {
		return
	}
	if t.state == afterEmptyBlock && (r == nil || r.Flag() || r.Content == nil && !r.Binary || !t.before.fits(r)) {
		sendIn(t, Closed, &t.memory.closed, ClosedEvent{r, t.empty})
	}
	t.state, t.empty = betweenBlocks, nil
}

func (t *Tracker) reportUnclosed(r *Record) {
	b := t.open
	switch {
	case b.isAtStart, t.uncertain: // which is reported
	case r != nil:
		sendIn(t, Unclosed, &t.memory.unclosed, UnclosedEvent{Record: r, Block: b})
	case !t.truncated:
		sendIn(t, Truncated, &t.memory.truncated, TruncatedEvent{&t.end, b})
	}
	t.close(r, true)
	t.trouble, t.other = unclosed, b
}

// openBlock opens a block at a start flag or at stray content.
func (t *Tracker) openBlock(r *Record, startless bool) {
	if t.other != nil {
		t.other.text = nil
	}
	b := t.newBlock(r, startless)
	if startless && t.isClient {
		b.Type, b.Format = "", "" // one lost start loses all parts of a user's message
	}
	b.Lossy = t.state == afterEarlyContent
	t.open, b.text = b, &t.openText
	t.openText.reset()
	t.blockOpened(b)
	sendIn(t, Opened, &t.memory.opened, OpenedEvent{r, b})
}

// openStartless opens a block without a start at its first content. Nothing more is
// reported of an execution that begins with it if the content was.
func (t *Tracker) openStartless(r *Record, isReported bool) {
	t.openBlock(r, true)
	if run := t.run; run != nil && run.First == t.open && isReported {
		run.dismissed, run.decided, run.Lossy = true, true, true
		if c := run.Code; c != nil && c.Confirmed == nil {
			c.phase = bypassed
		}
	}
	t.add(r)
}

// add adds content to the open block.
func (t *Tracker) add(r *Record) {
	b := t.open
	t.ClearUncertainty()
	if b.invalid != 0 {
		b.adopt(r)
	}
	b.add(r)
	b.isAtStart = false
	if r.Binary {
		return
	}
	t.contentAdded(r, b)
	if r.HasInvalid(InvalidContent | InvalidLine) {
		return
	}
	kind := Content
	switch plain := r.plainText(); {
	case b.Nulls == 0 && plain != 0:
		kind = plain
	case r.Type == "console" && r.Format == "active_line" && r.Content.Kind == source.Number:
		kind = ActiveLine
	}
	if kind.Is(t.wanted) {
		sendIn(t, kind, &t.memory.content, ContentEvent{r, b, t.code, t.run})
	}
}

// withContent is the state in which the block is open and has content.
func (b *Block) withContent() state {
	if b.Stray {
		return startless
	}
	return filled
}

// closeByEnd closes the open block at its end flag, or at one that counts as that.
func (t *Tracker) closeByEnd(r *Record) {
	b := t.open
	if b.fits(r) || t.recurs(r) {
		b.adopt(r)
	}
	b.Lossy = b.Lossy || t.uncertain || r.HasInvalid(InvalidContent)
	t.ClearUncertainty()
	t.close(r, false)
}

// close closes the open block. Cut says that no end flag closes it.
func (t *Tracker) close(r *Record, cut bool) {
	b, wasDisturbed := t.open, t.state == disturbed
	t.open, t.state = nil, betweenBlocks
	b.Cut = cut
	t.blockClosed(b)
	switch {
	case b.Contents == 0 && !cut && !b.Lossy:
		t.state, t.empty, t.before.signature = afterEmptyBlock, b, b.signature
	case b.Stray && !cut:
		t.state, t.before.signature = afterStartlessBlock, b.signature
		fallthrough
	default:
		sendIn(t, Closed, &t.memory.closed, ClosedEvent{r, b})
	}
	if wasDisturbed && b.Contents == 0 && (cut || r.HasInvalid(shape) || !b.fits(r)) {
		b.Role, b.Type, b.Format = t.before.Role, t.before.Type, t.before.Format // its start was wrong
		if t.run != nil && t.run.First == b && !t.run.decided && !b.IsFromExecution() {
			t.run = nil // it began no execution after all
		}
	}
	t.keepCode(b)
}
