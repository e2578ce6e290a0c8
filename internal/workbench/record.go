package workbench

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
)

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

// Message is a message, whatever record brings it. A word that the workbench
// does not know, and a value of a wrong type, is as good as none: the schemas
// tell of it.
type Message struct {
	Record *Record
	Node   *source.Node // the object

	Type     string       // a message type; Chat where there is none; "" where it is unknown
	TypeNode *source.Node // nil if absent

	Role     string       // of the sender; "" if absent or unknown
	RoleNode *source.Node // nil if absent
	SenderID string       // "" if absent
	Sender   *source.Node // the sender's id, or nil

	ID, Time    *source.Node // nil if absent
	ContentType string
	Content     string
	ContentNode *source.Node // nil if absent
	Metadata    *source.Node // an object, or nil
}

// newMessage views a message of the service or of a client. It returns nil if
// the value is no object.
func newMessage(r *Record, n *source.Node) *Message {
	if n == nil || n.Kind != source.Object {
		return nil
	}
	sender := n.Member("sender")
	m := &Message{
		Record: r, Node: n,
		RoleNode: sender.Member("participant_role"), Sender: sender.Member("participant_id"),
		ID: n.Member("id"), Time: n.Member("timestamp"), Metadata: n.Member("metadata"),
	}
	m.read()
	return m
}

// newExported views a message of an export, which has other names for some keys.
func newExported(r *Record, n *source.Node) *Message {
	m := &Message{
		Record: r, Node: n,
		RoleNode: n.Member("sender_participant_role"), Sender: n.Member("sender_participant_id"),
		ID: n.Member("message_id"), Time: n.Member("created_datetime"), Metadata: n.Member("meta_data"),
	}
	m.read()
	return m
}

// read fills in what the nodes say.
func (m *Message) read() {
	m.TypeNode, m.ContentNode = m.Node.Member("message_type"), m.Node.Member("content")
	m.Type = typeOf(m.TypeNode)
	if role := m.RoleNode.Text(); hasKey(Roles(), role) {
		m.Role = role
	}
	m.SenderID = m.Sender.Text()
	m.ContentType = m.Node.Member("content_type").Text()
	m.Content = m.ContentNode.Text()
	if m.Metadata != nil && m.Metadata.Kind != source.Object {
		m.Metadata = nil
	}
}

// typeOf reads a message type, of which the page's spelling of Response is one.
func typeOf(n *source.Node) string {
	switch text := n.Text(); {
	case n == nil:
		return Chat
	case text == CommandResponseTypo:
		return Response
	case hasKey(MessageTypes(), text):
		return text
	}
	return ""
}

// Place is the place of the message.
func (m *Message) Place() source.Place {
	if m.Node == m.Record.Source.Root {
		return m.Record.Source.Place()
	}
	return m.Record.Source.PlaceOf(m.Node)
}

// At is the place of one of the message's values, or of the message if there
// is none.
func (m *Message) At(n *source.Node) source.Place {
	if n == nil {
		return m.Place()
	}
	return m.Record.Source.PlaceOf(n)
}

// Meta returns a value of the message's metadata, or nil.
func (m *Message) Meta(key string) *source.Node { return m.Metadata.Member(key) }

// Stored reports whether the service gave the message out, as it keeps it.
func (m *Message) Stored() bool { return m.Record.Shape != ShapeRequest }

// Target is whom a message is directed at: an id, the word "all", or "" if it
// does not say.
func (m *Message) Target() string { return m.Meta("directed_at").Text() }

// keySet asks for the keys of an object.
type keySet struct{ of *source.Node }

func keysOf(n *source.Node) keySet { return keySet{n} }

// has reports whether all of the keys are there.
func (k keySet) has(names ...string) bool { return k.count(names...) == len(names) }

// any reports whether one of the keys is there.
func (k keySet) any(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return k.of.Member(name) != nil })
}

// count returns how many of the keys are there.
func (k keySet) count(names ...string) (n int) {
	for _, name := range names {
		if k.of.Member(name) != nil {
			n++
		}
	}
	return n
}

func hasKey(names []string, name string) bool { return slices.Contains(names, name) }

// UUIDForm says how a text is written that may be a UUID.
type UUIDForm uint8

// The forms of a UUID.
const (
	NoUUID    UUIDForm = iota
	PlainUUID          // 8-4-4-4-12 hexadecimal digits in lower case, as the service writes it
	OddUUID            // another form that the service's models read
)

// ID is a UUID's value.
type ID [16]byte

// ParseUUID reads a UUID as the service's models do: with hyphens or without,
// in braces, or behind urn:uuid:.
func ParseUUID(text string) (id ID, form UUIDForm) {
	digits := strings.TrimPrefix(text, "urn:uuid:")
	if inside, braced := strings.CutPrefix(digits, "{"); braced {
		digits = strings.TrimSuffix(inside, "}")
	}
	if len(digits) == len(id.String()) && digits[8] == '-' && digits[13] == '-' && digits[18] == '-' && digits[23] == '-' {
		digits = strings.ReplaceAll(digits, "-", "")
	}
	if len(digits) != hex.EncodedLen(len(id)) {
		return ID{}, NoUUID
	}
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return ID{}, NoUUID
	}
	if text == id.String() {
		return id, PlainUUID
	}
	return id, OddUUID
}

// String writes the id as the service does.
func (id ID) String() string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// identity is a text by which two mentions of one id are the same.
func identity(n *source.Node) string {
	text := n.Text()
	if id, form := ParseUUID(text); form == OddUUID {
		return id.String()
	}
	return text
}
