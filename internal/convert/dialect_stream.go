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

func (s *merger) add(r *source.Record) error {
	if r.Direction == source.Undirected || r.Root == nil || r.Root.Kind != source.Object {
		if r.Binary {
			s.c.lose(LeftOut, r, "a binary frame has no place in a stream")
			return nil
		}
		r.Direction = source.Undirected
		return s.next.add(r)
	}
	sent := r.Direction == source.Sent
	r.Direction, r.Time = source.Undirected, nil
	v := lmc.NewRecord(r)
	switch {
	case sent && s.open != nil:
		s.waiting = append(s.waiting, r.Clone())
		return nil
	case sent:
		return s.next.add(r)
	case v.Start:
		if err := s.interrupt(); err != nil {
			return err
		}
		if !v.End {
			s.open = v.Clone()
		}
	case v.End:
		s.open = nil
	}
	if err := s.next.add(r); err != nil || s.open != nil {
		return err
	}
	return s.release()
}

func (s *merger) finish() error {
	if err := s.interrupt(); err != nil {
		return err
	}
	return s.next.finish()
}

// interrupt ends the block of the server that the client interrupted.
func (s *merger) interrupt() error {
	if s.open != nil && len(s.waiting) > 0 {
		open := s.open.Source
		s.open = nil
		s.c.lose(Changed, open, "the block was interrupted; its end is added")
		end, err := flagOf(open, s.c.options.ToDialect.EndKey)
		if err != nil {
			return err
		}
		if err := s.next.add(end); err != nil {
			return err
		}
	}
	s.open = nil
	return s.release()
}

// release passes on what waited for the end of a block.
func (s *merger) release() error {
	waiting := s.waiting
	s.waiting = nil
	for _, r := range waiting {
		if err := s.next.add(r); err != nil {
			return err
		}
	}
	return nil
}

// flagOf returns a flag with the role, type and format of a record.
func flagOf(r *source.Record, key string) (*source.Record, error) {
	o, err := objectOf(r)
	if err != nil {
		return nil, err
	}
	return derive(r, o.only("role", "type", "format").with(key, "true"))
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

func (s *typer) add(r *source.Record) error {
	if r.Root == nil || r.Root.Kind != source.Object {
		return s.next.add(r)
	}
	v := lmc.NewRecord(r)
	if v.Role != "user" {
		return s.next.add(r)
	}
	if v.Type == "command" {
		s.followCommand(r, v)
		return nil
	}
	switch inBlock := s.start != nil || s.part != nil; {
	case v.Start && v.IsTypelessFlag():
		s.start = r.Clone()
		return nil
	case !inBlock:
		return s.next.add(r)
	case v.End:
		return s.end(r)
	}
	if err := s.begin(r, v); err != nil {
		return err
	}
	return s.next.add(r)
}

func (s *typer) finish() error { return s.next.finish() }

// followCommand leaves a command out, and reports one without a counterpart.
func (s *typer) followCommand(r *source.Record, v *lmc.Record) {
	if text := v.Text(); v.Content != nil && text != "go" && !strings.HasPrefix(text, "go:") {
		s.c.lose(LeftOut, r, "%s has no commands", s.c.options.ToDialect.Name)
	}
}

// begin begins the block of a part, and ends that of a part of another type.
func (s *typer) begin(r *source.Record, v *lmc.Record) error {
	if s.part != nil {
		open := lmc.NewRecord(s.part)
		if open.Type == v.Type && open.Format == v.Format {
			return nil
		}
		if err := s.flag(s.part, s.c.options.ToDialect.EndKey); err != nil {
			return err
		}
	}
	s.part = r.Clone()
	return s.flag(r, "start")
}

// end ends the block of the last part.
func (s *typer) end(r *source.Record) error {
	part := s.part
	if s.start, s.part = nil, nil; part == nil {
		s.c.lose(LeftOut, r, "a block without a type has no content")
		return nil
	}
	return s.flag(part, s.c.options.ToDialect.EndKey)
}

func (s *typer) flag(r *source.Record, key string) error {
	flag, err := flagOf(r, key)
	if err != nil {
		return err
	}
	return s.next.add(flag)
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
	start  *source.Record  // the start of the first block of its execution, until the content shows that it is no refusal
	end    *source.Record  // the end of a console block, which may be the last one
	ran    *source.Record  // the first record of the execution under way, or nil
	came   bool            // output of it came
	closed bool            // its last active_line came
}

func (s *executions) add(r *source.Record) error {
	if r.Root == nil || r.Root.Kind != source.Object {
		return s.next.add(r)
	}
	v := lmc.NewRecord(r)
	switch {
	case s.start != nil:
		if err := s.decide(v); err != nil {
			return err
		}
	case s.code != nil && v.Role == "computer" && v.Start:
		s.start = r.Clone()
		return nil
	}
	if s.ran != nil && v.Role != "computer" {
		if err := s.conclude(); err != nil {
			return err
		}
	}
	s.follow(r, v)
	if err := s.release(); err != nil {
		return err
	}
	if s.ran != nil && v.End && v.Type == "console" {
		s.end = r.Clone()
		return nil
	}
	return s.next.add(r)
}

func (s *executions) finish() error {
	if s.start != nil {
		if err := s.next.add(s.start); err != nil {
			return err
		}
		s.start = nil
	}
	if err := s.conclude(); err != nil {
		return err
	}
	return s.next.finish()
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
func (s *executions) decide(first *lmc.Record) error {
	start, code := s.start, s.code
	s.start, s.code = nil, nil
	refused := first.Format == "output" && lmc.IsRefusal(first.Text())
	if language := lmc.NewRecord(code).Format; !refused && s.lacksConfirmation() && !s.to.IsNote(language) {
		content := object{}.with("type", `"code"`).with("format", quoted(strings.ToLower(strings.TrimSpace(language)))).with("content", `"`+s.text.String()+`"`)
		r, err := literal(start, "role", `"computer"`, "type", `"confirmation"`, "format", `"execution"`, "content", string(content.json()))
		if err != nil {
			return err
		}
		if err := s.next.add(r); err != nil {
			return err
		}
	}
	if !refused && s.lacksNull() {
		s.ran, s.came, s.closed = start, true, false
	}
	return s.next.add(start)
}

// release passes on the end of a console block that is not the last one.
func (s *executions) release() error {
	end := s.end
	if s.end = nil; end == nil {
		return nil
	}
	return s.next.add(end)
}

// conclude ends an execution with active_line null, in its last block or in one of
// its own.
func (s *executions) conclude() error {
	last := s.ran
	if s.ran = nil; last == nil || s.closed || !s.came {
		return s.release()
	}
	null := []string{"role", `"computer"`, "type", `"console"`, "format", `"active_line"`, "content", "null"}
	flags := [][]string{null}
	if s.end == nil {
		flags = [][]string{{null[0], null[1], null[2], null[3], "start", "true"}, null, {null[0], null[1], null[2], null[3], s.to.EndKey, "true"}}
	}
	for _, members := range flags {
		r, err := literal(last, members...)
		if err != nil {
			return err
		}
		if err := s.next.add(r); err != nil {
			return err
		}
	}
	return s.release()
}
