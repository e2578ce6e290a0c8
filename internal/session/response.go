package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// response is what is known of the server's response under way.
type response struct {
	awaited bool // the user's message has ended, and nothing came back yet
	running bool // a block of it came, and no complete
	stopped bool // the user's command stopped it
	doubt   bool // a frame was lost that explains what is missing
	due     due  // what the client asked for since it last began to speak

	cause    *lmc.Cause       // what the client sent while it was running
	midBlock bool             // a block was open at cause
	last     source.PlaceRef  // the server's last frame
	ended    source.PlaceRef  // the end of the user's message
	failed   *source.PlaceRef // an error that waits for its complete

	block   blockKind // its last block
	stopsAt int       // the number of the code at which it ended, to be approved; 0 if there is none
	goes    bool      // the user approved what waits
}

// due is what the next response is to.
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

// isComplete reports whether a frame closes a response.
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

// isError reports whether a frame is the server's word that it failed.
func isError(r *lmc.Record) bool { return r.Type == "error" && r.Content != nil && !r.Flag() }

// receive follows a frame of the server's.
func (s *Session) receive(r *lmc.Record) {
	s.heard = true
	if r.IsAuth() {
		s.auth(r)
		return
	}
	s.spoke()
	if s.deliver(r) {
		return
	}
	if (r.HasInvalid(lmc.InvalidRole|lmc.InvalidType) || r.Role == "server" && r.HasInvalid(lmc.InvalidFormat)) && !isComplete(r) {
		s.response.doubt = true
	}
	s.client.ReportEmpty()
	s.overtake(r)
	fresh := s.answers(r)
	if isError(r) {
		if s.client.Open() == nil {
			s.client.ClearUncertainty() // it tells of what the client sent and nobody could read
		}
		s.awaitsComplete()
	}
	if s.closesError(r) {
		return
	}
	if fresh {
		s.turnOver()
	}
	s.server.Last(r.Source)
	s.server.Follow(r)
	if fresh {
		p := &s.response
		p.cause, p.stopped, p.due, p.awaited = nil, false, dueNothing, false
	}
	s.outcome(r)
	s.response.last.Set(r.Source, nil)
}

// overtake closes a message of the user's that is still open when the server
// answers it: its end is missing. A frame that was under way when the user
// began to speak answers something else.
func (s *Session) overtake(r *lmc.Record) {
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
// last, and does not go on with the one before. A response to a message begins
// with what the model says, one to a go with what the code puts out.
func (s *Session) answers(r *lmc.Record) bool {
	p := &s.response
	switch {
	case p.due == dueNothing:
		return false
	case !p.running && s.server.Open() == nil:
		return r.Start || r.Content != nil && r.Role != "server"
	case p.due == dueMessage:
		return r.Start && r.Role == "assistant"
	}
	return r.Start
}

// closesError reports whether a frame is the complete of an error that came in
// between: it leaves the block alone that has begun in the meantime.
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

// awaitsComplete tells of an error that no complete followed.
func (s *Session) awaitsComplete() {
	p := &s.response
	if p.failed == nil {
		return
	}
	if s.options.Completes && !p.doubt {
		s.tell(lmc.Event{Kind: lmc.ErrorWithoutComplete, Last: p.failed})
	}
	p.failed, p.doubt = nil, false
}

// turnOver decides about the response before, when another one begins.
func (s *Session) turnOver() {
	p := &s.response
	if p.running && s.server.Open() == nil && !p.stopped && !p.interrupted() {
		s.incomplete(lmc.Event{Kind: lmc.Incomplete, Last: &p.last})
	}
	p.running = false
}

// interrupted reports whether the client spoke while the response was at work.
// One whose last word was spoken should have been completed all the same.
func (p *response) interrupted() bool {
	return p.cause != nil && (p.midBlock || p.block == otherBlock)
}

// incomplete tells of a response without its complete, unless something lost
// explains it.
func (s *Session) incomplete(e lmc.Event) {
	if s.options.Completes && !s.response.doubt {
		s.tell(e)
	}
	s.response.doubt = false
}

// outcome follows the frames that end a response.
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
		s.incomplete(lmc.Event{Kind: lmc.UnexpectedStatus, Record: r})
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
	p.running, p.awaited, p.stopped, p.doubt = false, false, false, false
	p.cause, p.failed = nil, nil
}

// serverEvent follows what happens on the server's side.
func (s *Session) serverEvent(e *lmc.Event) {
	p := &s.response
	switch e.Kind {
	case lmc.Opened:
		if !s.foreign || p.awaited {
			p.running = true
		}
		if e.Block.Type == "code" && e.Block.Role == "assistant" {
			p.goes = false
		}
	case lmc.Closed:
		p.block = p.block.after(e.Block)
	case lmc.Execution:
		s.executed(e)
	case lmc.Unclosed, lmc.Truncated:
		if p.cause != nil {
			s.pass(&lmc.Event{Kind: lmc.Interrupted, Record: e.Record, Last: e.Last, Block: e.Block, Cause: p.cause})
			return
		}
	}
	s.pass(e)
}

// after is the kind of the last block when another one has closed.
func (k blockKind) after(b *lmc.Block) blockKind {
	switch {
	case b.Role == "computer":
		return otherBlock
	case b.Type == "code":
		return codeBlock
	case b.Type == "review" && k == codeBlock:
		return codeBlock
	}
	return spokenBlock
}

// executed checks that code which waited for the user's go was given it.
func (s *Session) executed(e *lmc.Event) {
	p := &s.response
	if e.Code == nil || e.Code.Number != p.stopsAt || e.Code.Note || e.Run.Refused {
		return
	}
	p.stopsAt = 0
	if !p.goes && !p.doubt {
		s.tell(lmc.Event{Kind: lmc.Unapproved, Block: e.Block, Code: e.Code})
	}
	p.doubt = false
}

// finishResponse tells what is missing when the session ends, and reports
// whether anything is.
func (s *Session) finishResponse(truncated bool) bool {
	p := &s.response
	s.awaitsComplete()
	switch {
	case truncated || p.stopped || !s.heard:
	case p.running && !p.interrupted():
		s.incomplete(lmc.Event{Kind: lmc.Incomplete, Last: &p.last})
		return true
	case p.awaited && !p.running:
		s.incomplete(lmc.Event{Kind: lmc.Unanswered, Last: &p.ended})
		return true
	}
	return false
}
