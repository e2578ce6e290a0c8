package protocol

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/internal/workbench"
)

// ServiceKeys are pairs of a key of the service and the database column with the
// same meaning.
var ServiceKeys = [][2]string{{"id", "message_id"}, {"sender", "sender_participant_id"}, {"timestamp", "created_datetime"}, {"metadata", "meta_data"}}

func isServiceKey(key string) bool {
	return slices.ContainsFunc(ServiceKeys, func(pair [2]string) bool { return pair[0] == key })
}

// parts are the schemas of records by their shapes. A record with a list has that
// of its elements.
var parts = [...]struct {
	part validate.WorkbenchPart
	list string
}{
	workbench.ShapeMessage:          {part: validate.WorkbenchMessage},
	workbench.ShapeRequest:          {part: validate.WorkbenchNewMessage},
	workbench.ShapeAnnouncement:     {part: validate.WorkbenchEvent},
	workbench.ShapePayload:          {part: validate.WorkbenchSSEData},
	workbench.ShapeExport:           {part: validate.WorkbenchExport},
	workbench.ShapeParticipant:      {part: validate.WorkbenchParticipant},
	workbench.ShapeParticipantList:  {validate.WorkbenchParticipant, "participants"},
	workbench.ShapeConversation:     {part: validate.WorkbenchConversation},
	workbench.ShapeConversationList: {validate.WorkbenchConversation, "conversations"},
	workbench.ShapeFile:             {part: validate.WorkbenchFile},
	workbench.ShapeFileList:         {validate.WorkbenchFile, "files"},
	workbench.ShapeFileVersions:     {part: validate.WorkbenchFileVersions},
	workbench.ShapeDebugData:        {part: validate.WorkbenchDebugData},
}

// validateRecord validates a record by its shape.
func (s *workbenchSession) validateRecord(r *workbench.Record) {
	by, root := parts[r.Shape], r.Source.Root
	if by.list != "" {
		s.validateList(r, root.Member(by.list), by.part)
		return
	}
	s.validateNode(r, root, by.part)
	if r.Shape == workbench.ShapePayload {
		s.validatePayload(r)
	}
}

func (s *workbenchSession) validateNode(r *workbench.Record, n *source.Node, part validate.WorkbenchPart) {
	violations, err := s.validator.Check(n, part)
	s.emitViolations(r, violations, err)
}

// validateList validates the elements of a list, which must be objects.
func (s *workbenchSession) validateList(r *workbench.Record, list *source.Node, part validate.WorkbenchPart) {
	for i := range list.Children {
		if n := &list.Children[i]; n.Kind == source.Object {
			s.validateNode(r, n, part)
		} else {
			s.emitViolations(r, []validate.Violation{{Cause: validate.WrongField, Node: n, Expected: []string{source.Object.String()}, Type: list.Name}}, nil)
		}
	}
}

// validatePayload validates the data of a server-sent event by the name of the
// event. Data without a name is validated by its content.
func (s *workbenchSession) validatePayload(r *workbench.Record) {
	name := r.Event
	if name == "" && r.Data.Member("message") != nil {
		name = "message.created"
	}
	if r.Data == nil {
		return
	}
	violations, err := s.validator.CheckPayload(r.Data, name)
	s.emitViolations(r, violations, err)
}

// emitViolations passes violations to the rules.
func (s *workbenchSession) emitViolations(r *workbench.Record, violations []validate.Violation, err error) {
	if err != nil {
		// The engine reports an internal error and keeps the other findings.
		panic(fmt.Errorf("validate a record: %w", err))
	}
	for _, v := range violations {
		s.markUncertain(&v)
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

// markUncertain marks the tracker uncertain if a violation makes the shape of the
// record or its conversation uncertain.
func (s *workbenchSession) markUncertain(v *validate.Violation) {
	switch {
	case concerns(v, "type", "conversation_id", "message_id", "assistant_id", "file_id"), v.Cause == validate.InvalidEventData, v.Cause == validate.InvalidExportRecord:
		s.tracker.MarkUncertain()
	}
}

// concerns reports whether a violation is about one of the keys.
func concerns(v *validate.Violation, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return v.Key == key || slices.Contains(v.Expected, key) })
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
