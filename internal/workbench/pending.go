package workbench

import "cmp"

// Pending emits each event that may still come about a message so far, as it
// would be if it came now. Only the first of each kind in a conversation is
// emitted.
func (f *Tracker) Pending() {
	if f.doubtful {
		return
	}
	for _, c := range f.inOrder {
		c.pendingCommands()
		c.pendingUnlisted(&c.senders, UnknownSender)
		c.pendingUnlisted(&c.targets, UnknownTarget)
	}
}

// pendingCommands emits what may be missing for commands and responses.
func (c *conversation) pendingCommands() {
	s := &c.commands
	for _, command := range s.pending {
		if !command.optional {
			asked := *command
			asked.Instead = cmp.Or(asked.Instead, Chat) // an assistant may answer so
			c.tracker.emit(&Event{Kind: Unanswered, Asked: &asked, Place: command.Place})
			break
		}
	}
	if len(s.orphans) > 0 {
		c.tracker.emit(&Event{Kind: ResponseWithoutCommand, Place: s.orphans[0]})
	}
}

// pendingUnlisted emits an event for the first id that is not a participant so
// far.
func (c *conversation) pendingUnlisted(p *idPlaces, kind Kind) {
	for _, one := range p.inOrder {
		if !c.listed[one.id] {
			c.tracker.emit(&Event{Kind: kind, Name: one.id, Place: one.place})
			return
		}
	}
}
