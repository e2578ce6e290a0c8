package convert

import (
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// merger makes one stream of both directions of a connection. What the client
// sends while a block of the server is open comes after it.
type merger struct {
	c    *conversion
	next step

	open    *lmc.Record // the start of the open block of the server
	waiting []*source.Record
}

func (s *merger) add(r *source.Record) {
	from := r.Direction
	r.Direction, r.Time = source.Undirected, nil
	switch {
	case r.Binary:
		s.c.lose(LeftOut, r, "a binary frame has no place in a stream")
	case from == source.Sent && s.open != nil && r.Root.Kind == source.Object:
		s.waiting = append(s.waiting, r.Clone())
	case from == source.Received && r.Root.Kind == source.Object:
		s.received(r)
	default:
		s.next.add(r)
	}
}

// received passes on a record of the server.
func (s *merger) received(r *source.Record) {
	v := lmc.NewRecord(r)
	if v.Start {
		s.interrupt()
	}
	switch {
	case v.End:
		s.open = nil
	case v.Start:
		s.open = v.Clone()
	}
	s.next.add(r)
	if s.open == nil {
		s.release()
	}
}

func (s *merger) finish() {
	s.interrupt()
	s.next.finish()
}

// interrupt ends the block of the server that the client interrupted.
func (s *merger) interrupt() {
	if s.open != nil && len(s.waiting) > 0 {
		open := s.open.Source
		s.c.lose(Changed, open, "the block was interrupted; its end is added")
		s.c.flag(open, s.c.options.ToDialect.EndKey, s.next.add)
	}
	s.open = nil
	s.release()
}

// release passes on what waited for the end of a block.
func (s *merger) release() {
	waiting := s.waiting
	s.waiting = nil
	for _, r := range waiting {
		s.next.add(r)
	}
}

// typer gives the flags of a user's block the type of its content. A block with
// parts of several types becomes one for each. Commands have no place in a stream:
// go becomes the confirmation of what it approves.
type typer struct {
	c    *conversion
	next step

	start *source.Record // a flag without a type, until its content comes
	part  *source.Record // the content whose block is open
}

func (s *typer) add(r *source.Record) {
	if r.Root == nil || r.Root.Kind != source.Object {
		s.next.add(r)
		return
	}
	inBlock := s.start != nil || s.part != nil
	switch v := lmc.NewRecord(r); {
	case v.Role != "user":
		s.next.add(r)
	case v.Type == "command":
		s.followCommand(r, v)
	case v.Start && v.IsTypelessFlag():
		s.start = r.Clone()
	case !inBlock:
		s.next.add(r)
	case v.End:
		s.end(r)
	default:
		s.begin(r, v)
		s.next.add(r)
	}
}

func (s *typer) finish() { s.next.finish() }

// followCommand leaves a command out, and reports one without a counterpart.
func (s *typer) followCommand(r *source.Record, v *lmc.Record) {
	if text := v.Text(); v.Content != nil && text != "go" && !strings.HasPrefix(text, "go:") {
		s.c.lose(LeftOut, r, "%s has no commands", s.c.options.ToDialect.Name)
	}
}

// begin begins the block of a part, and ends that of a part of another type.
func (s *typer) begin(r *source.Record, v *lmc.Record) {
	if s.part != nil {
		open := lmc.NewRecord(s.part)
		if open.Type == v.Type && open.Format == v.Format {
			return
		}
		s.c.flag(s.part, s.c.options.ToDialect.EndKey, s.next.add)
	}
	s.part = r.Clone()
	s.c.flag(r, "start", s.next.add)
}

// end ends the block of the last part.
func (s *typer) end(r *source.Record) {
	part := s.part
	if s.start, s.part = nil, nil; part == nil {
		s.c.lose(LeftOut, r, "a block without a type has no content")
		return
	}
	s.c.flag(part, s.c.options.ToDialect.EndKey, s.next.add)
}

// executions adds the confirmations and the last active_line of executions, where
// the dialect of the input has none.
type executions struct {
	c    *conversion
	next step
	from *origin
	to   *schema.Dialect

	code   *source.Record  // the start of the last code of the assistant, which did not run yet
	text   strings.Builder // its text as JSON strings, without quotes
	start  *source.Record  // the start of the first block of its execution, until the content shows that it is not a refusal
	end    *source.Record  // the end of a console block, which may be the last one
	ran    *source.Record  // the first record of the execution under way, or nil
	came   bool            // output of it came
	closed bool            // its last active_line came
}

func (s *executions) add(r *source.Record) {
	if r.Root == nil || r.Root.Kind != source.Object {
		s.next.add(r)
		return
	}
	v := lmc.NewRecord(r)
	switch {
	case s.start != nil:
		s.decide(v)
	case s.code != nil && v.Role == "computer" && v.Start:
		s.start = r.Clone()
		return
	}
	if s.ran != nil && v.Role != "computer" {
		s.conclude()
	}
	s.follow(r, v)
	s.release()
	if s.ran != nil && v.End && v.Type == "console" {
		s.end = r.Clone()
		return
	}
	s.next.add(r)
}

func (s *executions) finish() {
	if s.start != nil {
		s.next.add(s.start)
		s.start = nil
	}
	s.conclude()
	s.next.finish()
}

// follow notes code, its confirmation, and what its execution prints.
func (s *executions) follow(r *source.Record, v *lmc.Record) {
	switch {
	case v.Type == "confirmation":
		if s.code != nil && s.lacksNull() {
			s.ran, s.came, s.closed = r.Clone(), false, false
		}
		s.code = nil
	case v.Role == "assistant" && v.Type == "code" && v.Start:
		s.code = r.Clone()
		s.text.Reset()
	case v.Role == "assistant" && v.Type == "code" && s.code != nil && v.Content != nil && v.Content.Kind == source.String:
		text := source.AppendASCII(nil, v.Content.AppendExact(nil))
		s.text.Write(text[1 : len(text)-1])
	case v.Role == "assistant" && v.Type == "message", v.Role == "user":
		s.code = nil
	case v.Role == "computer" && s.ran != nil:
		s.came = true
		s.closed = s.closed || v.Format == "active_line" && v.Content != nil && v.Content.Kind == source.Null
	}
}

// lacksNull reports whether executions must get a last active_line.
func (s *executions) lacksNull() bool { return s.to.FinalNull && s.from.lacksFinalNull() }

// lacksConfirmation reports whether executions must get a confirmation.
func (s *executions) lacksConfirmation() bool {
	some, always := s.from.confirms()
	switch s.to.Confirmation {
	case schema.ConfirmAlways:
		return !always || !some
	case schema.ConfirmUnlessAutoRun:
		return !some && !s.c.options.AutoRun
	}
	return false
}

// decide passes on the start of an execution, after its confirmation unless the
// first content says that the code was refused.
func (s *executions) decide(first *lmc.Record) {
	start, code := s.start, s.code
	s.start, s.code = nil, nil
	refused := first.Format == "output" && lmc.IsRefusal(first.Text())
	if language := lmc.NewRecord(code).Format; !refused && s.lacksConfirmation() && !s.to.IsNote(language) {
		s.c.derive(start, confirmationOf(language, `"`+s.text.String()+`"`), s.next.add)
	}
	if !refused && s.lacksNull() {
		s.ran, s.came, s.closed = start, true, false
	}
	s.next.add(start)
}

// confirmationOf returns the confirmation of code, which is JSON.
func confirmationOf(language, code string) object {
	content := newObject("type", `"code"`, "format", quoted(strings.ToLower(strings.TrimSpace(language))), "content", code)
	return newObject("role", `"computer"`, "type", `"confirmation"`, "format", `"execution"`, "content", string(content.json()))
}

// release passes on the end of a console block that is not the last one.
func (s *executions) release() {
	if end := s.end; end != nil {
		s.end = nil
		s.next.add(end)
	}
}

// conclude ends an execution with active_line null, in its last block or in one of
// its own.
func (s *executions) conclude() {
	last := s.ran
	s.ran = nil
	if last != nil && s.came && !s.closed {
		console := newObject("role", `"computer"`, "type", `"console"`)
		null := console.with("format", `"active_line"`).with("content", "null")
		if s.end != nil {
			s.c.derive(last, null, s.next.add)
		} else {
			s.c.derive(last, console.with("start", "true"), s.next.add)
			s.c.derive(last, null, s.next.add)
			s.c.derive(last, console.with(s.to.EndKey, "true"), s.next.add)
		}
	}
	s.release()
}
