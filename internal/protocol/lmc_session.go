package protocol

import (
	"slices"

	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/plugin"
	lmcsession "github.com/lmclint/lmclint/internal/session"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

// maxUndecidedRecords is how many records a stream may have before LMC301 stops
// waiting for a sign of the server dialect.
const maxUndecidedRecords = 10_000

// session checks one conversation: it passes each record to the schemas and to
// the tracker.
type session struct {
	state     *State
	validator *validate.Validator
	server    *validate.Validator
	opener    *opener
	detects   bool // a sign of the server changes the dialect
	kind      string
	part      schema.Part
	follower  recordTracker
	records   int
	old       bool // a pre-LMC record was reported
	emit      func(plugin.Mask, any)

	record *lmc.Record // the last one that Step checked, or nil
	view   lmc.Record  // memory for it

	fast     *fastPath
	emitFast func(plugin.Mask, any) (found bool) // replaces emit during StepFast
	found    bool                                // there was a finding since StepFast began
	last     *source.Record                      // the last one that StepFast stepped over

	violations []validate.Violation // of the last validated record
	violation  Violation            // the one that is passed to the rules

	agreement *agreement.Comparison // with the stored conversation, or nil
	excerpt   pageFragment          // of a Markdown document
}

// recordTracker turns records into events: a tracker, a transcript or a
// session.
type recordTracker interface {
	Step(*lmc.Record)
	SkipUnreadable(*source.Record)
	Finish()

	// Follow is Step for a record that matches a template, Last sets the last
	// of them, and SetWanted the events that are needed.
	Follow(*lmc.Record)
	Last(*source.Record)
	SetWanted(lmc.Kind)
}

func newSession(o *opener, kind string) *session {
	s := &session{state: &State{}, opener: o, kind: kind, fast: newFastPath(o.validator.Dialect())}
	s.begin()
	return s
}

// begin resets the session for the first record. It keeps only the fast path.
func (s *session) begin() {
	o := s.opener
	named := o.config.Dialect != "" && o.config.Dialect != dialectAuto
	*s.state = State{
		Dialect: o.validator.Dialect(), autoRun: o.config.AutoRun, allowEmpty: o.config.AllowEmpty,
		Transcript: s.kind == KindTranscript, DialectFixed: named,
	}
	*s = session{
		state: s.state, opener: o, kind: s.kind, fast: s.fast, follower: s.follower,
		validator: o.validator, server: o.server, part: schema.Chunk,
		detects: !named && s.kind != KindTranscript,
	}
	s.follow()
}

// follow creates the tracker for the kind of input.
func (s *session) follow() {
	switch s.kind {
	case KindTranscript:
		s.part = schema.Message
		if s.follower == nil {
			s.follower = lmc.NewTranscript(s.handleEvent)
		}
	case KindSession:
		s.followBothSides()
	default:
		s.follower = lmc.NewTracker(s.isNote, s.handleEvent)
		s.compare(s.opener.against)
	}
}

// Renew implements [lint.Renewable].
func (s *session) Reset() {
	if dialect := s.opener.validator.Dialect(); s.fast.dialect != dialect {
		s.fast = newFastPath(dialect)
	}
	s.fast.matcher.Restart()
	s.begin()
}

// followBothSides creates the tracker for both directions of a connection,
// which only a server has.
func (s *session) followBothSides() {
	if s.detects {
		s.detects = false
		s.useServerDialect()
		s.state.DialectFixed = true
	}
	s.state.session = true
	s.follower = lmcsession.New(lmcsession.Options{
		IsNote:    s.isNote,
		Command:   s.state.Dialect.Command,
		Completes: s.state.Dialect.Completes,
	}, s.handleEvent)
}

// useServerDialect makes server the current dialect.
func (s *session) useServerDialect() {
	s.validator = s.server
	s.fast = newFastPath(s.server.Dialect())
	s.state.Dialect = s.server.Dialect()
}

// compare compares the stream with a stored conversation, unless it is nil.
func (s *session) compare(against *agreement.Conversation) {
	if against == nil {
		return
	}
	s.state.Against = against.Name
	s.agreement = agreement.New(against, func(d *agreement.Difference) { s.pass(differenceEvent, d) })
}

func (s *session) State() any { return s.state }

func (s *session) Dialect() string { return s.state.Dialect.Name }

// BaseDialect implements [plugin.Derived].
func (s *session) BaseDialect() string { return s.state.Dialect.Base }

// isNote reports whether code of a format is text that does not run.
func (s *session) isNote(language string) bool {
	return slices.Contains(s.state.Dialect.NoteFormats, language)
}

// handleEvent passes an event of the tracker to the rules.
func (s *session) handleEvent(e *lmc.Event) {
	if e.Kind == lmc.Confirmation {
		s.fixDialect()
	}
	s.pass(plugin.Mask(e.Kind), e)
	if s.agreement != nil {
		s.agreement.Handle(e)
	}
}

// pass passes an event to the rules.
func (s *session) pass(on plugin.Mask, event any) {
	if s.emitFast == nil {
		s.emit(on, event)
	} else if s.emitFast(on, event) {
		s.found = true
	}
}

// Step checks one record.
func (s *session) Step(src *source.Record, emit func(plugin.Mask, any)) {
	s.emit, s.record = emit, nil
	if !src.IsGap {
		s.records++
	}
	if lost := s.problems(src); lost || src.IsGap {
		return
	}
	if src.Binary {
		s.follower.Step(lmc.NewBinary(src))
		return
	}
	if isOld(src.Root) {
		s.oldRecord(src)
		return
	}
	r := &s.view
	r.View(src)
	s.detectServer(r)
	s.judge(r)
	s.record = r
	if !s.isTorn(r) {
		s.follower.Step(r)
	}
	if s.records >= maxUndecidedRecords {
		s.fixDialect()
	}
}

// problems reports the reader's problems with a record, and whether the record
// is unreadable.
func (s *session) problems(src *source.Record) (lost bool) {
	for _, p := range src.Problems {
		s.emit(ProblemEvent, &Problem{p, src})
		lost = lost || p.Fatal()
		if t, ok := s.follower.(interface{ CutOff() }); ok && p.Kind == source.TruncatedRecord {
			t.CutOff()
		}
	}
	if lost {
		s.follower.SkipUnreadable(src)
	}
	return lost
}

// oldRecord skips a pre-LMC record, and reports the first one. It may have been
// any record of the stream.
func (s *session) oldRecord(src *source.Record) {
	s.follower.SkipUnreadable(src)
	if !s.old {
		s.old = true
		s.emit(PreLMCEvent, src)
	}
}

// Finish ends the conversation.
func (s *session) Finish(emit func(plugin.Mask, any)) {
	s.emit = emit
	if s.records == 0 && !s.state.allowEmpty {
		s.emit(NoRecordsEvent, nil)
	}
	if !s.isPartial() {
		s.follower.Finish()
	}
	s.fixDialect()
}

// fixDialect reports, once, that the dialect is decided.
func (s *session) fixDialect() {
	if s.state.DialectFixed {
		return
	}
	s.state.DialectFixed = true
	s.pass(dialectFixedEvent, nil)
}

// detectServer changes to the server dialect at its first sign, unless the
// dialect is named.
func (s *session) detectServer(r *lmc.Record) {
	if s.detects && r.IsServed() {
		s.detects = false
		s.useServerDialect()
		s.fixDialect()
	}
}

// pageFragment is the position in a Markdown document that shows a stream in
// parts: a whole conversation, a block, or a chunk. Each part is checked on its
// own.
type pageFragment struct {
	parts int  // parts seen so far
	torn  bool // the current part starts mid-block, and no other block that can start a turn has started since
}

// isTorn reports whether a record belongs to a block that the document does not
// show. Only its shape is checked.
func (s *session) isTorn(r *lmc.Record) bool {
	tracker, ok := s.follower.(*lmc.Tracker)
	if !ok {
		return false
	}
	if r.Source.FollowsOtherText {
		s.excerpt.parts++
		s.excerpt.torn = !tracker.Continues(r)
		if s.excerpt.torn {
			s.follower = lmc.NewTracker(s.isNote, s.handleEvent)
		}
	}
	if r.Start && r.Role != "computer" && r.Type != "review" {
		s.excerpt.torn = false
	}
	return s.excerpt.torn
}

// isPartial reports whether the input ends with a part of a stream, so that
// nothing is known to be missing.
func (s *session) isPartial() bool { return s.excerpt.parts > 1 }
