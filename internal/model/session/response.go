package session

import (
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// response is the state of the server's current response.
type response struct {
	awaited bool // the user's message has ended, and no response came yet
	running bool // a block of it came, and no complete yet
	stopped bool // the user's command stopped it
	lossy   bool // a frame was lost that explains what is missing
	due     due  // what the client asked for in its last message

	cause    *Interruption    // what the client sent meanwhile, or nil
	midBlock bool             // a block was open at cause
	last     source.PlaceRef  // the server's last frame
	ended    source.PlaceRef  // the end of the user's message
	failed   *source.PlaceRef // an error whose complete is due, or nil

	block    blockKind // its last block
	stopsAt  int       // the number of the code at which it ended, which needs approval, or 0
	approved bool      // the user approved the pending code
}

// completes counts what the server may complete, to find a complete that comes twice.
type completes struct {
	owed   int  // messages, commands and errors without one; an interrupted response never has one
	isLast bool // the server's last frame is one
}

// follow follows a frame of the server, and reports whether it completes a response again. In acknowledge mode
// all such frames share an id, and may be delivered again.
func (c *completes) follow(r *lmc.Record) (again bool) {
	switch {
	case isError(r):
		c.owed++
	case !isComplete(r):
	case c.owed > 0:
		c.owed--
	default:
		again = c.isLast && r.ID == nil
	}
	c.isLast = isComplete(r)
	return again
}

// due is what the next response answers.
type due uint8

const (
	dueNothing due = iota
	dueMessage
	dueGo
	dueAny // the command could not be read
)

// blockKind is what kind of block a response may end with.
type blockKind uint8

const (
	otherBlock blockKind = iota
	spokenBlock
	codeBlock
)

// approvals are the confirmations of a server that sends them: each has an id,
// which the command go names.
type approvals struct {
	pending lmc.TextDigest // the id of the last confirmation
	seen    bool           // there was a confirmation
	waits   bool           // the last one was not approved yet
	unnamed bool           // its id is unknown: any may be meant
}

// ask notes a confirmation. It replaces the one before.
func (a *approvals) ask(r *lmc.Record) {
	*a = approvals{seen: true, waits: true, unnamed: true}
	if id := r.Key("confirmation_id"); id != nil && id.Kind == source.String {
		a.pending, a.unnamed = lmc.DigestText(id.Text()), false
	}
}

// grant notes a go with an id, and reports whether a confirmation may wait for
// it. Not every log has the confirmations.
func (a *approvals) grant(id string) bool {
	named := lmc.DigestText(id)
	known := !a.seen || a.waits && (a.unnamed || a.pending.Equal(&named))
	a.waits = false
	return known
}

// isComplete reports whether a frame ends a response.
func isComplete(r *lmc.Record) bool {
	switch {
	case r.Flag() && r.Content == nil:
		return false
	case r.Type == "completion":
		return true
	case r.Type == "status":
		return r.Text() == "complete" || r.HasInvalid(lmc.InvalidContent)
	}
	return r.Role == "server" && r.HasInvalid(lmc.InvalidType) && r.Text() == "complete"
}

// isError reports whether a frame is an error of the server.
func isError(r *lmc.Record) bool { return r.Type == "error" && r.Content != nil && !r.Flag() }

// followServer follows a frame of the server.
func (s *Session) followServer(r *lmc.Record) {
	s.serverSeen = true
	if r.IsAuth() {
		s.auth(r)
		return
	}
	if !s.gate.open { // the server sends this to authenticated clients only
		if s.gate.closed {
			s.dropBeforeKey()
		}
		s.openGate()
	}
	s.deliver(r)
	if s.completes.follow(r) && s.clientSeen {
		emit(s, lmc.Redelivered, r)
	}
	if (r.HasInvalid(lmc.InvalidRole|lmc.InvalidType) || r.Role == "server" && r.HasInvalid(lmc.InvalidFormat)) && !isComplete(r) {
		s.response.lossy = true
	}
	s.client.ReportEmpty()
	s.closeOpenMessage(r)
	fresh := s.answers(r)
	if isError(r) {
		if s.client.Open() == nil {
			s.client.ClearUncertainty() // the error is about the unreadable frame
		}
		s.awaitsComplete()
	}
	if s.closesError(r) {
		return
	}
	p := &s.response
	if fresh { // the response before has ended
		if p.running && s.server.Open() == nil && !p.stopped && !p.interrupted() {
			incomplete(s, Incomplete, &p.last)
		}
		p.running = false
	}
	s.server.SetLast(r.Source)
	s.server.Follow(r)
	if fresh {
		p.cause, p.stopped, p.due, p.awaited = nil, false, dueNothing, false
	}
	s.outcome(r)
	p.last.Set(r.Source, nil)
}

// closeOpenMessage closes the user's message if it is still open when the server
// answers it: its end is missing. A frame that the server sent before the
// message answers something else.
func (s *Session) closeOpenMessage(r *lmc.Record) {
	p, b := &s.response, s.client.Open()
	if !r.Start || b == nil || b.Stray || b.Contents == 0 || !s.options.Completes {
		return
	}
	if p.running || p.awaited || p.cause != nil || s.server.Open() != nil {
		return
	}
	s.client.CloseUnended(r)
}

// answers reports whether a frame begins the response to what the client sent
// last, instead of continuing the one before. A response to a message begins
// with a block of the assistant, a response to the command go with output.
func (s *Session) answers(r *lmc.Record) bool {
	p := &s.response
	switch {
	case p.due == dueNothing:
		return false
	case !p.running && s.server.Open() == nil:
		return r.Start || r.Content != nil && r.Role != "server"
	case p.due == dueMessage:
		return r.Start && r.Role == "assistant" || isError(r)
	}
	return r.Start
}

// closesError reports whether a frame is the complete of an earlier error. It
// does not affect the block that has begun since.
func (s *Session) closesError(r *lmc.Record) bool {
	p := &s.response
	switch {
	case p.failed == nil || !isComplete(r):
		return false
	case s.server.Open() != nil:
		p.failed = nil
		return true
	case p.running:
		s.awaitsComplete() // this one is the response's own
	}
	return false
}

// awaitsComplete reports an error without complete.
func (s *Session) awaitsComplete() {
	p := &s.response
	if p.failed == nil {
		return
	}
	if s.options.Completes && !p.lossy {
		emit(s, ErrorWithoutComplete, p.failed)
	}
	p.failed, p.lossy = nil, false
}

// interrupted reports whether the client interrupted the response. A response
// whose message was complete needs its complete all the same.
func (p *response) interrupted() bool {
	return p.cause != nil && (p.midBlock || p.block == otherBlock)
}

// incomplete reports a response without complete, unless a lost frame explains
// it.
func incomplete[E any](s *Session, kind lmc.KindOf[E], event *E) {
	if s.options.Completes && !s.response.lossy {
		emit(s, kind, event)
	}
	s.response.lossy = false
}

// outcome handles the frames that end a response.
func (s *Session) outcome(r *lmc.Record) {
	p := &s.response
	switch {
	case isComplete(r):
		s.completed()
	case isError(r):
		p.failed = new(source.PlaceRef)
		p.failed.Set(r.Source, nil)
		p.running, p.awaited = false, false
	case r.Type == "status" && r.Role == "server" && r.Content != nil:
		incomplete(s, UnexpectedStatus, r)
		s.completed()
	}
}

func (s *Session) completed() {
	p := &s.response
	if p.running && p.block == codeBlock {
		p.stopsAt = 0
		if code := s.server.PendingCode(); code != nil {
			p.stopsAt = code.Number
		}
	}
	p.running, p.awaited, p.stopped, p.lossy = false, false, false, false
	p.cause, p.failed = nil, nil
}

// serverEvent handles an event of the server's tracker.
func (s *Session) serverEvent(kind lmc.Kind, event any) {
	p := &s.response
	switch e := event.(type) {
	case *lmc.OpenedEvent:
		if !s.wrongSide || p.awaited {
			p.running = true
		}
		if k := e.Block.Type; (k == "code" || k == "edit") && e.Block.Role == "assistant" {
			p.approved = false
		}
	case *lmc.ConfirmationEvent:
		p.running, p.approved, p.block = true, false, codeBlock
		s.approvals.ask(e.Record)
	case *lmc.ClosedEvent:
		p.block = p.block.after(e.Block)
	case *lmc.ExecutionEvent:
		c := e.Run.Code
		if c == nil || c.Number != p.stopsAt || c.Note || e.Run.Refused {
			break // it is not of the code at which the response ended
		}
		if s.clientSeen && !p.approved && !p.lossy { // a log of the received frames only shows no approval
			emit(s, Unapproved, &lmc.OutputEvent{Block: e.Run.First, Code: c})
		}
		p.stopsAt, p.lossy = 0, false
	case *lmc.UnclosedEvent, *lmc.TruncatedEvent:
		if p.cause != nil {
			p.cause.Block = lmc.PartOf[lmc.Block](event)
			emit(s, Interrupted, p.cause)
			return
		}
	}
	s.forward(kind, event)
}

// after returns the kind of the last block after b has closed.
func (k blockKind) after(b *lmc.Block) blockKind {
	switch {
	case b.Role == "computer":
		return otherBlock
	case b.Type == "code", b.Type == "edit":
		return codeBlock
	case b.Type == "review" && k == codeBlock:
		return codeBlock
	}
	return spokenBlock
}

// finishResponse reports what is missing at the end of the session, and returns
// whether anything is.
func (s *Session) finishResponse(truncated bool) bool {
	p := &s.response
	s.awaitsComplete()
	switch {
	case truncated || p.stopped || !s.serverSeen && s.asked > 1: // a log of one direction
	case p.running && !p.interrupted():
		incomplete(s, Incomplete, &p.last)
		return true
	case p.awaited && !p.running:
		incomplete(s, Unanswered, &p.ended)
		return true
	}
	return false
}
