package assemble

import (
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// serverStore stores what a client sends as the WebSocket server does, and what
// the server sends as the interpreter does.
type serverStore struct {
	a        *Assembler
	own      *interpreterStore
	inBlock  bool   // between a start and its end
	role     string // of the last start
	merged   bool   // a merge was reported, until something else happens
	rejected bool   // a frame was dropped because the client was not authenticated
}

func (s *serverStore) add(r *lmc.Record) error {
	switch {
	case r.Source.Direction == source.Received:
		s.authenticated(r)
		return s.own.add(r)
	case isAboutConnection(r):
		return nil
	case r.Start:
		s.own.leave()
		return s.accumulate(r)
	case r.Content != nil:
		if r.End {
			s.a.report(Lost, r, "end is ignored on a record with content; the server waits for another")
		}
		return s.accumulate(r)
	case r.Key("end") != nil:
		return s.end()
	}
	s.a.report(Lost, r, "record has no start, content or end; the server skips it")
	return nil
}

// isAboutConnection reports whether a record is a frame about the connection.
func isAboutConnection(r *lmc.Record) bool { return r.IsTransport() && (r.IsAuth() || r.IsAck()) }

// authenticated follows the server's answers: it dropped the frames that were
// sent before the client authenticated.
func (s *serverStore) authenticated(r *lmc.Record) {
	n := r.Key("auth")
	switch {
	case n == nil || n.Kind != source.Bool:
	case n.Value() == false:
		s.rejected = true
		s.a.report(Lost, r, "the server dropped the frame before this answer: the client was not authenticated")
	case s.rejected:
		s.rejected, s.inBlock, s.a.open = false, false, nil
	}
}

// end follows an end flag, which removes a command.
func (s *serverStore) end() error {
	s.inBlock, s.merged = false, false
	last := s.a.last()
	if last == nil {
		return exception("IndexError: list index out of range")
	}
	if last.isCommand() {
		s.a.open = s.a.open[:len(s.a.open)-1]
	}
	return nil
}

// accumulate emulates the method of that name. The server does not append content to a
// message of another type or format; it does not compare roles.
func (s *serverStore) accumulate(r *lmc.Record) error {
	if r.Format == "active_line" {
		return nil
	}
	last := s.a.last()
	switch {
	case r.Content != nil && (last == nil || !last.contradicts(r, "type", "format")):
		if last == nil {
			return exception("Exception: You must send a 'start: True' chunk first to create this message.")
		}
		return s.appendTo(last, r)
	case r.Start:
		s.inBlock, s.role, s.merged = true, r.Role, false
		s.create(r)
	case last != nil: // content becomes a message without a start, as parts of a block without a type may
		switch {
		case r.Role == "server", r.Type == "confirmation", r.Type == "review":
			s.a.report(StoredNonMessage, r, "stored as a message, but is not one")
		case !s.inBlock || r.Role != "user" || !last.is("role", "user"):
			s.a.report(Split, r, "differs from the preceding message; stored as another message without a start")
		}
		s.create(r)
	}
	return nil
}

func (s *serverStore) create(r *lmc.Record) {
	m := newAssembled(r, "start")
	if !m.has("content") {
		m.setContent(nil)
	}
	s.a.push(m)
}

// appendTo appends content to the last message.
func (s *serverStore) appendTo(m *assembled, r *lmc.Record) error {
	s.reportMerge(m, r)
	s.a.reportMergedImage(m, r)
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

// reportMerge reports content that does not belong to the message that it is
// appended to, once for consecutive chunks.
func (s *serverStore) reportMerge(m *assembled, r *lmc.Record) {
	switch {
	case r.Start:
		s.a.report(Merged, r, "start is ignored on a record with content: appended to the preceding "+m.what())
		s.inBlock, s.role, s.merged = true, r.Role, false
	case s.merged:
	case !s.inBlock:
		s.a.report(Merged, r, "no start: appended to the preceding "+m.what())
		s.merged = true
	case r.Role != s.role:
		s.a.report(Merged, r, "appended to the preceding "+m.what()+", regardless of role")
		s.merged = true
	}
}
