package protocol

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
)

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
