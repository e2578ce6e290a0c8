package workbench

import "github.com/lmclint/lmclint/internal/source"

// Record is a record as the workbench reads it. It is valid as long as the
// source record is.
type Record struct {
	Source *source.Record
	Shape  Shape
	Camel  bool // its keys are spelled as the web app spells them in its memory

	Event     string       // the name of the event, or ""
	EventNode *source.Node // where it stands; nil for the name of a server-sent event
	Data      *source.Node // what an event or a line of an export holds; nil if that is no object

	ConversationID string // in lower case; "" where the record does not say

	Message      *Message       // that the record is or brings, or nil
	Participants []*source.Node // objects that say who takes part
}

// Read views a source record of a shape.
func Read(src *source.Record, shape Shape) *Record {
	r := &Record{Source: src, Shape: shape}
	root := src.Root
	switch shape {
	case ShapeMessage, ShapeRequest:
		r.Camel = isCamel(root)
		r.Message = newMessage(r, root)
	case ShapeAnnouncement:
		r.EventNode = root.Member("event")
		r.Event = r.EventNode.Text()
		r.ConversationID = identity(root.Member("conversation_id"))
		r.readEvent(root.Member("data"))
	case ShapePayload:
		r.Event = src.Event
		r.ConversationID = identity(root.Member("conversation_id"))
		r.readEvent(root.Member("data"))
	case ShapeExport:
		r.readExport(root.Member("data"))
	case ShapeConversation:
		r.ConversationID = identity(root.Member("id"))
		r.readList(root.Member("participants"))
		r.Message = newMessage(r, root.Member("latest_message"))
	}
	return r
}

// readEvent reads what an event is about.
func (r *Record) readEvent(data *source.Node) {
	if data == nil || data.Kind != source.Object {
		return
	}
	r.Data = data
	message := data.Member("message")
	r.Camel = isCamel(message)
	r.Message = newMessage(r, message)
	if p := data.Member("participant"); p != nil && p.Kind == source.Object {
		r.Participants = append(r.Participants, p)
	}
	r.readList(data.Member("participants"))
}

func (r *Record) readList(list *source.Node) {
	if list == nil || list.Kind != source.Array {
		return
	}
	for i := range list.Children {
		if p := &list.Children[i]; p.Kind == source.Object {
			r.Participants = append(r.Participants, p)
		}
	}
}

// readExport reads a line of an export.
func (r *Record) readExport(data *source.Node) {
	if data == nil || data.Kind != source.Object {
		return
	}
	r.Data = data
	r.ConversationID = identity(data.Member("conversation_id"))
	switch r.Table() {
	case "ConversationMessage":
		r.Message = newExported(r, data)
	case "UserParticipant", "AssistantParticipant":
		r.Participants = append(r.Participants, data)
	}
}

// Table is the type of a line of an export, "" for any other record.
func (r *Record) Table() string {
	if r.Shape != ShapeExport {
		return ""
	}
	return r.Source.Root.Member("type").Text()
}

// Deletes reports whether the record says that its message is gone.
func (r *Record) Deletes() bool { return r.Event == "message.deleted" }

// Streamed reports whether the record is an event of a stream.
func (r *Record) Streamed() bool { return r.Shape == ShapeAnnouncement || r.Shape == ShapePayload }
