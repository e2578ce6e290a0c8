package protocol

import (
	"fmt"
	"slices"

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
	for _, p := range src.Problems {
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
