// Package assemble makes the messages that a real consumer of a stream stores.
//
// An [Assembler] emulates a [Consumer] record by record, and reports a
// [Deviation] for each record that the consumer mishandles.
package assemble

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// Consumer is a program that builds messages from chunks.
type Consumer string

// The consumers that an Assembler can emulate.
const (
	// Interpreter is Open Interpreter itself, as it stores what it streams:
	// _respond_and_store in core.py, and what respond.py rewrites.
	Interpreter Consumer = "interpreter"
	// Server is the WebSocket server, as it stores what it receives: input and
	// accumulate in async_core.py. It stores its own frames in a session as the
	// interpreter does.
	Server Consumer = "server"
)

// Consumers lists the consumers.
func Consumers() []Consumer { return []Consumer{Interpreter, Server} }

// Options are what an Assembler emulates.
type Options struct {
	As Consumer
	schema.StorageRules

	// AutoRun is set if the stream was recorded without confirmations.
	AutoRun bool
	// ContinueAfterCrash skips a record at which the consumer would stop.
	ContinueAfterCrash bool
}

// DeviationKind is what a consumer does to a record that it mishandles.
type DeviationKind string

// The kinds of deviations.
const (
	Lost             DeviationKind = "lost"   // not stored
	Merged           DeviationKind = "merged" // appended to an unrelated message
	Split            DeviationKind = "split"  // stored as two messages instead of one
	StoredNonMessage DeviationKind = "stored" // stored although it is not a message
	Crash            DeviationKind = "crash"  // the consumer raises an exception
)

// Deviation is a record that a consumer mishandles.
type Deviation struct {
	Kind    DeviationKind
	Place   source.Place // of the record
	Message string       // one line, without the place
}

// Assembler builds the messages that a consumer stores from a stream. It keeps
// the few messages that the consumer may still change, and emits the others as
// JSON.
type Assembler struct {
	options       Options
	consume       func(*lmc.Record) error // emulates the consumer; an error is an exception that it raises
	leave         func()                  // emulates the end of the stream
	emitDeviation func(Deviation)
	emit          func(message []byte)
	open          []*assembled // the last messages, which are not emitted yet
	json          []byte
}

// exception is the text of an exception that a consumer raises.
type exception string

func (r exception) Error() string { return string(r) }

// New returns an Assembler. It passes each message to emit when nothing can
// change it any more, as json.dumps writes it; the bytes are valid during the
// call. It passes deviations to emitDeviation.
func New(options Options, emit func(message []byte), emitDeviation func(Deviation)) *Assembler {
	a := &Assembler{options: options, emit: emit, emitDeviation: emitDeviation}
	own := &interpreterStore{a: a}
	a.consume, a.leave = own.add, own.leave
	if options.As == Server {
		a.consume = (&serverStore{a: a, own: own}).add
	}
	return a
}

// Add passes one record to the consumer. It reports false if the consumer has crashed
// and reads no further record; the server answers with an error frame and continues.
func (a *Assembler) Add(r *lmc.Record) bool {
	err := a.consume(r)
	if err == nil {
		return true
	}
	a.report(Crash, r, err.Error())
	return a.options.As == Server || a.options.ContinueAfterCrash
}

// Binary follows a binary frame.
func (a *Assembler) Binary(src *source.Record) {
	m := Deviation{Kind: Lost, Place: src.Place(), Message: "binary frame skipped"}
	if a.options.As == Server && src.Direction != source.Received {
		m.Kind, m.Message = Crash, "TypeError: a bytes-like object is required, not 'str'"
	}
	a.emitDeviation(m)
}

// Finish emits the remaining messages.
func (a *Assembler) Finish() {
	a.leave()
	for len(a.open) > 0 {
		a.flushOldest()
	}
}

// last returns the last message, or nil.
func (a *Assembler) last() *assembled {
	if len(a.open) == 0 {
		return nil
	}
	return a.open[len(a.open)-1]
}

// maxOpen is the maximum number of open messages: commands that were never
// removed, and the message before them.
const maxOpen = 64

// push appends a message, and emits those that can no longer change.
func (a *Assembler) push(m *assembled) {
	a.open = append(a.open, m)
	for len(a.open) > maxOpen || len(a.open) > 2 && !a.open[1].isCommand() {
		a.flushOldest()
	}
}

func (a *Assembler) flushOldest() {
	a.json = a.open[0].appendJSON(a.json[:0])
	a.open = a.open[1:]
	a.emit(a.json)
}

func (a *Assembler) report(kind DeviationKind, r *lmc.Record, message string) {
	a.emitDeviation(Deviation{Kind: kind, Place: r.Place(), Message: message})
}

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
