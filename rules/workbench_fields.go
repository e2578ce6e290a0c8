package rules

import (
	"slices"

	"github.com/lmclint/lmclint/schema"
	"github.com/lmclint/lmclint/workbench"
)

// judgeNames looks for a key that is nearly the name of a field that may be
// missing: the schema has nothing to say about it, because any key may stand
// in a message. The type of a message that misspells it is not known.
func (s *workbenchSession) judgeNames(r *workbench.Record) {
	m := r.Message
	if m == nil {
		return
	}
	required, optional := fieldsOf(r.Shape)
	for i := range m.Node.Children {
		n := &m.Node.Children[i]
		if slices.Contains(required, n.Name) || slices.Contains(optional, n.Name) || r.Shape == workbench.ShapeExport && isRestName(n.Name) {
			continue
		}
		meant, ok := schema.Nearest(n.Name, slices.Concat(optional, required))
		if !ok || !slices.Contains(optional, meant) || m.Node.Member(meant) != nil {
			continue
		}
		if meant == "message_type" {
			m.Type = ""
		}
		s.emit(breachMet, &breach{schema.Violation{Rule: "WB003", Node: n, AtKey: true, Key: meant}, r})
		return
	}
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
