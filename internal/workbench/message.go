package workbench

import "github.com/lmclint/lmclint/internal/source"

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
