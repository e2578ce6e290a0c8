package convert

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// streamer makes the stream that gives a transcript: a block for each message,
// and around the output of code what an execution has. For dialects without
// confirmations it makes a session, in which the client approves code with go.
//
// A message is a content chunk as it is, so that nothing of it changes. Whether
// the consumer stores it again is checked with an assembler.
type streamer struct {
	c       *conversion
	next    step
	dialect *schema.Dialect
	stored  *restored

	held *source.Record // the last message, until it is known what follows

	code    *lmc.Record // code of the assistant that did not run yet, or nil
	running bool        // its execution is under way
	first   bool        // no console block of it came
	waiting bool        // a session: the client waits for the end of the response
}

// newStreamer returns the step for a transcript.
func newStreamer(c *conversion, next step) *streamer {
	s := &streamer{c: c, next: next, dialect: c.targetDialect()}
	s.stored = newRestored(c, s.dialect, s.isSession())
	return s
}

// isSession reports whether the chunks are frames of a connection.
func (s *streamer) isSession() bool { return s.dialect.Confirmation == schema.ConfirmNever }

func (s *streamer) add(r *source.Record) error {
	held := s.held
	s.held = r.Clone()
	return s.message(held, s.held)
}

func (s *streamer) finish() error {
	held := s.held
	s.held = nil
	if err := s.message(held, nil); err != nil {
		return err
	}
	if err := s.complete(held); err != nil {
		return err
	}
	if err := s.stored.finish(); err != nil {
		return err
	}
	return s.next.finish()
}

// message streams a message. Next is the message that follows it, or nil.
func (s *streamer) message(r, next *source.Record) error {
	if r == nil {
		return nil
	}
	if why := s.unfit(r); why != "" {
		s.c.lose(LeftOut, r, "%s", why)
		return nil
	}
	v := lmc.NewRecord(r)
	if v.Role != "computer" {
		s.running = false
	}
	last := next == nil || next.Root == nil || next.Root.Member("role").Text() != "computer"
	if v.Role == "user" {
		return s.user(r)
	}
	if s.code != nil && v.Role == "computer" {
		if err := s.begin(r, v); err != nil {
			return err
		}
	}
	s.waiting = true
	content, err := s.content(r, v)
	if err != nil {
		return err
	}
	switch {
	case v.Type == "console" && v.Format == "output":
		err = s.console(content, v, last)
	default:
		err = s.block(content, v, last)
	}
	s.note(v)
	return err
}

// unfit returns why a message cannot be streamed, or "".
func (s *streamer) unfit(r *source.Record) string {
	if r.Binary || r.Root.Kind != source.Object {
		return "not an object, so not a message"
	}
	v := lmc.NewRecord(r)
	t, known := s.dialect.Type(v.Type)
	switch {
	case v.Flag(), v.Format == "active_line", known && !t.In(schema.Message):
		return "not a message: transcripts do not contain it"
	case known && !t.In(schema.Chunk):
		return "type " + v.Type + " is not streamed"
	case known && v.Format != "" && !acceptsFormat(s.dialect, schema.Chunk, v) && acceptsFormat(s.dialect, schema.Message, v):
		return "type " + v.Type + " is not streamed in format " + v.Format
	case v.Content == nil:
		return "the message has no content"
	case v.Empty() && v.Type != "console":
		return "the message is empty, and no chunk is"
	}
	return ""
}

// note notes code that may run next.
func (s *streamer) note(v *lmc.Record) {
	switch {
	case v.Role == "assistant" && v.Type == "code":
		s.code = v
	case v.Role != "computer" && !s.dialect.LateOutput:
		s.code = nil
	}
}

// begin begins the execution of the last code, with its first output.
func (s *streamer) begin(r *source.Record, v *lmc.Record) error {
	code := s.code
	s.code = nil
	if v.Type == "console" && lmc.IsRefusal(v.Text()) || s.dialect.IsNote(code.Format) {
		return nil
	}
	s.running, s.first = true, true
	switch {
	case s.isSession():
		return s.approve(r)
	case s.c.options.AutoRun && s.dialect.Confirmation != schema.ConfirmAlways:
		return nil
	}
	w := textWriter{data: code.Source.Data, from: code.Source.Python}
	if w.value(code.Content); w.err != nil {
		return w.err
	}
	content := object{}.with("type", `"code"`).with("format", quoted(strings.ToLower(strings.TrimSpace(code.Format)))).with("content", string(w.out))
	return s.emit(r, "role", `"computer"`, "type", `"confirmation"`, "format", `"execution"`, "content", string(content.json()))
}

// content returns the chunk of a message: the message without its id, which
// would identify the frame.
func (s *streamer) content(r *source.Record, v *lmc.Record) (*source.Record, error) {
	id := v.Key("id") != nil
	stored := r
	if id || r.Python {
		o, err := objectOf(r)
		if err != nil {
			return nil, err
		}
		if id {
			s.c.lose(Changed, r, "id is left out: in a stream it identifies a frame")
		}
		if stored, err = derive(r, o.without("id")); err != nil {
			return nil, err
		}
	}
	s.stored.expect(stored)
	return stored, nil
}

// block streams a message that is not output: a start, its content, an end. At
// the end of an execution a console block follows it.
func (s *streamer) block(content *source.Record, v *lmc.Record, last bool) error {
	if err := s.flag(content, "start"); err != nil {
		return err
	}
	if err := s.pass(content); err != nil {
		return err
	}
	if err := s.flag(content, s.dialect.EndKey); err != nil {
		return err
	}
	if !s.running || !last || !s.dialect.FinalNull || v.Role != "computer" {
		return nil
	}
	if err := s.emit(content, "role", `"computer"`, "type", `"console"`, "start", "true"); err != nil {
		return err
	}
	if err := s.line(content, "null"); err != nil {
		return err
	}
	return s.emit(content, "role", `"computer"`, "type", `"console"`, s.dialect.EndKey, "true")
}

// console streams output. The first block of an execution has the line that runs,
// the last one ends it. Where each confirmation stores an empty message, one that
// other output follows is that; output after a line is appended to it, without
// the keys that only the output has.
func (s *streamer) console(content *source.Record, v *lmc.Record, last bool) error {
	first, rules := s.running && s.first, &s.dialect.StorageRules
	s.first = false
	if first && v.Empty() && !last && rules.EmptyConsole {
		return nil
	}
	line := first && (!rules.EmptyConsole || len(content.Root.Children) <= len(ownKeys)) || v.Empty() && !s.running
	if err := s.flag(content, "start"); err != nil {
		return err
	}
	final := s.running && last && (s.dialect.FinalNull || v.Empty() && s.dialect.NullLine && !rules.EmptyConsole)
	if line || v.Empty() && !final {
		if err := s.line(content, "1"); err != nil {
			return err
		}
	}
	if !v.Empty() {
		if err := s.pass(content); err != nil {
			return err
		}
	}
	if final {
		if err := s.line(content, "null"); err != nil {
			return err
		}
	}
	return s.flag(content, s.dialect.EndKey)
}

// ownKeys are the keys that every output has.
var ownKeys = []string{"role", "type", "format", "content"}

// line passes on an active_line.
func (s *streamer) line(at *source.Record, line string) error {
	return s.emit(at, "role", `"computer"`, "type", `"console"`, "format", `"active_line"`, "content", line)
}

// flag passes on a flag with the role and type of a message, and its format unless
// only contents have one.
func (s *streamer) flag(r *source.Record, key string) error {
	o, err := objectOf(r)
	if err != nil {
		return err
	}
	names := []string{"role", "type", "format"}
	if t, ok := s.dialect.Type(r.Root.Member("type").Text()); ok && t.Options == schema.FormatOnContentOnly {
		names = names[:2]
	}
	if at := o.find("content"); s.isSession() && 0 <= at && at < o.find("type") {
		names = names[:1] // the server stores such a message of a block without a type
	}
	flag, err := derive(r, o.only(names...).with(key, "true"))
	if err != nil {
		return err
	}
	return s.pass(flag)
}

// emit passes on a record of its own with these members.
func (s *streamer) emit(at *source.Record, members ...string) error {
	r, err := literal(at, members...)
	if err != nil {
		return err
	}
	return s.pass(r)
}

// pass passes on a chunk, also to the assembler. In a session it is a frame that
// the server sends, unless the user sends it.
func (s *streamer) pass(r *source.Record) error {
	chunk := *r
	if s.isSession() {
		chunk.Direction = source.Received
		if r.Root.Member("role").Text() == "user" {
			chunk.Direction = source.Sent
		}
	}
	if err := s.stored.add(&chunk); err != nil {
		return err
	}
	return s.next.add(&chunk)
}

// user streams a message of the user.
func (s *streamer) user(r *source.Record) error {
	if err := s.complete(r); err != nil {
		return err
	}
	v := lmc.NewRecord(r)
	content, err := s.content(r, v)
	if err != nil {
		return err
	}
	s.waiting = true
	s.note(v)
	return s.block(content, v, false)
}

// complete ends the response of a server.
func (s *streamer) complete(at *source.Record) error {
	if !s.isSession() || !s.dialect.Completes || !s.waiting || at == nil {
		return nil
	}
	s.waiting = false
	return s.emit(at, "role", `"server"`, "type", `"status"`, "content", `"complete"`)
}

// approve lets the client approve code.
func (s *streamer) approve(at *source.Record) error {
	if err := s.complete(at); err != nil {
		return err
	}
	for _, member := range [][]string{{"start", "true"}, {"content", `"go"`}, {s.dialect.EndKey, "true"}} {
		if err := s.emit(at, slices.Concat([]string{"role", `"user"`, "type", `"command"`}, member)...); err != nil {
			return err
		}
	}
	return nil
}
