package assemble

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// interpreterStore stores what the interpreter streams. The interpreter adds the
// flags itself, so they only decide where a block ends; the message is made from
// the content.
type interpreterStore struct {
	a       *Assembler
	base    []byte // role, type and format of the open block, nil between blocks
	blocks  int    // begun so far
	code    bool   // the assistant's code is complete, and nothing followed it
	pending bool   // a confirmation was streamed, and nothing followed it
}

func (s *interpreterStore) add(r *lmc.Record) error {
	if r.Role == "server" || isAboutConnection(r) || r.Source.Direction == source.Sent {
		return nil // frames of the server itself, and of its client
	}
	if s.pending && s.a.options.EmptyConsole { // it continues after the confirmation
		s.a.push(emptyConsole())
	}
	s.pending = false
	if r.Start {
		s.leave()
	}
	var err error
	if r.Content != nil || !r.Flag() {
		err = s.store(r)
	}
	if r.End {
		s.leave()
	}
	return err
}

// leave follows the end of a block.
func (s *interpreterStore) leave() {
	if s.base != nil && s.a.options.Rewrites {
		s.a.last().rewrite()
	}
	s.base = nil
}

// store follows one chunk as _respond_and_store does, key by key.
func (s *interpreterStore) store(r *lmc.Record) error {
	switch r.Type {
	case "stop_live_display":
		return nil
	case "notice", "view_image_approval": // of the community's fork: shown, not stored
		s.leave()
		return nil
	}
	o, last, isOutput := &s.a.options, s.a.last(), r.Type == "console" && r.Format == "output"
	switch {
	case r.Replaces() && last != nil && last.is("format", "reasoning") && r.Content.Kind == source.String:
		last.setContent(r.Content.AppendExact(nil)) // reasoning, instead of what was streamed of it
		return nil
	case r.Content == nil:
		return exception("KeyError: 'content'")
	case r.Empty() && (!o.KeepsEmptyOutput || !isOutput):
		return nil
	case r.Format != "active_line" || r.Content.Kind != source.Null:
	case !o.EmptyConsole && (last == nil || !last.is("role", "computer")):
		s.a.push(emptyConsole()) // the end of an execution without output
	}
	if r.Key("type") == nil {
		return exception("KeyError: 'type'")
	}
	if r.Type == "confirmation" {
		s.leave()
		s.pending, s.code = true, false
		return nil
	}
	if s.code && r.Role == "computer" && o.AutoRun && o.EmptyConsole && !lmc.IsRefusal(r.Text()) {
		s.a.push(emptyConsole()) // of the confirmation, which the interpreter makes though it does not stream it
	}
	s.code = r.Role == "assistant" && r.Type == "code"
	if err := s.keep(r); err != nil {
		return err
	}
	return s.cut(r)
}

// keep appends a chunk to the last message, or begins a message.
func (s *interpreterStore) keep(r *lmc.Record) error {
	base := s.baseOf(r)
	if s.base != nil && string(base) == string(s.base) {
		if s.ephemeral(r) {
			return nil
		}
		return s.extend(r)
	}
	s.leave()
	if r.Key("role") == nil {
		return exception("KeyError: 'role'")
	}
	s.base = base
	s.blocks++
	if !s.ephemeral(r) {
		s.begin(r)
	}
	return nil
}

// ephemeral reports whether a chunk is streamed but never stored.
func (s *interpreterStore) ephemeral(r *lmc.Record) bool {
	return r.Format == "active_line" || r.Type == "review" && !s.a.options.AppendsToAnyMessage
}

func (s *interpreterStore) begin(r *lmc.Record) {
	m := newAssembled(r, "start", "end", "stop", "id")
	m.block = s.blocks
	s.a.push(m)
}

// extend appends a chunk to the last message of the conversation. It is that of
// the block, unless the block began with chunks that are not stored.
func (s *interpreterStore) extend(r *lmc.Record) error {
	m := s.a.last()
	switch {
	case m == nil && s.a.options.AppendsToAnyMessage:
		s.a.report(Lost, r, "appended to the message before the stream, which is not in the input")
		return nil
	case m == nil, !s.a.options.AppendsToAnyMessage && m.contradicts(r, "role", "type", "format"):
		s.begin(r)
		return nil
	}
	if m.block != s.blocks && len(m.text) > 0 {
		s.a.report(Merged, r, "appended to the preceding "+m.what())
	} else {
		s.a.reportMergedImage(m, r)
	}
	m.block = s.blocks
	return m.extend(r)
}

// cut truncates console output to its last characters.
func (s *interpreterStore) cut(r *lmc.Record) error {
	if r.Type != "console" {
		return nil
	}
	if r.Key("format") == nil {
		return exception("KeyError: 'format'")
	}
	m := s.a.last()
	if r.Format != "output" || s.a.options.MaxOutput <= 0 || m == nil {
		return nil
	}
	if !m.isText {
		return exception("AttributeError: '" + m.contentType() + "' object has no attribute 'startswith'")
	}
	before := m.notice
	m.cutOutput(fmt.Sprintf(s.a.options.CutNotice, s.a.options.MaxOutput), s.a.options.MaxOutput)
	if m.notice != before {
		s.a.report(Lost, r, fmt.Sprintf("output exceeds %d characters; only the last ones are stored", m.most))
	}
	return nil
}

// baseOf joins the role, type and format that flags of the chunk would have. A
// console block has no format.
func (s *interpreterStore) baseOf(r *lmc.Record) []byte {
	base := []byte{}
	for _, name := range []string{"role", "type", "format"} {
		if n := r.Key(name); n != nil && (name != "format" || r.Type != "console") {
			base = append(appendValue(append(base, name...), n), ' ')
		}
	}
	return base
}
