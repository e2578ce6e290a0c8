package lmc

// confirm follows a confirmation.
func (t *Tracker) confirm(r *Record) {
	misplaced := t.open != nil && !t.open.Stray && !t.open.soft && !t.resync.doubt
	early := t.open != nil && t.open.Contents == 0 && t.run != nil && !t.run.decided
	amid := misplaced && t.open.Ran() && t.open.Nulls == 0
	a := t.ask(r.Content)
	if misplaced && t.open.Ran() && t.ranUnconfirmed() && a.OK && t.last.Text.Equal(&a.Text) {
		t.resync.doubt = true // that it comes late is told
	}
	t.betweenBlocks(r, early || amid)
	a.Reported = misplaced || r.HasInvalid(InvalidContent)
	code := t.confirmed(a, early)
	t.tell(Event{Kind: Confirmation, Record: r, Code: code, Asked: a})
	if code == nil && !a.Reported {
		code = announced(r, a)
		t.waiting, t.last, t.anyCode = code, code, true
	}
	if code != nil && code.Confirmed == nil {
		code.confirm(r, a.Text.Lines+1)
	}
	if code != nil {
		code.Misplaced = misplaced
	}
	t.resync.unconfirmed = false
}

// betweenBlocks closes what is open before a record that stands between
// blocks. An execution ends there, unless it is to go on: its start came a
// record early, or the confirmation stands in the middle of its output.
func (t *Tracker) betweenBlocks(r *Record, goesOn bool) {
	run := t.run
	if goesOn {
		t.run = nil
	}
	if t.open != nil {
		t.CloseUnended(r)
	}
	if goesOn {
		t.run = run
		return
	}
	t.endRun(r)
}

// confirmed is the code that a confirmation refers to: the code that waits,
// the code that has already been run without one, or what the computer showed.
func (t *Tracker) confirmed(a *ConfirmationRequest, early bool) *Code {
	switch {
	case early:
		return t.run.Code
	case t.waiting != nil:
		return t.waiting
	case t.ranUnconfirmed() && a.OK && t.last.Text.Equal(&a.Text):
		return t.last
	case t.shown != nil && a.OK && t.shown.Text.Equal(&a.Text):
		return t.shown
	case t.ranUnconfirmed():
		return t.last
	case t.resync.doubt:
		return &Code{Lossy: true}
	}
	return nil
}

// ranUnconfirmed reports whether the last code was run without a confirmation.
func (t *Tracker) ranUnconfirmed() bool { return t.last != nil && t.last.Run && t.last.Unconfirmed }

// frame follows a record of the server's, which stands between blocks.
func (t *Tracker) frame(r *Record) {
	t.betweenBlocks(r, false)
	t.tell(Event{Kind: Frame, Record: r})
}
