package protocol

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/internal/workbench"
)

// RestName are pairs of a key of the service and the database column with the
// same meaning.
var RestName = [][2]string{{"id", "message_id"}, {"sender", "sender_participant_id"}, {"timestamp", "created_datetime"}, {"metadata", "meta_data"}}

func isRestName(key string) bool {
	return slices.ContainsFunc(RestName, func(pair [2]string) bool { return pair[0] == key })
}

// judge validates a record by its shape.
func (s *workbenchSession) judge(r *workbench.Record) {
	root := r.Source.Root
	switch r.Shape {
	case workbench.ShapeMessage:
		s.check(r, root, validate.WorkbenchMessage)
	case workbench.ShapeRequest:
		s.check(r, root, validate.WorkbenchNewMessage)
	case workbench.ShapeAnnouncement:
		s.check(r, root, validate.WorkbenchEvent)
	case workbench.ShapePayload:
		s.check(r, root, validate.WorkbenchSSEData)
		s.judgePayload(r)
	case workbench.ShapeExport:
		s.check(r, root, validate.WorkbenchExport)
	case workbench.ShapeParticipant:
		s.check(r, root, validate.WorkbenchParticipant)
	case workbench.ShapeParticipantList:
		s.checkAll(r, root.Member("participants"), validate.WorkbenchParticipant)
	case workbench.ShapeFileList:
		s.checkAll(r, root.Member("files"), validate.WorkbenchFile)
	case workbench.ShapeConversation:
		s.check(r, root, validate.WorkbenchConversation)
	case workbench.ShapeDebugData:
		s.check(r, root, validate.WorkbenchDebugData)
	}
}

func (s *workbenchSession) check(r *workbench.Record, n *source.Node, part validate.WorkbenchPart) {
	violations, err := s.validator.Check(n, part)
	s.tell(r, violations, err)
}

// checkAll validates the objects of a list.
func (s *workbenchSession) checkAll(r *workbench.Record, list *source.Node, part validate.WorkbenchPart) {
	if list == nil || list.Kind != source.Array {
		return
	}
	for i := range list.Children {
		if list.Children[i].Kind == source.Object {
			s.check(r, &list.Children[i], part)
		}
	}
}

// judgePayload validates the data of a server-sent event by the name of the
// event. Data without a name is validated by its content.
func (s *workbenchSession) judgePayload(r *workbench.Record) {
	name := r.Event
	if name == "" && r.Message != nil {
		name = "message.created"
	}
	if r.Data == nil {
		return
	}
	violations, err := s.validator.CheckPayload(r.Data, name)
	s.tell(r, violations, err)
}

// tell passes violations to the rules.
func (s *workbenchSession) tell(r *workbench.Record, violations []validate.Violation, err error) {
	if err != nil {
		// The engine reports an internal error and keeps the other findings.
		panic(fmt.Errorf("validate a record: %w", err))
	}
	for _, v := range violations {
		s.doubt(&v)
		if v.Cause != validate.MissingField || s.leave(r, &v) {
			s.emit(workbenchViolationEvent, &WorkbenchViolation{v, r})
		}
	}
}

// leave removes from a violation the keys that the record may omit, and those
// for which another rule reports a synonym. It reports whether any key is left.
func (s *workbenchSession) leave(r *workbench.Record, v *validate.Violation) bool {
	v.Expected = slices.DeleteFunc(slices.Clone(v.Expected), func(key string) bool {
		if r.Table() == "ConversationMessage" {
			return slices.ContainsFunc(RestName, func(pair [2]string) bool { return pair[1] == key && v.Node.Member(pair[0]) != nil })
		}
		return key == "filenames" && s.state.FromConnector && r.Shape == workbench.ShapeMessage
	})
	if len(v.Expected) > 0 {
		v.Key = v.Expected[0]
	}
	return len(v.Expected) > 0
}

// doubt tells the tracker about a violation that makes the shape of the record
// or its conversation uncertain.
func (s *workbenchSession) doubt(v *validate.Violation) {
	switch {
	case concerns(v, "conversation_id", "message_id", "assistant_id", "file_id"), v.Cause == validate.InvalidEventData, v.Cause == validate.InvalidExportRecord:
		s.follower.Doubt()
	}
}

// concerns reports whether a violation is about one of the keys.
func concerns(v *validate.Violation, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return v.Key == key || slices.Contains(v.Expected, key) })
}

// judgeNames reports a key that is nearly the name of an optional field. The
// schema cannot report it, because records may have any key. The type of a
// message that misspells it is unknown.
func (s *workbenchSession) judgeNames(r *workbench.Record) {
	if r.Shape == workbench.ShapeAnnouncement {
		s.judgeKeys(r, r.Source.Root, []string{"conversation_id", "event", "data"}, []string{"id", "correlation_id", "timestamp"})
	}
	if m := r.Message; m != nil {
		required, optional := fieldsOf(r.Shape)
		if s.judgeKeys(r, m.Node, required, optional) == "message_type" {
			m.Type = ""
		}
	}
}

// judgeKeys reports the first such key of an object. It returns the field that
// it is nearly the name of, or "".
func (s *workbenchSession) judgeKeys(r *workbench.Record, object *source.Node, required, optional []string) string {
	for i := range object.Children {
		n := &object.Children[i]
		if slices.Contains(required, n.Name) || slices.Contains(optional, n.Name) || r.Shape == workbench.ShapeExport && isRestName(n.Name) {
			continue
		}
		meant, ok := spelling.Nearest(n.Name, slices.Concat(optional, required))
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
		return []string{"content", "timestamp"}, []string{"id", "sender", "message_type", "content_type", "filenames", "metadata", "debug_data"}
	case workbench.ShapeExport:
		return []string{
			"message_id", "conversation_id", "created_datetime", "sender_participant_id", "sender_participant_role", "message_type", "content", "content_type",
		}, []string{"sequence", "meta_data", "filenames"}
	}
	return []string{"id", "sender", "timestamp", "content_type", "content", "filenames", "metadata"}, []string{"message_type", "has_debug_data"}
}
