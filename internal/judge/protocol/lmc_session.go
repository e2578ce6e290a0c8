package protocol

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// maxUndecidedRecords is how many records a stream may have before LMC301 stops
// waiting for a sign of the server dialect.
const maxUndecidedRecords = 10_000

// lmcSession checks one conversation: it passes each record to the schemas and to
// the tracker.
type lmcSession struct {
	shared     *lmcShared
	state      *State              // shared with the rules
	validator  *validate.Validator // of the current dialect
	tracker    recordTracker
	single     *lmc.Tracker // the tracker, unless it is a connection's
	records    int          // read so far
	emit       plugin.Emit
	hasFinding bool // a rule has had one since the last Step or StepFast began

	view lmc.Record // memory for the record that Step checks

	fast *fastPath
	last *source.Record // the last one that StepFast stepped over

	violation Violation // the one that is passed to the rules
	problem   Problem   // the same

	before []fix.Member // the end flag of the block that was open before the last record, or nil

	images    imageScans
	coverage  *plugin.Coverage      // what occurs, or nil
	agreement *agreement.Comparison // with the stored conversation, or nil
	fragment  textFragment          // of a text
	others    OtherEvents           // of a stream of server-sent events
}

// recordTracker turns records into events.
type recordTracker interface {
	Step(*lmc.Record)
	SkipUnreadable(*source.Record)
	Redelivered(*lmc.Record) bool
	CutOff()
	Finish()
	OpenFor(*lmc.Record) *lmc.Block // the open block of the record's direction, or nil
	Started() *lmc.Block            // the open block, of the server in a session, if it has a start and no end; else nil
}

func newLMCSession(o *lmcShared, kind string, emit plugin.Emit) *lmcSession {
	s := &lmcSession{state: &State{Kind: kind}, shared: o, emit: emit, fast: newFastPath(o.validator.Dialect())}
	s.begin()
	return s
}

// Reset implements [plugin.FastPath].
func (s *lmcSession) Reset() {
	if dialect := s.shared.validator.Dialect(); s.fast.dialect != dialect {
		s.fast = newFastPath(dialect)
	}
	s.fast.matcher.Restart()
	s.begin()
}

// begin resets the session for the first record. It keeps only the fast path.
func (s *lmcSession) begin() {
	o, kind := s.shared, s.state.Kind
	named := o.config.Dialect != "" && o.config.Dialect != dialectAuto
	*s.state = State{
		Kind: kind, Part: schema.Chunk, Dialect: o.validator.Dialect(), DialectNamed: named, autoRun: o.config.AutoRun,
	}
	if !named && !o.config.Immediate {
		s.state.possible = []*schema.Dialect{o.fork.Dialect()}
		if kind == KindStream {
			s.state.possible = append(s.state.possible, o.server.Dialect())
		}
	}
	*s = lmcSession{state: s.state, shared: o, emit: s.emit, fast: s.fast, validator: o.validator}
	if o.config.Coverage {
		s.coverage = newCoverage(kind)
	}
	switch kind {
	case KindTranscript:
		s.state.Part, s.state.Transcript = schema.Message, true
		s.single = lmc.NewTranscript(s.handleEvent)
		s.tracker = s.single
	case KindSession:
		if !named {
			s.use(o.server) // only a server has both directions of a connection
		}
		s.tracker = session.New(session.Options{
			IsNote:      s.isNote,
			Command:     func(text string) (string, bool) { return s.state.Dialect.Command(text) },
			Begins:      func(text string) bool { return s.state.Dialect.BeginsCommand(text) },
			Completes:   s.state.Dialect.Completes,
			QueuesEarly: func() bool { return s.state.Dialect.QueuesEarly },
			Live:        o.config.Live,
		}, s.handleEvent)
	default:
		s.single = lmc.NewTracker(s.isNote, s.handleEvent)
		s.tracker = s.single
		if o.against != nil {
			s.state.Against = o.against.Name
			s.agreement = agreement.New(o.against, func(d *agreement.Difference) { s.dispatch(differenceEvent, d) })
		}
	}
}

// use makes the dialect of a validator the current one.
func (s *lmcSession) use(v *validate.Validator) {
	s.validator = v
	s.fast = newFastPath(v.Dialect())
	s.state.Dialect = v.Dialect()
}

func (s *lmcSession) State() any { return s.state }

// Dialect implements [plugin.Session].
func (s *lmcSession) Dialect() (name, published string) {
	d := s.state.Dialect
	return d.Name, cmp.Or(d.Base, d.Name)
}

// Outcome implements [plugin.Session].
func (s *lmcSession) Outcome(stoppedBy string) plugin.Outcome {
	o := plugin.Outcome{Coverage: s.covered()}
	if stoppedBy != "" {
		o.Closing = s.closing(stoppedBy)
	}
	return o
}

// isNote reports whether code of a format is text that does not run.
func (s *lmcSession) isNote(language string) bool {
	return slices.Contains(s.state.Dialect.NoteFormats, language)
}

// handleEvent passes an event of the tracker to the rules.
func (s *lmcSession) handleEvent(kind lmc.Kind, event any) {
	s.state.Image = s.images.event(kind, event)
	s.dispatch(plugin.Mask(kind), event)
	if s.coverage != nil {
		s.coverEvent(kind, event)
	}
	if lmc.Confirmation.Is(kind) {
		s.decide(s.shared.server.Dialect()) // which sends none
	}
	if s.agreement != nil {
		s.agreement.Handle(event)
	}
}

// dispatch passes an event to the rules.
func (s *lmcSession) dispatch(on plugin.Mask, event any) { s.hasFinding = s.emit(on, event) }

// Step checks one record.
func (s *lmcSession) Step(src *source.Record) {
	s.hasFinding = false
	if s.shared.config.Immediate {
		s.noteOpenBlock()
	}
	s.state.record = src.Index + 1
	if !src.IsGap {
		s.records++
	}
	if s.shared.config.Fixing {
		s.dispatch(RecordEvent, src)
	}
	r := s.recordOf(src)
	if r == nil {
		return
	}
	s.detectDialect(r)
	isOtherPart := src.Fragment > s.fragment.parts // a text may show a record again, in another part
	if !isOtherPart && s.tracker.Redelivered(r) {  // what is wrong with it was reported then
		return
	}
	s.judge(r, isOtherPart)
	if s.records >= maxUndecidedRecords {
		s.decide(s.state.possible...)
	}
	if !s.hasFinding && !r.Stored && !s.shared.config.NoFastPath {
		s.cacheRecord(r)
	}
}

// recordOf returns the record of LMC, or nil if what was read is not one: then it reports what
// it is instead, and the tracker skips it.
func (s *lmcSession) recordOf(src *source.Record) *lmc.Record {
	switch {
	case (src.InEvent || src.Event != "") && s.others.Skips(src), len(src.Problems) > 0 && s.emitProblems(src), src.IsGap:
		return nil
	case src.Binary:
		s.tracker.Step(lmc.NewBinary(src))
		return nil
	}
	r := &s.view
	r.View(src)
	if r.Type == "" && r.Content == nil && MayBePreLMC(r.Root) {
		s.tracker.SkipUnreadable(src) // it may have been any record
		s.dispatch(PreLMCEvent, src)
		return nil
	}
	return r
}

// judge passes a record to the schemas, and then to the tracker, unless another part of a
// text has it.
func (s *lmcSession) judge(r *lmc.Record, isOtherPart bool) {
	s.checkShape(r)
	if s.coverage != nil {
		s.coverRecord(r)
	}
	if r.Source.Fragment > 0 && s.isInFragment(r) || isOtherPart && s.tracker.Redelivered(r) {
		return
	}
	s.tracker.Step(r)
}

// emitProblems reports the reader's problems with a record, and whether the record
// is unreadable.
func (s *lmcSession) emitProblems(src *source.Record) (lost bool) {
	for i := range src.Problems {
		p := &src.Problems[i]
		s.problem = Problem{p, src}
		s.dispatch(ProblemEvent, &s.problem)
		lost = lost || p.IsFatal()
		if p.Kind == source.TruncatedRecord {
			s.tracker.CutOff()
		}
	}
	if lost {
		s.checkOtherKeys(src)
		s.tracker.SkipUnreadable(src)
	}
	return lost
}

// Finish ends the conversation.
func (s *lmcSession) Finish() {
	if s.shared.config.Immediate {
		s.noteOpenBlock()
	}
	if s.records == s.others.Count && !s.shared.config.AllowEmpty {
		s.dispatch(NoRecordsEvent, nil)
	}
	if s.others.Count > 0 {
		s.dispatch(OtherEventsEvent, &s.others)
	}
	s.checkOnlyFragment()
	switch isPart := s.fragment.parts > 1 || s.state.Kind == KindSession && s.fragment.parts > 0; { // a connection in a text is always a part
	case !isPart: // else nothing is known to be missing
		s.tracker.Finish()
	case s.agreement != nil: // its complete blocks can be compared
		s.agreement.Finish()
	}
	s.decide(s.state.possible...)
}

// decide reports that the dialect will not turn out to be one of some others. A later
// sign of one still changes it.
func (s *lmcSession) decide(others ...*schema.Dialect) {
	isDecided := func(d *schema.Dialect) bool { return slices.Contains(others, d) }
	if !slices.ContainsFunc(s.state.possible, isDecided) {
		return
	}
	s.state.possible = slices.DeleteFunc(slices.Clone(s.state.possible), isDecided)
	var left []string
	for _, d := range s.state.possible {
		left = append(left, d.Name)
	}
	s.dispatch(plugin.DialectsLeft, left)
}

// detectDialect changes to the dialect of the fork or of the server at its first
// sign, unless the dialect is named.
func (s *lmcSession) detectDialect(r *lmc.Record) {
	switch o := s.shared; {
	case s.state.DialectNamed:
	case s.validator != o.fork && r.IsFromFork():
		s.use(o.fork)
		s.decide(s.state.possible...)
	case s.validator == o.validator && s.state.Kind == KindStream && r.IsServed():
		s.use(o.server)
		s.decide(s.state.Dialect)
	}
}

// textFragment is the position in a text that shows a stream in parts: a whole
// conversation, a block, or a chunk. Nothing is missing before or after a part, unless
// it is the only one.
type textFragment struct {
	parts        int           // number of the current part
	skipped      []*lmc.Record // the first records of the first part that belong to a block whose start is not in it
	hasUserFlags bool          // the user's messages are streamed, too
	incomplete   bool          // the current part starts mid-block, and no record has come since that this does not excuse
	ended        bool          // the block in which the current part starts has ended
}

// maxSkipped is how many records of the first part of a text are kept until it is known
// whether there is another part.
const maxSkipped = 64

// isInFragment reports whether a record belongs to a block that the text does not
// show. Only its shape is checked.
func (s *lmcSession) isInFragment(r *lmc.Record) bool {
	begins := r.Source.Fragment > s.fragment.parts
	s.fragment.parts = max(s.fragment.parts, r.Source.Fragment)
	if s.state.Kind != KindStream {
		return false
	}
	if begins {
		s.fragment.incomplete, s.fragment.ended = r.Start || !s.single.Fits(r), false
		s.single.SkipContent() // such as `...`
		if s.fragment.incomplete {
			s.single = lmc.NewTracker(s.isNote, s.handleEvent)
			s.tracker = s.single
		}
	}
	s.fragment.hasUserFlags = s.fragment.hasUserFlags || r.Role == "user" && r.Start
	if s.fragment.parts > 0 && r.Role == "user" && r.Content != nil && !r.Flag() && !s.fragment.hasUserFlags && s.single.Started() == nil {
		return true // a program logs what it asks, as a whole, before it logs the answer
	}
	switch {
	case !s.fragment.incomplete, r.Type == "review":
	case r.Role == "computer" && r.Start:
		s.single.MarkUncertain() // its code may precede the fragment
		s.fragment.incomplete = false
	case r.Role != "computer" && (r.Start || s.fragment.ended):
		s.fragment.incomplete = false
	}
	s.fragment.ended = s.fragment.ended || r.End
	switch {
	case s.fragment.parts > 1:
		s.fragment.skipped = nil
	case s.fragment.incomplete && len(s.fragment.skipped) < maxSkipped:
		s.fragment.skipped = append(s.fragment.skipped, r.Clone())
	}
	return s.fragment.incomplete
}

// checkOnlyFragment checks the first records of the only part of a text like those of
// data: their start is missing.
func (s *lmcSession) checkOnlyFragment() {
	if s.fragment.parts != 1 {
		return
	}
	t := lmc.NewTracker(s.isNote, s.handleEvent)
	for _, r := range s.fragment.skipped {
		t.Follow(r)
	}
}

// flagOf returns the members of a flag of a block: name is start, end or the
// dialect's key for it.
func flagOf(d *schema.Dialect, role, typ, format, name string) []fix.Member {
	members := []fix.Member{{Name: "role", Value: role}}
	if typ != "" {
		members = append(members, fix.Member{Name: "type", Value: typ})
	}
	t, ok := d.Type(typ)
	isContentOnly := ok && t.Options == schema.FormatOnContentOnly
	if format != "" && !isContentOnly {
		members = append(members, fix.Member{Name: "format", Value: format})
	}
	return append(members, fix.Member{Name: name, Value: true})
}

// EndOf returns the members of the end flag of a block, or nil if its role or
// type is unknown.
func EndOf(d *schema.Dialect, b *lmc.Block) []fix.Member {
	if b.Role == "" || b.Invalid()&(lmc.InvalidRole|lmc.InvalidType|lmc.InvalidFormat) != 0 {
		return nil
	}
	return flagOf(d, b.Role, b.Type, b.Format, d.EndKey)
}

// StartOf returns the members of the start flag that a chunk lacks, or nil if
// its role or type is unknown.
func StartOf(d *schema.Dialect, r *lmc.Record) []fix.Member { return FlagOf(d, r, "start") }

// FlagOf returns the members of a flag that a chunk lacks, as [StartOf] does: name is
// start, or the dialect's key for the end.
func FlagOf(d *schema.Dialect, r *lmc.Record, name string) []fix.Member {
	if r.Binary || r.Role == "" || r.Type == "" || r.HasInvalid(lmc.InvalidRole|lmc.InvalidType|lmc.InvalidFormat) {
		return nil
	}
	return flagOf(d, r.Role, r.Type, r.Format, name)
}

// noteOpenBlock notes the block that is open before a record, of the server in a
// session, for Closing.
func (s *lmcSession) noteOpenBlock() {
	s.before = nil
	if b := s.tracker.Started(); b != nil {
		s.before = EndOf(s.state.Dialect, b)
	}
}

// closing returns what [plugin.Outcome] has as Closing: inside a block it is the end flag, and in a
// stream of the server an error and complete, for which its clients wait.
func (s *lmcSession) closing(rule string) []string {
	if s.before == nil {
		return nil
	}
	closing := []string{objectOf(s.before)}
	if d := s.state.Dialect; d.Completes && (s.state.Kind == KindSession || d.Confirmation == schema.ConfirmNever) { // from a server
		server := func(typ, content string) string {
			return objectOf([]fix.Member{{Name: "role", Value: "server"}, {Name: "type", Value: typ}, {Name: "content", Value: content}})
		}
		closing = append(closing, server("error", "stopped by lmclint: "+rule), server("status", "complete"))
	}
	return closing
}

// objectOf returns an object with members whose values are strings and booleans.
func objectOf(members []fix.Member) string {
	var texts []string
	for _, m := range members {
		name, _ := json.Marshal(m.Name)   // a string
		value, _ := json.Marshal(m.Value) // or a boolean
		texts = append(texts, string(name)+": "+string(value))
	}
	return "{" + strings.Join(texts, ", ") + "}"
}
