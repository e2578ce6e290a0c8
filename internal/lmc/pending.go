package lmc

// Pending emits, marked as pending, each event that may still come and be about
// a record before the next one. Its references are as they would be if it came
// now: what they refer to may change until then.
func (t *Tracker) Pending() {
	switch b := t.open; {
	case b != nil:
		if a := framingTable[t.state][startOther]; a == reportUnclosed || a == reportStartTwice {
			t.sendPending(Event{Kind: Truncated, Last: &t.end, Block: b})
		}
		if b.Type == "console" && t.run != nil && t.run.Console == nil && !t.anyCode {
			t.sendPending(Event{Kind: CodelessOutput, Block: b})
		}
		t.sendPending(Event{Kind: Closed, Block: b, Run: t.run})
		if b.Type == "code" && !b.IsFromExecution() {
			t.sendPending(Event{Kind: UnexecutedCode, Code: &Code{Start: b.Start}})
		}
	case t.state == afterEmptyBlock:
		t.sendPending(Event{Kind: Closed, Block: t.empty})
	}
	if run := t.run; run != nil {
		if !run.decided {
			t.sendPending(Event{Kind: Execution, Block: run.First, Code: run.Code, Run: run})
		}
		t.sendPending(Event{Kind: Executed, Block: run.Console, Code: run.Code, Run: run})
	}
	if c := t.PendingCode(); c != nil && c.phase == pending {
		t.sendPending(Event{Kind: UnexecutedCode, Code: c})
	}
}

func (t *Tracker) sendPending(e Event) {
	e.Pending = true
	t.send(e)
}

// Pending is [Tracker.Pending] for a transcript.
func (t *Transcript) Pending() { t.send(Event{Kind: Finished, Pending: true}) }
