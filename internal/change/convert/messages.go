package convert

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// assembly makes the messages that a consumer stores of a stream.
type assembly struct {
	c         *conversion
	assembler *assemble.Assembler
	at        source.Record // the place of the record under way, which messages get
	stopped   bool          // the consumer has crashed
}

// newAssembly returns the step for a stream or a session. Without a consumer, the
// server stores a session, and the interpreter what it streams.
func newAssembly(c *conversion, next func(*source.Record), kind string) *assembly {
	s := &assembly{c: c}
	o := c.options.Assembly
	if o.As == "" && kind == protocol.KindSession {
		o.As = assemble.Server
	}
	s.assembler = assemble.New(o, func(message []byte) {
		r := s.at // the message is at the place of the record that completes it
		r.Data = message
		next(&r) // which only writes it, so that it needs no values
	}, c.report)
	return s
}

func (s *assembly) add(r *source.Record) {
	s.at = source.Record{Start: r.Start, Index: r.Index, Conversation: r.Conversation, Pointer: r.Pointer}
	switch {
	case s.stopped:
	case r.Binary:
		s.assembler.Binary(r)
	case r.Root.Kind != source.Object:
		s.c.lose(LeftOut, r, "not an object, so not a chunk")
	default:
		if !s.assembler.Add(lmc.NewRecord(r)) {
			s.stopped = true
			s.c.lose(LeftOut, r, "the consumer stopped here: what follows is not stored; --go-on continues")
		}
	}
}
