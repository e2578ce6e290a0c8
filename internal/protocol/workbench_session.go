package protocol

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// Events of the session's own, behind the follower's.
const (
	workbenchViolationEvent = lint.Mask(workbench.FirstFree) << iota // *breach: a value breaks its schema
	CamelCaseEvent                                                   // *workbench.Record: the first record of the web app's memory
	UnknownRecordEvent                                               // *source.Record: a record of no shape that the workbench has
)

// breach is a violation of a schema in a record.
type WorkbenchViolation struct {
	schema.Violation
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
		if b := event.(*WorkbenchViolation); b.Rule == p.Rule.ID {
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
	validator *schema.WorkbenchValidator
	follower  *workbench.Tracker
	config    lint.Config
	records   int
	stored    bool // a message as the service returns it was met
	camel     bool // a record of the web app's memory was met
	emit      func(lint.Mask, any)
}

func newWorkbenchSession(o *workbenchOpener) *workbenchSession {
	s := &workbenchSession{validator: o.validator, config: o.config}
	s.follower = workbench.NewFollower(o.config.Partial, func(e *workbench.Event) { s.emit(lint.Mask(e.Kind), e) })
	return s
}

func (s *workbenchSession) State() any { return &s.state }

func (s *workbenchSession) Dialect() string { return "" }

// Step judges one record.
func (s *workbenchSession) Step(src *source.Record, emit func(lint.Mask, any)) {
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
func (s *workbenchSession) Finish(emit func(lint.Mask, any)) {
	s.emit = emit
	if s.records == 0 && !s.config.AllowEmpty {
		emit(NoRecordsEvent, nil)
	}
	s.follower.Finish()
}
