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

// patience is for how many records a stream whose dialect is not named may
// leave open whether it was recorded from a server, which confirms nothing.
const maxUndecidedRecords = 10_000

// session follows one conversation: it hands each record to the schemas and
// to the tracker.
type session struct {
	state     *State
	validator *validate.Validator
	server    *validate.Validator
	opener    *opener
	detects   bool // the dialect is not named
	kind      string
	part      schema.Part
	follower  recordTracker
	records   int
	old       bool // a record from before LMC was met
	emit      func(plugin.Mask, any)

	record *lmc.Record // the last one that Step checked, or nil
	view   lmc.Record  // memory for it

	fast     *fastPath
	emitFast func(plugin.Mask, any) (found bool) // replaces emit during StepFast
	found    bool                                // there was a finding since StepFast began
	last     *source.Record                      // the last one that StepFast stepped over

	violations []validate.Violation // of the last record that was judged
	violation  Violation            // the one that the rules are told of

	agreement *agreement.Comparison // with a stored conversation, or nil
	excerpt   pageFragment          // of a page
}

// follower is what turns records into events: a tracker or a transcript.
type recordTracker interface {
	Step(*lmc.Record)
	SkipUnreadable(*source.Record)
	Finish()

	// Follow is Step for a record that was recognised, Last says which of them
	// was the last, and Want which events are wanted.
	Follow(*lmc.Record)
	Last(*source.Record)
	SetWanted(lmc.Kind)
}

func newSession(o *opener, kind string) *session {
	s := &session{state: &State{}, opener: o, kind: kind, fast: newFastPath(o.validator.Dialect())}
	s.begin()
	return s
}

// begin makes the session ready for the first record. Of what was there before
// it keeps the fast path only.
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

// follow takes a follower.
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

// followBothSides makes the session one of both directions of a connection,
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

// serve puts the dialect of the server in force.
func (s *session) useServerDialect() {
	s.validator = s.server
	s.fast = newFastPath(s.server.Dialect())
	s.state.Dialect = s.server.Dialect()
}

// compare has the stream compared with a stored conversation, if there is one.
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

// isNote reports whether code of a format is text that nobody runs.
func (s *session) isNote(language string) bool {
	return slices.Contains(s.state.Dialect.NoteFormats, language)
}

// happened passes an event of the tracker on to the rules.
func (s *session) handleEvent(e *lmc.Event) {
	if e.Kind == lmc.Confirmation {
		s.fixDialect()
	}
	s.pass(plugin.Mask(e.Kind), e)
	if s.agreement != nil {
		s.agreement.Happened(e)
	}
}

// pass hands an event to the rules.
func (s *session) pass(on plugin.Mask, event any) {
	if s.emitFast == nil {
		s.emit(on, event)
	} else if s.emitFast(on, event) {
		s.found = true
	}
}

// Step judges one record.
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

// problems reports what the reader met, and whether the record is lost by it.
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

// oldRecord passes over a record from before LMC. It may have been anything.
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

// settle says, once, that the dialect is certain.
func (s *session) fixDialect() {
	if s.state.DialectFixed {
		return
	}
	s.state.DialectFixed = true
	s.pass(dialectFixedEvent, nil)
}

// listen hears from a record that the stream came from a server, unless the
// dialect is named.
func (s *session) detectServer(r *lmc.Record) {
	if s.detects && r.IsServed() {
		s.detects = false
		s.useServerDialect()
		s.fixDialect()
	}
}

// excerpt is where the session stands on a page, which shows a stream in parts:
// a whole conversation, a single block, or a chunk of one. Each part is judged
// as far as it goes.
type pageFragment struct {
	parts int  // of the page that were met
	torn  bool // the part begins in the middle, and no block of a client or model has begun since that does not belong to another
}

// isTorn reports whether a record of a page is part of something that the page
// does not show. Only its shape is judged.
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

// isPartial reports whether the end of the input is the end of a part, which
// says nothing about what is missing.
func (s *session) isPartial() bool { return s.excerpt.parts > 1 }
