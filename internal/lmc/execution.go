package lmc

// begin follows the first record of a block to what it means for the code
// that waits and for the execution under way.
func (t *Tracker) begin(r *Record, b *Block) {
	if b.Ran() || t.run != nil && !t.run.Final && b.Type == "code" && b.doubt&InvalidRole != 0 {
		t.ranBlock(b)
		return
	}
	t.endRun(r)
	if t.continues(b) {
		b.code = t.waiting
		return
	}
	if b.Type != "review" && b.doubt == 0 {
		t.abandon(r)
	}
	if b.Role == "assistant" && !b.Stray {
		t.resync.unconfirmed = false
	}
}

// continues reports whether a stray run goes on with the code block that has
// just ended: its end came a record early.
func (t *Tracker) continues(b *Block) bool {
	return b.Stray && b.Type == "code" && t.waiting != nil && t.waiting.Confirmed == nil && b.Format == t.waiting.Language
}

// ranBlock adds a computer block to the execution, or begins one.
func (t *Tracker) ranBlock(b *Block) {
	if t.run == nil {
		t.execution = Run{Code: t.waiting, First: b, NoCode: !t.anyCode}
		t.run = &t.execution
		t.waiting = nil
		t.shown = nil
		if t.run.Code != nil {
			t.run.Code.Run = true
		}
	}
}

// ranContent decides an execution at its first content; a refusal is one only
// if nothing follows it in its block.
func (t *Tracker) ranContent(r *Record, b *Block) {
	run := t.run
	if run == nil {
		return
	}
	if b.Type == "console" {
		if run.Console == nil && !t.anyCode {
			t.tell(Event{Kind: CodelessOutput, Record: r, Block: b})
		}
		run.Console = b
	}
	run.Final = run.Final || b.Nulls > 0
	if run.decided || r.Empty() {
		return
	}
	if run.contents++; run.contents == 1 {
		run.First = b
		if run.Code.refuses(r) {
			run.refusal = true
			return
		}
	}
	t.decide(r)
}

// decide emits the execution, once.
func (t *Tracker) decide(r *Record) {
	run := t.run
	if run.decided {
		return
	}
	run.decided = true
	if c := run.Code; c != nil {
		c.Unconfirmed = c.Confirmed == nil
	}
	if !t.resync.unconfirmed {
		t.tell(Event{Kind: Execution, Record: r, Block: run.First, Code: run.Code, Run: run})
	}
	t.resync.unconfirmed = false
}

// ranClosed follows the end of a computer block.
func (t *Tracker) ranClosed(b *Block) {
	run := t.run
	if run == nil {
		return
	}
	run.Lossy = run.Lossy || b.Lossy || b.Cut || b.unclear || b.Contents == 0
	if run.contents > 0 && !run.decided {
		run.Refused = run.refusal
		t.decide(nil)
	}
	if run.Refused {
		t.refused(run.Code)
	}
}

// refused ends an execution that was none: what comes next is not covered by
// the refusal.
func (t *Tracker) refused(c *Code) {
	t.endRun(nil)
	c.Run, c.refused = false, true
	t.waiting = c
}

// endRun ends the execution under way. It tells nothing of one of which
// nothing was seen.
func (t *Tracker) endRun(r *Record) {
	run := t.run
	t.run = nil
	if run != nil && run.decided {
		t.tell(Event{Kind: Executed, Record: r, Block: run.Console, Code: run.Code, Run: run})
	}
}

// keepCode keeps what a code block says when it closes.
func (t *Tracker) keepCode(b *Block) {
	unknown := b.doubt&InvalidType != 0
	if b.Type != "code" && b.Type != "edit" && !unknown {
		return
	}
	t.anyCode = true
	if b.Stray && b.Cut && t.isConfirmed(b) {
		return
	}
	if unknown {
		t.waiting = &Code{Start: b.Start, Number: b.Number, Lossy: true, Note: true} // it may be code
		return
	}
	if b.code == nil {
		b.code = b.slot.become()
	}
	c := b.code
	c.Language = b.Format
	if b.reading != nil {
		c.Text = b.reading.whole()
	}
	c.Lossy = c.Lossy || b.Lossy || b.Cut || b.Stray || b.Contents == 0 || b.Type == "edit" // of which no text is kept
	c.Note = t.isNote(Canonical(b.Format))
	c.inherit(t.waiting)
	if b.Role == "computer" {
		t.shown = c
		return
	}
	t.waiting, t.last = c, c
}

// isConfirmed reports whether stray code is rather a chunk that comes late, of
// code that has been confirmed and waits to be run.
func (t *Tracker) isConfirmed(b *Block) bool {
	return t.waiting != nil && t.waiting.Confirmed != nil && b.Format == t.waiting.Language
}

// abandon emits code that nothing became of.
func (t *Tracker) abandon(r *Record) {
	c := t.waiting
	if c == nil || c.Confirmed != nil || c.Note || c.refused || c.abandoned || t.resync.doubt || t.resync.unconfirmed {
		return
	}
	c.abandoned = true
	t.tell(Event{Kind: UnexecutedCode, Record: r, Code: c})
}
