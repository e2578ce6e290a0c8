package convert

import (
	"errors"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// streamer makes the stream that gives a transcript: a block for each message,
// and around the output of code what an execution has. For dialects without
// confirmations it makes a session, in which the client approves code with go.
//
// A message becomes a content chunk unchanged.
type streamer struct {
	c       *conversion
	next    func(*source.Record)
	dialect *schema.Dialect

	held *source.Record // the last message, until it is known what follows

	code    *lmc.Record // code of the assistant that did not run yet, or nil
	running bool        // its execution is under way
	first   bool        // no console block of it came
	waiting bool        // a session: the client waits for the end of the response
}

// newStreamer returns the step for a transcript.
func newStreamer(c *conversion, next func(*source.Record)) *streamer {
	s := &streamer{c: c, next: next, dialect: c.options.Dialect}
	if s.dialect == nil {
		s.dialect, _ = schema.Lookup(schema.Names()[0])
	}
	return s
}

// isSession reports whether the chunks are frames of a connection.
func (s *streamer) isSession() bool { return s.dialect.Confirmation == schema.ConfirmNever }

func (s *streamer) add(r *source.Record) {
	held := s.held
	s.held = r.Clone()
	s.message(held, s.held)
}

func (s *streamer) finish() {
	held := s.held
	s.held = nil
	s.message(held, nil)
	s.complete(held)
}

// message streams a message. Next is the message that follows it, or nil.
func (s *streamer) message(r, next *source.Record) {
	if r == nil {
		return
	}
	if why := s.unfit(r); why != "" {
		s.c.lose(LeftOut, r, "%s", why)
		return
	}
	chunk, err := chunkOf(r)
	if err != nil {
		s.c.leaveOut(r, err)
		return
	}
	v := lmc.NewRecord(chunk)
	s.running = s.running && v.Role == "computer"
	switch {
	case v.Role == "user":
		s.complete(chunk)
	case v.Role == "computer" && s.code != nil:
		s.begin(v)
	}
	s.waiting = true
	if lmc.Present(r.Root).Member("id") != nil {
		s.c.lose(Changed, r, "id is left out: in a stream it identifies a frame")
	}
	last := next == nil || next.Root == nil || next.Root.Member("role").Text() != "computer"
	if v.Role != "user" && v.Type == "console" && v.Format == "output" {
		s.console(v, last)
	} else {
		s.block(v, last)
	}
	switch { // code that may run next
	case v.Role == "assistant" && v.Type == "code":
		s.code = v
	case v.Role != "computer" && !s.dialect.LateOutput:
		s.code = nil
	}
}

// chunkOf returns the chunk of a message: the message as JSON, without members that are
// null and flags that are not set, and without its id, which would identify the frame.
func chunkOf(r *source.Record) (*source.Record, error) {
	v := lmc.NewRecord(r)
	if !r.Python && !v.HasNulls() && !v.Flag() && v.ID == nil {
		return r, nil
	}
	present := *r
	present.Root = v.Root
	o, err := objectOf(&present)
	if err != nil {
		return nil, err
	}
	return derive(r, o.without("id", "start", "end", "stop"))
}

// unfit returns why a message cannot be streamed, or "".
func (s *streamer) unfit(r *source.Record) string {
	if r.Binary || r.Root.Kind != source.Object {
		return "not an object, so not a message"
	}
	v := lmc.NewRecord(r)
	t, known := s.dialect.Type(v.Type)
	switch {
	case v.IsSet(), v.Flag() && v.Content == nil, v.Format == "active_line", known && !t.In(schema.Message):
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

// begin begins the execution of the last code, with its first output.
func (s *streamer) begin(v *lmc.Record) {
	code := s.code
	s.code = nil
	if v.Type == "console" && lmc.IsRefusal(v.Text()) || s.dialect.IsNote(code.Format) {
		return
	}
	s.running, s.first = true, true
	switch {
	case s.isSession(): // the client approves the code
		s.complete(v.Source)
		command := newObject("role", `"user"`, "type", `"command"`)
		for _, o := range []object{command.with("start", "true"), command.with("content", `"go"`), command.with(s.dialect.EndKey, "true")} {
			s.c.derive(v.Source, o, s.pass)
		}
	case !s.c.options.AutoRun || s.dialect.Confirmation == schema.ConfirmAlways:
		text := newTextWriter(code.Source.Data, false, false).Append(nil, code.Content) // from JSON: see chunkOf
		s.c.derive(v.Source, confirmationOf(quoted(strings.ToLower(strings.TrimSpace(code.Format))), string(text)), s.pass)
	}
}

// block streams a message that is not output: a start, its content, an end. At
// the end of an execution a console block follows it.
func (s *streamer) block(v *lmc.Record, last bool) {
	s.flag(v.Source, "start")
	s.pass(v.Source)
	s.flag(v.Source, s.dialect.EndKey)
	if s.running && last && s.dialect.FinalNull {
		s.emit(v.Source, "role", `"computer"`, "type", `"console"`, "start", "true")
		s.line(v.Source, "null")
		s.emit(v.Source, "role", `"computer"`, "type", `"console"`, s.dialect.EndKey, "true")
	}
}

// console streams output. The first block of an execution has the line that runs,
// the last one ends it. Where each confirmation stores an empty message, one that
// other output follows is that; output after a line is appended to it, without
// the keys that only the output has.
func (s *streamer) console(v *lmc.Record, last bool) {
	first, rules := s.running && s.first, &s.dialect.StorageRules
	s.first = false
	if first && v.Empty() && !last && rules.EmptyConsole {
		return
	}
	final := s.running && last && (s.dialect.FinalNull || v.Empty() && s.dialect.NullLine && !rules.EmptyConsole)
	line := first && (!rules.EmptyConsole || len(v.Source.Root.Children) <= len(ownKeys)) ||
		v.Empty() && !final
	s.flag(v.Source, "start")
	if line {
		s.line(v.Source, "1")
	}
	if !v.Empty() {
		s.pass(v.Source)
	}
	if final {
		s.line(v.Source, "null")
	}
	s.flag(v.Source, s.dialect.EndKey)
}

// ownKeys are the keys that every output has.
var ownKeys = []string{"role", "type", "format", "content"}

// line passes on an active_line.
func (s *streamer) line(at *source.Record, line string) {
	s.emit(at, "role", `"computer"`, "type", `"console"`, "format", `"active_line"`, "content", line)
}

// flag passes on a flag with the role and type of a message, and its format unless
// only contents have one.
func (s *streamer) flag(r *source.Record, key string) {
	o, err := objectOf(r)
	if err != nil {
		s.c.leaveOut(r, err)
		return
	}
	names := []string{"role", "type", "format"}
	if t, ok := s.dialect.Type(r.Root.Member("type").Text()); ok && t.Options == schema.FormatOnContentOnly {
		names = names[:2]
	}
	if at := o.find("content"); s.isSession() && 0 <= at && at < o.find("type") {
		names = names[:1] // the server stores such a message of a block without a type
	}
	s.c.derive(r, o.only(names...).with(key, "true"), s.pass)
}

// emit passes on a record of its own with these members: names, and values as
// JSON, in turn.
func (s *streamer) emit(at *source.Record, members ...string) {
	s.c.derive(at, newObject(members...), s.pass)
}

// pass passes on a chunk. In a session it is a frame that the server sends, unless the
// user sends it.
func (s *streamer) pass(r *source.Record) {
	chunk := *r
	if s.isSession() {
		chunk.Direction = source.Received
		if r.Root.Member("role").Text() == "user" {
			chunk.Direction = source.Sent
		}
	}
	s.next(&chunk)
}

// complete ends the response of a server.
func (s *streamer) complete(at *source.Record) {
	if s.isSession() && s.dialect.Completes && s.waiting {
		s.waiting = false
		s.emit(at, "role", `"server"`, "type", `"status"`, "content", `"complete"`)
	}
}

// confirmationOf returns the confirmation of code. It and its language are JSON.
func confirmationOf(language, code string) object {
	content := newObject("type", `"code"`, "format", language, "content", code)
	return newObject("role", `"computer"`, "type", `"confirmation"`, "format", `"execution"`, "content", string(content.json()))
}

// acceptsFormat reports whether a dialect has the format of a record. The type may
// be unknown.
func acceptsFormat(d *schema.Dialect, part schema.Part, v *lmc.Record) bool {
	t, ok := d.Type(v.Type)
	if !ok || v.Format == "" || t.AnyCode {
		return true
	}
	return slices.Contains(t.FormatNames(part), v.Format)
}

// upgrade makes LMC of the records of Open Interpreter 0.1.16 and older. A stored
// message becomes up to three, its text, its code and its output. A chunk becomes
// one or more: its keys said what it was.
type upgrade struct {
	c    *conversion
	next func(*source.Record)

	code     bool   // start_of_code came, and the language did not yet
	language string // of the open block of code, as JSON; "" if it is unknown
	console  bool   // a console block is open
}

func (s *upgrade) add(r *source.Record) {
	if r.Root == nil || r.Root.Kind != source.Object || !protocol.MayBePreLMC(r.Root) {
		s.next(r)
		return
	}
	s.c.old++
	o, err := objectOf(r)
	switch {
	case err != nil:
		s.c.leaveOut(r, err)
	case slices.ContainsFunc(r.Root.Children, func(n source.Node) bool { return r.Root.Member(n.Name).Start != n.Start }):
		s.c.lose(LeftOut, r, "a key occurs twice, so that the message may be either")
	case o.find("role") >= 0:
		s.message(r, o)
	default:
		for i := range o {
			s.chunk(r, r.Root.Children[i].Name, o[i].value, &r.Root.Children[i])
		}
	}
}

// emit passes on a record with these members: names, and values as JSON, in turn.
func (s *upgrade) emit(r *source.Record, members ...string) {
	s.c.derive(r, newObject(members...), s.next)
}

// message converts a stored message. Keys that it had of its own stay with the
// first message of it.
func (s *upgrade) message(r *source.Record, o object) {
	rest := o.without("role", "message", "code", "language", "output")
	part := func(name string) (json string, ok bool) {
		n := r.Root.Member(name)
		if n == nil {
			return "", false
		}
		blank := n.Kind == source.Null || n.Kind == source.String && n.Text() == ""
		return o[o.find(name)].value, !blank
	}
	role := o[o.find("role")].value
	text, hasText := part("message")
	code, hasCode := part("code")
	language, hasLanguage := part("language")
	output, hasOutput := part("output")
	hasOutput = hasOutput || hasCode && output == `""` // it ran
	isText := hasText || !hasCode && !hasOutput && r.Root.Member("message") != nil
	emit := func(members ...string) {
		s.c.derive(r, append(newObject(members...), rest...), s.next)
		rest = nil
	}
	if isText {
		emit("role", role, "type", `"message"`, "content", text)
	}
	switch {
	case hasCode && !hasLanguage:
		s.c.lose(Changed, r, "the code has no language; python was assumed")
		language = `"python"`
	case hasLanguage && !hasCode:
		s.c.lose(Changed, r, "the language is left out: the message has no code")
	}
	if hasCode {
		emit("role", role, "type", `"code"`, "format", language, "content", code)
	}
	if hasOutput {
		emit("role", `"computer"`, "type", `"console"`, "format", `"output"`, "content", output)
	}
	if !isText && !hasCode && !hasOutput {
		s.c.lose(LeftOut, r, "the message has no text, code or output")
	}
}

// chunk converts one member of a chunk.
func (s *upgrade) chunk(r *source.Record, name, json string, n *source.Node) {
	const assistant, computer, yes = `"assistant"`, `"computer"`, "true"
	switch name {
	case "start_of_message":
		s.emit(r, "role", assistant, "type", `"message"`, "start", yes)
	case "message":
		s.emit(r, "role", assistant, "type", `"message"`, "content", json)
	case "end_of_message":
		s.emit(r, "role", assistant, "type", `"message"`, "end", yes)
	case "start_of_code":
		s.code, s.language = true, ""
	case "language":
		s.begin(r, json)
	case "code":
		s.begin(r, s.language)
		s.emit(r, "role", assistant, "type", `"code"`, "format", s.language, "content", json)
	case "end_of_code":
		s.begin(r, s.language)
		s.emit(r, "role", assistant, "type", `"code"`, "format", s.language, "end", yes)
	case "executing":
		s.executing(r, n)
	case "active_line", "output": // what code printed, or the line that runs
		if !s.console {
			s.console = true
			s.emit(r, "role", computer, "type", `"console"`, "start", yes)
		}
		s.emit(r, "role", computer, "type", `"console"`, "format", quoted(name), "content", json)
	case "end_of_execution":
		if s.console {
			s.console = false
			s.emit(r, "role", computer, "type", `"console"`, "end", yes)
		}
	default:
		s.c.lose(Changed, r, "the key %s is left out: LMC has no such key", name)
	}
}

// begin starts the block of code once its language is known. Without one it is
// python, the language that Open Interpreter runs by default.
func (s *upgrade) begin(r *source.Record, language string) {
	if language == "" && s.language == "" {
		s.c.lose(Changed, r, "the code has no language; python was assumed")
		language = `"python"`
	}
	s.language = language
	if s.code {
		s.code = false
		s.emit(r, "role", `"assistant"`, "type", `"code"`, "format", language, "start", "true")
	}
}

// errNoCode reports what is about to run without saying so.
var errNoCode = errors.New("executing has no code and language")

// executing converts what is about to run: it is the confirmation of its code.
func (s *upgrade) executing(r *source.Record, n *source.Node) {
	w := newTextWriter(r.Data, r.Python, false)
	value := func(name, otherwise string) string {
		m := n.Member(name)
		if m == nil {
			return otherwise
		}
		return string(w.Append(nil, m))
	}
	language, code := value("language", s.language), value("code", "")
	switch {
	case w.err != nil:
		s.c.leaveOut(r, w.err)
	case code == "" || language == "":
		s.c.leaveOut(r, errNoCode)
	default:
		s.c.derive(r, confirmationOf(language, code), s.next)
	}
}
