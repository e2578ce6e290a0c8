package convert

import (
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// step is one step of a conversion. It passes records on to the next one, and
// reports what it does not pass on. A record is valid until add returns.
//
// No step fails: the error of the output stays in the writer, and ends the
// conversion after the record of the input that led to it.
type step interface {
	add(r *source.Record)
	finish() // ends the conversation
}

// conversation is the conversion of one conversation of an input.
type conversation struct {
	c      *conversion
	number int              // of the last list, if several are parts of it
	first  []*source.Record // until its kind is known, if the steps depend on it
	steps  step             // nil until then

	mayJoin  bool // other lists of the input may be parts of it
	hasFlags bool // a record has a flag, so that they are
}

// contains reports whether a record is one of the conversation. The lists of a stream
// are parts of it.
func (v *conversation) contains(r *source.Record) bool {
	number := max(r.Conversation, 0)
	if v.mayJoin && v.hasFlags {
		v.number = number
	}
	return v.number == number
}

// add passes a record to the steps. It fails if the conversation is of an unknown
// protocol.
func (v *conversation) add(r *source.Record) error {
	if v.mayJoin && !v.hasFlags && r.Root != nil && r.Root.Kind == source.Object {
		v.hasFlags = protocol.IsChunk(lmc.NewRecord(r))
	}
	if v.steps == nil {
		v.first = append(v.first, r.Clone())
		return v.detect(false)
	}
	v.steps.add(r)
	return nil
}

// end ends the conversation.
func (v *conversation) end() error {
	if v.steps == nil {
		if err := v.detect(true); err != nil {
			return err
		}
	}
	v.steps.finish()
	return nil
}

// detect finds out from the first records what the conversation is, and passes
// them on once that is known.
func (v *conversation) detect(final bool) error {
	found := v.c.sniff(v.first, final)
	switch {
	case found.LooksLike != "" && v.c.known && !v.c.options.needsLMC():
		found.Kind = cmp.Or(v.c.options.Kind, protocol.KindTranscript) // beside others of a known protocol
	case found.LooksLike != "":
		return &lint.UnknownInputError{Looks: found.LooksLike}
	case found.Kind == "" && final:
		found.Kind = protocol.KindTranscript
	case found.Kind == "":
		return nil
	}
	v.c.recognize()
	v.steps = v.plan(found.Kind)
	for _, r := range v.first {
		v.steps.add(r)
	}
	v.first = nil
	return nil
}

// plan returns the steps for a conversation of a kind, the first one of them.
func (v *conversation) plan(kind string) step {
	c, o := v.c, &v.c.options
	whole := kind == protocol.KindTranscript
	switch {
	case o.To == Messages:
		c.writer.watch(protocol.KindTranscript)
	case o.To == Chunks, o.Only != source.Undirected:
		c.writer.watch(protocol.KindStream)
	default:
		c.writer.watch(kind)
	}
	var s step = &output{c}
	switch {
	case o.To == Messages && !whole:
		s = newAssembly(c, s, kind)
	case o.To == Chunks && whole:
		s = newStreamer(c, s)
	}
	first := slices.IndexFunc(v.first, func(r *source.Record) bool { return r.Root != nil && r.Root.Kind == source.Object })
	if o.FromVersion != "" || o.needsLMC() && first >= 0 && protocol.IsPreLMC(v.first[first]) {
		s = &upgrade{c: c, next: s}
	}
	return s
}

// output is the last step: it writes records.
type output struct{ c *conversion }

func (s *output) add(r *source.Record) {
	if err := s.c.writer.add(r); err != nil {
		s.c.leaveOut(r, err)
	}
}

func (s *output) finish() {}
