package assemble

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// serverStore stores what a client sends as the WebSocket server does. What
// the server sends it stores as the interpreter that it is.
type serverStore struct {
	a        *Assembler
	own      *interpreterStore
	inBlock  bool   // between a start and its end
	role     string // of the last start
	glued    bool   // that is told, until something else happens
	rejected bool   // a frame was dropped because nobody had authenticated
}

func newServerStore(a *Assembler) *serverStore {
	return &serverStore{a: a, own: &interpreterStore{a: a}}
}

func (s *serverStore) finish() { s.own.finish() }

func (s *serverStore) add(r *lmc.Record) error {
	switch {
	case r.Source.Direction == source.Received:
		s.authenticated(r)
		return s.own.add(r)
	case r.IsTransport() && (r.Key("auth") != nil || r.Key("ack") != nil):
		return nil
	case r.Start:
		s.own.leave()
		return s.accumulate(r)
	case r.Content != nil:
		if r.End {
			s.a.mishap(Lost, r, "its end is not seen, because it has content: the server goes on waiting")
		}
		return s.accumulate(r)
	case r.Key("end") != nil:
		return s.end()
	}
	s.a.mishap(Lost, r, "it has neither start nor content nor end, and is passed over")
	return nil
}

// authenticated follows the server's answers: what was sent before the client
// had authenticated was dropped.
func (s *serverStore) authenticated(r *lmc.Record) {
	n := r.Key("auth")
	switch {
	case n == nil || n.Kind != source.Bool:
	case n.Value() == false:
		s.rejected = true
		s.a.mishap(Lost, r, "the server dropped the frame that this answers: the client had not authenticated")
	case s.rejected:
		s.rejected, s.inBlock, s.a.open = false, false, nil
	}
}

// end follows an end flag. It takes a command off.
func (s *serverStore) end() error {
	s.inBlock, s.glued = false, false
	last := s.a.last()
	if last == nil {
		return exception("IndexError: list index out of range")
	}
	if last.isCommand() {
		s.a.pop()
	}
	return nil
}

// accumulate follows the method of that name.
func (s *serverStore) accumulate(r *lmc.Record) error {
	if r.Format == "active_line" {
		return nil
	}
	last := s.a.last()
	switch {
	case r.Content != nil && (last == nil || !last.refuses(r)):
		if last == nil {
			return exception("Exception: You must send a 'start: True' chunk first to create this message.")
		}
		return s.appendTo(last, r)
	case r.Start:
		s.inBlock, s.role, s.glued = true, r.Role, false
		s.create(r)
	case last != nil:
		s.opensItself(last, r)
		s.create(r)
	}
	return nil
}

// refuses reports whether the server does not append content to the message:
// the type or the format differs. It does not compare roles.
func (m *assembled) refuses(r *lmc.Record) bool {
	return m.has("type") && !m.agrees(r, "type") || m.has("format") && !m.agrees(r, "format")
}

func (s *serverStore) create(r *lmc.Record) {
	m := newAssembled(r, "start")
	if !m.has("content") {
		m.setContent(nil)
	}
	s.a.push(m)
}

// opensItself tells of content that becomes a message without a start. Parts
// of a block without a type do so by right.
func (s *serverStore) opensItself(last *assembled, r *lmc.Record) {
	switch {
	case r.Role == "server", r.Type == "confirmation", r.Type == "review":
		s.a.mishap(StoredNonMessage, r, "it is stored as a message, and is none")
	case s.inBlock && r.Role == "user" && last.is("role", "user"):
	default:
		s.a.mishap(Split, r, "it differs from the message before it, and becomes a message of its own without a start")
	}
}

// appendTo appends content to the last message.
func (s *serverStore) appendTo(m *assembled, r *lmc.Record) error {
	s.tellGlued(m, r)
	s.a.gluesImage(m, r)
	if !m.has("type") {
		n := r.Key("type")
		if n == nil {
			return exception("KeyError: 'type'")
		}
		m.set("type", n)
	}
	if n := r.Key("format"); n != nil && truthy(n) && !m.has("format") {
		m.set("format", n)
	}
	return m.extend(r)
}

// tellGlued tells of content that does not belong to the message that it is
// appended to, once for a run.
func (s *serverStore) tellGlued(m *assembled, r *lmc.Record) {
	switch {
	case r.Start:
		s.a.mishap(Merged, r, "its start is not seen, because it has content: it is appended to the "+m.what()+" before it")
		s.inBlock, s.role, s.glued = true, r.Role, false
	case s.glued:
	case !s.inBlock:
		s.a.mishap(Merged, r, "no start stands before it: it is appended to the "+m.what()+" before it")
		s.glued = true
	case r.Role != s.role:
		s.a.mishap(Merged, r, "it is appended to the "+m.what()+" before it, whatever its own role is")
		s.glued = true
	}
}

// Binary says that a frame is binary.
func (a *Assembler) Binary(src *source.Record) {
	m := Deviation{Kind: Lost, Place: src.Place(), Message: "a binary frame is no chunk, and is passed over"}
	if a.assembly.As == Server && src.Direction != source.Received {
		m.Kind, m.Message = Crash, "TypeError: a bytes-like object is required, not 'str'"
	}
	a.tell(m)
}
