package lmc

import "github.com/lmclint/lmclint/internal/source"

// execution follows code blocks: whether they are confirmed, and what runs.
type execution struct {
	code      *Code // the last code block, or nil
	edit      *Code // the last edit, or nil; code may run before it is made
	displayed *Code // code that the computer displayed in the last execution, or nil
	run       *Run  // the execution under way, or nil
	anyCode   bool  // a code block, or a record that may have been one, was seen
	answered  bool  // a message followed the last execution, and no code or confirmation since

	isNote  func(language string) bool
	request ConfirmationRequest // memory for the last confirmation
	lastRun Run                 // memory for run
}

// Run is one execution: the computer blocks between a code block and the next
// block of another role.
type Run struct {
	Code    *Code  // nil if no code block was pending
	First   *Block // its first block
	Console *Block // its last console block, or nil
	Final   bool   // an active_line null came
	Refused bool   // the interpreter refused to run the code
	Lossy   bool   // a record of it was unreadable or invalid
	NoCode  bool   // no code block precedes it in the input
	Again   bool   // a message separates it from the last execution, and no code or confirmation came since

	before    phase // of the code, before the run
	answered  bool  // as of the execution, before the run
	begun     bool  // it has content
	dismissed bool  // it is content outside a block, which is reported
	decided   bool  // an Execution event was due
	refusal   bool  // all its contents so far are refusals
	contents  int   // that are not empty
}

// PendingCode returns the last code block if it has not run yet, or nil.
func (x *execution) PendingCode() *Code {
	if x.code == nil || x.code.phase >= ran {
		return nil
	}
	return x.code
}

// dismissCode has nothing more reported of the pending code if it does not run.
func (x *execution) dismissCode() {
	if c := x.PendingCode(); c != nil && c.phase == pending {
		c.phase = dismissed
	}
}

// KnowCode notes that there is code outside what the tracker follows, so that output may
// be of it.
func (x *execution) KnowCode() { x.anyCode = true }

// ranUnconfirmed reports whether the last code block ran without a confirmation.
func (x *execution) ranUnconfirmed() bool { return x.code != nil && x.code.phase == bypassed }

// hasRun reports whether the last code block ran.
func (x *execution) hasRun() bool { return x.code != nil && x.code.HasRun() }

// blockOpened follows the first record of a block: it may begin or end an
// execution.
func (t *Tracker) blockOpened(b *Block) {
	if b.IsFromExecution() || t.run != nil && !t.run.Final && b.Type == "code" && b.invalid&InvalidRole != 0 {
		t.beginRun(b)
		return
	}
	t.endRun()
	t.answered = t.answered || b.Type == "message"
	c := t.PendingCode()
	if c != nil && b.Stray && b.Type == "code" && c.Confirmed == nil && !c.Note && b.Format == c.Language {
		b.codeNumber = c.Number // the end of the code came a record early
		return
	}
	switch {
	case b.Type == "review" || b.invalid&^InvalidLanguage != 0 || c == nil:
	case b.Type == "code":
		t.reportUnexecuted()
	case !t.excusesUnexecuted():
		c.passed = true
	case t.maybeConfirmed:
		t.dismissCode()
	}
	if b.Role == "assistant" && (!b.Stray || b.Type == "code") {
		t.maybeConfirmed = false
	}
}

// beginRun follows the start of a computer block.
func (t *Tracker) beginRun(b *Block) {
	if t.run != nil {
		return
	}
	c := t.PendingCode()
	t.lastRun = Run{
		Code: c, First: b, NoCode: !t.anyCode, Again: c == nil && t.answered && t.hasRun() && !t.maybeConfirmed, answered: t.answered,
	}
	t.answered = false
	t.run = &t.lastRun
	if c != nil {
		t.run.before, c.phase = c.phase, ran
	}
}

// undoRun undoes the execution under way, which had no content: an empty block executes nothing.
// It is reported, and that the code did not run as well is not.
func (t *Tracker) undoRun() {
	run := t.run
	if run.Code != nil {
		run.Code.phase = run.before
	}
	t.run, t.answered = nil, run.answered
	t.dismissCode()
}

// contentAdded follows content of the open block. It decides an execution at its
// first content; a refusal is one only if nothing follows it in its block.
func (t *Tracker) contentAdded(r *Record, b *Block) {
	run := t.run
	if run == nil {
		return
	}
	if !run.begun {
		run.begun, t.displayed = true, nil
	}
	if b.Type == "console" {
		switch {
		case run.Console != nil || run.dismissed:
		case !t.anyCode:
			send(t, CodelessOutput, b)
		case run.Again:
			sendIn(t, RanAgain, &t.memory.output, OutputEvent{b, t.code})
		}
		run.Console = b
	}
	run.Final = run.Final || b.Nulls > 0
	if run.decided || r.Empty() {
		return
	}
	run.contents++
	if run.contents == 1 {
		run.First = b
	}
	if (run.contents == 1 || run.refusal) && run.Code.refuses(r) { // a chunk may be repeated
		run.refusal = true
		return
	}
	t.decideRun(r, nil)
}

// decideRun emits the execution, once. R is nil if the end of a block decides it. Late
// is what r asks if it is the confirmation of the code.
func (t *Tracker) decideRun(r *Record, late *ConfirmationRequest) {
	run := t.run
	run.decided = true
	if c := run.Code; c != nil && c.Confirmed == nil {
		c.phase = bypassed
	}
	if !t.maybeConfirmed {
		sendIn(t, Execution, &t.memory.execution, ExecutionEvent{r, run, late})
	}
	t.maybeConfirmed = false
}

// blockClosed follows the end of a computer block. A refusal ends the execution:
// what comes next is not covered by it.
func (t *Tracker) blockClosed(b *Block) {
	run := t.run
	if run == nil {
		return
	}
	if !run.begun && !b.Cut && !b.Lossy {
		t.undoRun()
		return
	}
	run.Lossy = run.Lossy || b.Lossy || b.Cut || b.unclear || b.Contents == 0
	if b.Contents > 0 && !run.decided {
		run.Refused, run.Lossy = run.refusal, run.Lossy || run.contents == 0
		t.decideRun(nil, nil)
	}
	if !run.Refused {
		return
	}
	t.endRun()
	run.Code.phase = dismissed
	if run.Code.Confirmed != nil {
		run.Code.phase = confirmed
	}
	t.code = run.Code
}

// endRun ends the execution under way, if there is one. It emits nothing for an
// execution without content.
func (t *Tracker) endRun() {
	run := t.run
	t.run = nil
	if run == nil {
		return
	}
	t.answered = t.answered || run.Again && run.Console == nil
	if run.decided {
		send(t, Executed, run)
	}
}

// keepCode keeps what a code block contains when it closes.
func (t *Tracker) keepCode(b *Block) {
	maybe := b.invalid&InvalidType != 0
	if !isRun(b.Type) && !maybe {
		return
	}
	t.anyCode = true
	before := t.PendingCode()
	if b.Stray && b.Cut && before != nil && before.Confirmed != nil && b.Format == before.Language {
		return // a chunk that comes late, of code that is confirmed and about to run
	}
	c := t.codeOf(b)
	if c == nil {
		c = &Code{Number: b.codeNumber, Start: &source.PlaceRef{}}
		c.Start.Copy(b.Start)
	}
	if !maybe {
		c.Role = b.Role
	}
	c.Language = b.Format
	if b.text != nil {
		b.text.keepCode(c)
	}
	c.Lossy = c.Lossy || b.Cut || !b.hasAllText()
	c.Note = maybe || t.isNote(Canonical(b.Format))
	if before != nil && before.phase == announced && before.Text.Equal(&c.Text) { // its confirmation came too early
		c.Confirmed, c.Misplaced, c.ConfirmedLines = before.Confirmed, true, before.ConfirmedLines
	}
	if b.Role == "computer" && !maybe {
		t.displayed = c
		return
	}
	switch {
	case c.Confirmed != nil:
		c.phase = confirmed
	case c.Note, b.Type == "edit" && !maybe: // the model may replace its edit by a better one
		c.phase = dismissed
	case c.phase >= ran:
		c.phase = pending
	}
	t.code = c
	if c.Edit = b.Type == "edit" && !maybe; c.Edit {
		t.edit = c
	}
}

// isRun reports whether blocks of a type are run after a confirmation.
func isRun(kind string) bool { return kind == "code" || kind == "edit" }

// keepLostCode keeps the code whose end just came, and whose other records came
// inside another block or got lost: a confirmation refers to it. The loss is
// already reported.
func (t *Tracker) keepLostCode() *Code {
	c := &Code{Number: t.before.number, Start: &source.PlaceRef{}}
	c.Start.Copy(&t.before.start)
	c.Role, c.Language, c.Lossy, c.phase = t.before.Role, t.before.Format, true, dismissed
	c.Note = t.isNote(Canonical(c.Language))
	t.code, t.anyCode = c, true
	return c
}

// noteContinued notes that a block continues that was closed by resynchronization.
// A confirmation since then was in the wrong place.
func (t *Tracker) noteContinued(b *Block) {
	if c := t.codeOf(b); c != nil && c.Confirmed != nil {
		c.Misplaced = true
	}
}

// excusesUnexecuted reports whether a record was lost that may have confirmed
// or run the pending code.
func (t *Tracker) excusesUnexecuted() bool { return t.uncertain || t.maybeConfirmed }

// reportUnexecuted reports pending code that did not run.
func (t *Tracker) reportUnexecuted() {
	if c := t.PendingCode(); c != nil && c.phase == pending && (c.passed || !t.excusesUnexecuted()) {
		c.phase = dismissed
		send(t, UnexecutedCode, c)
	}
}

// followConfirmation follows a confirmation.
func (t *Tracker) followConfirmation(r *Record) {
	misplaced := t.Started() != nil && !t.uncertain
	within := t.open
	a := t.readRequest(r)
	c := t.lateCode(a)
	isLate := misplaced && c != nil
	if isLate { // the block continues after it
		if !t.run.decided {
			t.run.First = t.open
			t.decideRun(r, a)
		}
		sendIn(t, Unclosed, &t.memory.unclosed, UnclosedEvent{r, t.open, t.run.Code})
	} else {
		early := t.open != nil && t.open.Contents == 0 && t.run != nil && !t.run.decided
		amid := misplaced && t.open.IsFromExecution() && t.open.Nulls == 0
		t.leaveBlock(r, early || amid)
		c = t.confirmedCode(r, a, early)
	}
	a.Reported = misplaced && !isLate || r.HasInvalid(InvalidContent)
	sendIn(t, Confirmation, &t.memory.confirmation, ConfirmationEvent{r, c, a})
	if c == nil && !a.Reported { // only the confirmation of the code was seen
		c = t.lostCode(r)
		c.Role, c.Language, c.Text, c.phase = "assistant", a.Language, a.Text, announced
		c.Lossy, c.Edit = !a.OK, a.Edit
		t.code, t.anyCode = c, true
	}
	if c != nil {
		c.confirm(r, a.Text.Lines+1)
		c.Misplaced = misplaced && t.codeOf(within) != c // the end of the code was lost, unless it follows
	}
	t.maybeConfirmed, t.answered = false, false
}

// lateCode returns the code whose output the open block is, if a confirmation in it is
// the one that the code should have had before it ran, or nil.
func (t *Tracker) lateCode(a *ConfirmationRequest) *Code {
	run := t.run
	switch {
	case run == nil || t.open == nil || !t.open.IsFromExecution(),
		run.Code == nil || run.Code.Note || run.Code.Confirmed != nil,
		run.decided && !a.isFor(run.Code):
		return nil
	}
	return run.Code
}

// leaveBlock closes the open block before a record that needs no block. The
// execution ends there unless it continues: its start came a record early, or a
// confirmation came in the middle of its output.
func (t *Tracker) leaveBlock(r *Record, continues bool) {
	run := t.run
	if continues {
		t.run = nil
	}
	t.closeBefore(r)
	if continues {
		t.run = run
		return
	}
	t.endRun()
}

// confirmedCode returns the code that a confirmation refers to, or nil: pending
// code, what the computer displayed, or code that already ran.
func (t *Tracker) confirmedCode(r *Record, a *ConfirmationRequest, early bool) *Code {
	switch c := t.PendingCode(); {
	case early:
		return t.run.Code
	case a.Edit:
		return t.confirmedEdit(r)
	case c != nil && !c.Edit:
		return c
	case t.ranUnconfirmed() && a.isFor(t.code):
		return t.code
	case t.displayed != nil && a.isFor(t.displayed):
		return t.displayed
	case t.hasRun() && a.isFor(t.code): // it is confirmed again
		return t.code
	case t.ranUnconfirmed(): // the interpreter may have rewritten it
		return t.code
	case t.uncertain: // the code may have been lost
		return t.lostCode(r)
	}
	return nil
}

// lostCode returns code that may have been lost before a record.
func (t *Tracker) lostCode(r *Record) *Code {
	return &Code{Number: r.Source.Index + 1, Start: source.RefTo(r.Source, nil), Lossy: true}
}

// confirmedEdit returns the edit that a confirmation refers to, or nil. It is what
// runs next, whatever code ran since.
func (t *Tracker) confirmedEdit(r *Record) *Code {
	switch {
	case t.edit != nil && t.edit.phase < ran:
		t.code = t.edit
		return t.code
	case t.ranUnconfirmed() && t.code.Edit:
		return t.code
	case t.uncertain:
		return t.lostCode(r)
	}
	return nil
}
