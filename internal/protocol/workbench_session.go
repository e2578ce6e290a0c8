package protocol

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

// Events of the session's own, behind the follower's.
const (
	workbenchViolationEvent = plugin.Mask(workbench.FirstFree) << iota // *breach: a value breaks its schema
	CamelCaseEvent                                                     // *workbench.Record: the first record of the web app's memory
	UnknownRecordEvent                                                 // *source.Record: a record of no shape that the workbench has
)

// breach is a violation of a schema in a record.
type WorkbenchViolation struct {
	validate.Violation
	Record *workbench.Record
}

// place is where the breach is to be shown.
func (b *WorkbenchViolation) Place() source.Place {
	if b.Node == b.Record.Source.Root {
		return b.Record.Source.Place()
	}
	return b.Record.Source.PlaceOf(b.Node)
}

// onBreach answers the breaches that are the rule's own.
func OnWorkbenchViolation(p *lint.Pass, do func(*WorkbenchViolation)) lint.Hook {
	return lint.Hook{On: workbenchViolationEvent, Do: func(event any) {
		if b := event.(*WorkbenchViolation); ruleOf[b.Cause] == p.Rule.ID {
			do(b)
		}
	}}
}

// workbenchState is what a session shares with its rules.
type workbenchState struct {
	// connector says that the messages are as the .NET connector keeps them on
	// disk: without filenames, and with what is there for debugging.
	FromConnector bool
}

// workbenchOf returns the state of the session that a pass belongs to.
func WorkbenchStateOf(p *lint.Pass) *workbenchState { return p.State.(*workbenchState) }

// workbenchSession follows one input: it hands each record to the schemas and
// to the follower.
type workbenchSession struct {
	state     workbenchState
	validator *validate.WorkbenchValidator
	follower  *workbench.Tracker
	config    plugin.Config
	records   int
	stored    bool // a message as the service returns it was met
	camel     bool // a record of the web app's memory was met
	emit      func(plugin.Mask, any)
}

func newWorkbenchSession(o *workbenchOpener) *workbenchSession {
	s := &workbenchSession{validator: o.validator, config: o.config}
	s.follower = workbench.NewTracker(o.config.Partial, func(e *workbench.Event) { s.emit(plugin.Mask(e.Kind), e) })
	return s
}

func (s *workbenchSession) State() any { return &s.state }

func (s *workbenchSession) Dialect() string { return "" }

// Step judges one record.
func (s *workbenchSession) Step(src *source.Record, emit func(plugin.Mask, any)) {
	s.emit = emit
	if !src.IsGap {
		s.records++
	}
	lost := false
	for _, p := range src.Problems {
		emit(ProblemEvent, &Problem{p, src})
		lost = lost || p.Fatal()
	}
	if lost {
		s.follower.Doubt()
	}
	if lost || src.IsGap || src.Root == nil {
		return
	}
	shape := s.shapeOf(src)
	if shape == workbench.ShapeUnknown {
		s.follower.Doubt()
		emit(UnknownRecordEvent, src)
		return
	}
	r := workbench.Read(src, shape)
	if r.Camel {
		s.meetCamel(r)
		return
	}
	s.judge(r)
	s.judgeNames(r)
	s.follower.Step(r)
}

// shapeOf tells what a record is, in the light of those before it.
func (s *workbenchSession) shapeOf(src *source.Record) workbench.Shape {
	shape := workbench.ShapeOf(src.Root, src.Event)
	if shape == workbench.ShapeUnknown {
		shape = workbench.NearestShape(src.Root)
	}
	if shape == workbench.ShapeRequest && (s.stored || inMessages(src)) {
		shape = workbench.ShapeMessage
	}
	if shape == workbench.ShapeMessage && !s.stored {
		s.stored = true
		s.state.FromConnector = isConnectors(src.Root)
	}
	return shape
}

// inMessages reports whether a record stands in an envelope's list, which has
// messages of the service's alone.
func inMessages(src *source.Record) bool {
	const list = "/messages/"
	return len(src.Pointer) > len(list) && src.Pointer[:len(list)] == list
}

// isConnectors reports whether a message is one that the .NET connector wrote.
func isConnectors(root *source.Node) bool {
	attribution := root.Member("metadata").Member("attribution")
	return attribution != nil && root.Member("filenames") == nil && root.Member("has_debug_data") == nil
}

func (s *workbenchSession) meetCamel(r *workbench.Record) {
	if !s.camel {
		s.camel = true
		s.emit(CamelCaseEvent, r)
	}
}

// Finish ends the conversation.
func (s *workbenchSession) Finish(emit func(plugin.Mask, any)) {
	s.emit = emit
	if s.records == 0 && !s.config.AllowEmpty {
		emit(NoRecordsEvent, nil)
	}
	s.follower.Finish()
}

// Workbench is the protocol that the rules about Semantic Workbench name, as
// the engine sees it. It implements [plugin.Protocol].
type Workbench struct{}

// Protocols lists the protocols that there are rules for.
func Protocols() []plugin.Protocol { return []plugin.Protocol{LMC{}, Workbench{}} }

// Name is how flags and reports call the protocol.
func (Workbench) Name() string { return "workbench" }

// Prepare makes the validator. It fails for a dialect, of which there are
// none, and for a kind of input that does not exist.
func (Workbench) Prepare(config plugin.Config) (plugin.SessionFactory, error) {
	if namesDialect(config) && config.Protocol != "" {
		return nil, fmt.Errorf("unknown dialect %q: Semantic Workbench has no dialects", config.Dialect)
	}
	if config.Kind != "" && verdict(config.Kind).Inputs == 0 {
		return nil, fmt.Errorf("unknown kind of input %q", config.Kind)
	}
	return &workbenchOpener{config, validate.NewWorkbenchValidator()}, nil
}

// namesDialect reports whether the user named a dialect for this very input,
// rather than for what of many inputs is LMC.
func namesDialect(config plugin.Config) bool {
	return !config.Tentative && config.Dialect != "" && config.Dialect != dialectAuto
}

// workbenchOpener holds what conversations under one configuration share.
type workbenchOpener struct {
	config    plugin.Config
	validator *validate.WorkbenchValidator
}

func (o *workbenchOpener) NewSession(string) plugin.Session { return newWorkbenchSession(o) }

// onWorkbench hangs a function on events of the follower.
func OnWorkbench(kind workbench.Kind, do func(*workbench.Event)) lint.Hook {
	return lint.Hook{On: plugin.Mask(kind), Do: func(event any) { do(event.(*workbench.Event)) }}
}

// onSaid hangs a function on messages of some types.
func OnSaid(do func(*workbench.Message), types ...string) lint.Hook {
	return OnWorkbench(workbench.Said, func(e *workbench.Event) {
		for _, t := range types {
			if e.Message.Type == t {
				do(e.Message)
			}
		}
	})
}
