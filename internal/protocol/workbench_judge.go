package protocol

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/schema"
)

// restName are the keys of the service's answers and the columns that hold the same.
var RestName = [][2]string{{"id", "message_id"}, {"sender", "sender_participant_id"}, {"timestamp", "created_datetime"}, {"metadata", "meta_data"}}

func isRestName(key string) bool {
	return slices.ContainsFunc(RestName, func(pair [2]string) bool { return pair[0] == key })
}

// judge has the schemas judge what a record is.
func (s *workbenchSession) judge(r *workbench.Record) {
	root := r.Source.Root
	switch r.Shape {
	case workbench.ShapeMessage:
		s.check(r, root, schema.WorkbenchMessage)
	case workbench.ShapeRequest:
		s.check(r, root, schema.WorkbenchNewMessage)
	case workbench.ShapeAnnouncement:
		s.check(r, root, schema.WorkbenchEvent)
	case workbench.ShapePayload:
		s.check(r, root, schema.WorkbenchSSEData)
		s.judgePayload(r)
	case workbench.ShapeExport:
		s.check(r, root, schema.WorkbenchExport)
	case workbench.ShapeParticipant:
		s.check(r, root, schema.WorkbenchParticipant)
	case workbench.ShapeParticipantList:
		s.checkAll(r, root.Member("participants"), schema.WorkbenchParticipant)
	case workbench.ShapeFileList:
		s.checkAll(r, root.Member("files"), schema.WorkbenchFile)
	case workbench.ShapeConversation:
		s.check(r, root, schema.WorkbenchConversation)
		if r.Message != nil {
			s.check(r, r.Message.Node, schema.WorkbenchMessage)
		}
	}
}

func (s *workbenchSession) check(r *workbench.Record, n *source.Node, part schema.WorkbenchPart) {
	violations, err := s.validator.Check(n, part)
	s.tell(r, violations, err)
}

// checkAll judges the objects of a list.
func (s *workbenchSession) checkAll(r *workbench.Record, list *source.Node, part schema.WorkbenchPart) {
	if list == nil || list.Kind != source.Array {
		return
	}
	for i := range list.Children {
		if list.Children[i].Kind == source.Object {
			s.check(r, &list.Children[i], part)
		}
	}
}

// judgePayload judges what a server-sent event carries by the event's name. An
// event without one is judged by what it holds.
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

// tell passes violations on to the rules.
func (s *workbenchSession) tell(r *workbench.Record, violations []schema.Violation, err error) {
	if err != nil {
		// The engine makes an internal error of it and keeps what was found.
		panic(fmt.Errorf("judge a record's shape: %w", err))
	}
	for _, v := range violations {
		s.doubt(r, &v)
		if v.Rule != "WB003" || s.leave(r, &v) {
			s.emit(workbenchViolationEvent, &WorkbenchViolation{v, r})
		}
	}
}

// leave takes off what a record may lack, or lacks by another name of which
// there is a rule, and reports whether it lacks more.
func (s *workbenchSession) leave(r *workbench.Record, v *schema.Violation) bool {
	v.Expected = slices.DeleteFunc(slices.Clone(v.Expected), func(key string) bool {
		if r.Shape == workbench.ShapeExport {
			return slices.ContainsFunc(RestName, func(pair [2]string) bool { return pair[1] == key && v.Node.Member(pair[0]) != nil })
		}
		return key == "filenames" && s.state.FromConnector && r.Shape == workbench.ShapeMessage
	})
	if len(v.Expected) > 0 {
		v.Key = v.Expected[0]
	}
	return len(v.Expected) > 0
}

// doubt tells the follower of a breach behind which it cannot tell what a
// record is, or of which conversation.
func (s *workbenchSession) doubt(r *workbench.Record, v *schema.Violation) {
	switch {
	case r.Message == nil && r.Shape == workbench.ShapeExport, concerns(v, "conversation_id", "message_id"), v.Rule == "WB202", v.Rule == "WB301":
		s.follower.Doubt()
	}
}

// concerns reports whether a violation is about one of some keys.
func concerns(v *schema.Violation, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return v.Key == key || slices.Contains(v.Expected, key) })
}
