package protocol

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/schema"
)

// judgeNames looks for a key that is nearly the name of a field that may be
// missing: the schema has nothing to say about it, because any key may stand
// in a record. The type of a message that misspells it is not known.
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

// judgeKeys looks among the keys of an object, and returns the field that one is
// nearly the name of, or "".
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
		s.emit(workbenchViolationEvent, &WorkbenchViolation{schema.Violation{Rule: "WB003", Node: n, AtKey: true, Key: meant}, r})
		return meant
	}
	return ""
}

// fieldsOf lists the fields that a message must have, and those that may be
// missing.
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
