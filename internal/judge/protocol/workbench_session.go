package protocol

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Events of Semantic Workbench sessions, after those of package workbench.
const (
	workbenchViolationEvent = plugin.Mask(workbench.FirstFree) << iota // *WorkbenchViolation: a value violates its schema
	CamelCaseEvent                                                     // *workbench.Record: a record of the web app's internal state
	UnknownRecordEvent                                                 // *source.Record: a record of another format
)

// WorkbenchViolation is a violation of a schema in a record.
type WorkbenchViolation struct {
	validate.Violation
	Record *workbench.Record
}

// Place returns where to report the violation.
func (b *WorkbenchViolation) Place() source.Place {
	if b.Node == b.Record.Source.Root {
		return b.Record.Source.Place()
	}
	return b.Record.Source.PlaceOf(b.Node)
}

// OnWorkbenchViolation calls do for the violations that the rule of the pass
// reports.
func OnWorkbenchViolation(p *lint.Pass, do func(*WorkbenchViolation)) lint.Hook {
	return on(workbenchViolationEvent, func(b *WorkbenchViolation) {
		if ruleOf[b.Cause] == p.Rule.ID {
			do(b)
		}
	})
}

// WorkbenchState is the state that a session shares with its rules.
type WorkbenchState struct {
	// FromConnector is whether the .NET connector stored the messages on disk:
	// without filenames, and with debug data.
	FromConnector bool
}

// WorkbenchStateOf returns the state of the session that a pass belongs to.
func WorkbenchStateOf(p *lint.Pass) *WorkbenchState { return p.State.(*WorkbenchState) }

// workbenchSession checks one input: it passes each record to the schemas and
// to the tracker.
type workbenchSession struct {
	state     WorkbenchState
	validator *validate.WorkbenchValidator
	tracker   *workbench.Tracker
	config    plugin.Config
	records   int
	stored    bool // a message of the service has been seen
	emit      plugin.Emit
}

func (s *workbenchSession) State() any { return &s.state }

// Dialect implements [plugin.Session]: there is none.
func (s *workbenchSession) Dialect() (name, published string) { return "", "" }

// Outcome implements [plugin.Session]: no message waits for another one.
func (s *workbenchSession) Outcome(string) (none plugin.Outcome) { return none }

// FastPath implements [plugin.Session]: messages have ids and times of their own.
func (s *workbenchSession) FastPath() plugin.FastPath { return nil }

// Step checks one record.
func (s *workbenchSession) Step(src *source.Record) {
	if !src.IsGap {
		s.records++
	}
	if s.config.Fixing {
		s.emit(RecordEvent, src)
	}
	lost := false
	for i := range src.Problems {
		p := &src.Problems[i]
		s.emit(ProblemEvent, &Problem{p, src})
		lost = lost || p.IsFatal()
	}
	if lost {
		s.tracker.MarkUncertain()
	}
	if lost || src.IsGap || src.Root == nil {
		return
	}
	shape := s.shapeOf(src)
	if shape == workbench.ShapeUnknown {
		s.tracker.MarkUncertain()
		s.emit(UnknownRecordEvent, src)
		return
	}
	r := workbench.Read(src, shape)
	if r.Camel {
		s.emit(CamelCaseEvent, r)
		return
	}
	s.validateRecord(r)
	s.checkNames(r)
	s.tracker.Step(r)
}

// shapeOf returns the shape of a record, which may depend on earlier records.
func (s *workbenchSession) shapeOf(src *source.Record) workbench.Shape {
	shape := workbench.ShapeOf(src.Root, src.Event)
	if shape == workbench.ShapeUnknown {
		shape = workbench.NearestShape(src.Root)
	}
	if shape == workbench.ShapeRequest && s.stored && workbench.HasAnswerKeys(src.Root) {
		shape = workbench.ShapeMessage // that lacks other keys
	}
	if shape == workbench.ShapeMessage && !s.stored {
		s.stored = true
		isAttributed := src.Root.Member("metadata").Member("attribution") != nil
		s.state.FromConnector = isAttributed && src.Root.Member("filenames") == nil && src.Root.Member("has_debug_data") == nil
	}
	return shape
}

// Finish ends the conversation.
func (s *workbenchSession) Finish() {
	if s.records == 0 && !s.config.AllowEmpty {
		s.emit(NoRecordsEvent, nil)
	}
	s.tracker.Finish()
}

// Workbench is the protocol of the rules about Semantic Workbench. It
// implements [plugin.Protocol].
type Workbench struct{}

// Protocols lists the protocols that have rules.
func Protocols() []plugin.Protocol { return []plugin.Protocol{LMC{}, Workbench{}} }

// Name returns the name of the protocol in flags and reports.
func (Workbench) Name() string { return "workbench" }

// Prepare compiles the validator. It fails for a dialect, because the protocol
// has none.
func (Workbench) Prepare(config plugin.Config) (plugin.NewSession, error) {
	if namesDialect(config) && config.Protocol != "" {
		return nil, fmt.Errorf("unknown dialect %q: Semantic Workbench has no dialects", config.Dialect)
	}
	validator := validate.NewWorkbenchValidator()
	return func(_ string, emit plugin.Emit) plugin.Session {
		tracker := workbench.NewTracker(config.Partial, func(e *workbench.Event) { emit(plugin.Mask(e.Kind), e) })
		return &workbenchSession{validator: validator, config: config, tracker: tracker, emit: emit}
	}, nil
}

// OnWorkbench calls do for the events of the given kinds.
func OnWorkbench(kind workbench.Kind, do func(*workbench.Event)) lint.Hook {
	return on(plugin.Mask(kind), do)
}

// OnMessage calls do for each message of the given types.
func OnMessage(do func(*workbench.Message), types ...string) lint.Hook {
	return OnWorkbench(workbench.Said, func(e *workbench.Event) {
		if slices.Contains(types, e.Message.Type) {
			do(e.Message)
		}
	})
}

// ReportWorkbenchViolations is [ReportViolations] for Semantic Workbench.
func ReportWorkbenchViolations(finding func(*lint.Pass, *WorkbenchViolation) lint.Finding) func(*lint.Pass) []lint.Hook {
	return func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{OnWorkbenchViolation(p, func(v *WorkbenchViolation) { p.Report(finding(p, v)) })}
	}
}

// ReportWorkbench makes the check of a rule that reports a finding for each event
// of the given kinds.
func ReportWorkbench(kind workbench.Kind, finding func(*workbench.Event) lint.Finding) func(*lint.Pass) []lint.Hook {
	return func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{OnWorkbench(kind, func(e *workbench.Event) { p.Report(finding(e)) })}
	}
}

// ServiceKeys are pairs of a key of the service and the database column with the
// same meaning.
var ServiceKeys = [][2]string{{"id", "message_id"}, {"sender", "sender_participant_id"}, {"timestamp", "created_datetime"}, {"metadata", "meta_data"}}

// validateRecord validates a record, or the elements of a list in it, by its shape.
func (s *workbenchSession) validateRecord(r *workbench.Record) {
	schema, list := r.Shape.Schema, r.Shape.List
	if list == "" {
		s.validateNode(r, r.Source.Root, schema)
		if r.Shape == workbench.ShapePayload {
			s.validatePayload(r)
		}
		return
	}
	elements := r.Source.Root.Member(list).Children
	for i := range elements {
		if n := &elements[i]; n.Kind == source.Object {
			s.validateNode(r, n, schema)
		} else {
			s.emitViolations(r, []validate.Violation{{Cause: validate.WrongField, Node: n, Expected: []string{source.Object.String()}, Type: list}}, nil)
		}
	}
}

func (s *workbenchSession) validateNode(r *workbench.Record, n *source.Node, schema string) {
	violations, err := s.validator.Check(n, schema)
	s.emitViolations(r, violations, err)
}

// validatePayload validates the data of a server-sent event by the name of the
// event. Data without a name is validated by its content.
func (s *workbenchSession) validatePayload(r *workbench.Record) {
	name := r.Event
	if name == "" && r.Data.Member("message") != nil {
		name = "message.created"
	}
	if r.Data != nil && slices.Contains(workbench.EventNames(), name) {
		violations, err := s.validator.CheckPayload(r.Data, name)
		s.emitViolations(r, violations, err)
	}
}

// emitViolations passes violations to the rules.
func (s *workbenchSession) emitViolations(r *workbench.Record, violations []validate.Violation, err error) {
	if err != nil {
		// The engine reports an internal error and keeps the other findings.
		panic(fmt.Errorf("validate a record: %w", err))
	}
	for _, v := range violations {
		if isUncertain(&v) {
			s.tracker.MarkUncertain()
		}
		if v.Cause != validate.MissingField || s.removeExplained(r, &v) {
			s.emit(workbenchViolationEvent, &WorkbenchViolation{v, r})
		}
	}
}

// removeExplained removes from a violation the keys that the record may omit, and those
// for which another rule reports a synonym. It reports whether any key is left.
func (s *workbenchSession) removeExplained(r *workbench.Record, v *validate.Violation) bool {
	v.Expected = slices.DeleteFunc(slices.Clone(v.Expected), func(key string) bool {
		if r.Table() == "ConversationMessage" {
			return slices.ContainsFunc(ServiceKeys, func(pair [2]string) bool { return pair[1] == key && v.Node.Member(pair[0]) != nil })
		}
		return key == "filenames" && s.state.FromConnector && r.Shape == workbench.ShapeMessage
	})
	if len(v.Expected) > 0 {
		v.Key = v.Expected[0]
	}
	return len(v.Expected) > 0
}

// isUncertain reports whether a violation makes the shape of the record or its
// conversation uncertain.
func isUncertain(v *validate.Violation) bool {
	concerns := func(key string) bool { return v.Key == key || slices.Contains(v.Expected, key) }
	return v.Cause == validate.InvalidEventData || v.Cause == validate.InvalidExportRecord ||
		slices.ContainsFunc([]string{"type", "conversation_id", "message_id", "assistant_id", "file_id"}, concerns)
}

// checkNames reports a key that is nearly the name of an optional field. The
// schema cannot report it, because records may have any key. The type of a
// message that misspells it is unknown.
func (s *workbenchSession) checkNames(r *workbench.Record) {
	if r.Shape == workbench.ShapeAnnouncement {
		s.checkKeys(r, r.Source.Root, []string{"conversation_id", "event", "data"}, []string{"id", "correlation_id", "timestamp"})
	}
	if m := r.Message; m != nil {
		required, optional := fieldsOf(r.Shape)
		if s.checkKeys(r, m.Node, required, optional) == "message_type" {
			m.Type = ""
		}
	}
}

// checkKeys reports the first such key of an object. It returns the field that
// it is nearly the name of, or "".
func (s *workbenchSession) checkKeys(r *workbench.Record, object *source.Node, required, optional []string) string {
	isServiceKey := func(key string) bool {
		return slices.ContainsFunc(ServiceKeys, func(pair [2]string) bool { return pair[0] == key })
	}
	for i := range object.Children {
		n := &object.Children[i]
		if slices.Contains(required, n.Name) || slices.Contains(optional, n.Name) || r.Shape == workbench.ShapeExport && isServiceKey(n.Name) {
			continue
		}
		meant, ok := spelling.Nearest(n.Name, slices.Concat(optional, required))
		if n.Name == "type" && slices.Contains(workbench.MessageTypes(), n.Text()) {
			meant, ok = "message_type", true
		}
		if !ok || !slices.Contains(optional, meant) || object.Member(meant) != nil {
			continue
		}
		s.emit(workbenchViolationEvent, &WorkbenchViolation{validate.Violation{Cause: validate.MissingField, Node: n, AtKey: true, Key: meant}, r})
		return meant
	}
	return ""
}

// fieldsOf returns the required and the optional fields of a message.
func fieldsOf(shape workbench.Shape) (required, optional []string) {
	switch shape {
	case workbench.ShapeRequest:
		keys := workbench.RequestKeys()
		return []string{keys[0], "timestamp"}, keys[1:]
	case workbench.ShapeExport:
		return []string{
			"message_id", "conversation_id", "created_datetime", "sender_participant_id", "sender_participant_role", "message_type", "content", "content_type",
		}, []string{"sequence", "meta_data", "filenames"}
	}
	return []string{"id", "sender", "timestamp", "content_type", "content", "filenames", "metadata"}, []string{"message_type", "has_debug_data"}
}
