package workbench

import (
	"slices"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/source"
)

// Shape is what a record is.
type Shape struct {
	name   string // in messages
	Schema string // the schema that is published for such records, or for the elements of a list in them
	List   string // the key of that list, or ""
}

// The shapes of records, and those of documents.
var (
	ShapeUnknown      = Shape{name: "record"}                         // none of the others
	ShapeMessage      = Shape{name: "message", Schema: "message"}     // as the service returns it
	ShapeRequest      = Shape{name: "request", Schema: "new-message"} // a message as a client posts it
	ShapeAnnouncement = Shape{name: "event", Schema: "event"}         // as an assistant receives it
	ShapePayload      = Shape{name: "server-sent event", Schema: "sse-data"}
	ShapeExport       = Shape{name: "export record", Schema: "export-record"} // a line of an export
	ShapeConversation = Shape{name: "conversation", Schema: "conversation"}   // without its messages

	shapeParticipant = Shape{name: "participant", Schema: "participant"}
	shapeFile        = Shape{name: "file", Schema: "file"}
)

// String returns the name of the shape in messages.
func (s Shape) String() string { return s.name }

// Streamed reports whether records of the shape are events of a stream.
func (s Shape) Streamed() bool { return s == ShapeAnnouncement || s == ShapePayload }

// ShapeOf detects the shape of a record from its keys. Event is the name of the
// server-sent event whose data it is, or "".
func ShapeOf(root *source.Node, event string) Shape {
	if root == nil || root.Kind != source.Object || isLMC(root) {
		return ShapeUnknown
	}
	switch {
	case has(root, "type", "data") && len(root.Children) == 2 && isOwnTable(root):
		return ShapeExport
	case isAnnouncement(root):
		return ShapeAnnouncement
	case slices.Contains(EventNames(), event), has(root, "timestamp", "data") && hasSubject(root.Member("data")):
		return ShapePayload
	case isMessage(root):
		return ShapeMessage
	case isRequest(root):
		return ShapeRequest
	}
	return documentShape(root)
}

// isLMC reports whether a record has the two keys that every LMC record has,
// and that no record of the workbench has together.
func isLMC(root *source.Node) bool {
	return root.Member("role").Text() != "" && root.Member("type").Text() != ""
}

// isTable reports whether the type of a record may be a table of an export. An
// unknown one is accepted if it is spelled like a table.
func isTable(root *source.Node) bool {
	name := root.Member("type").Text()
	return name != "" && 'A' <= name[0] && name[0] <= 'Z'
}

// isOwnTable reports whether a record is a line of an export without regard to
// other records. Other programs have events with a type and data, of files and
// conversations, too: only these tables have such columns.
func isOwnTable(root *source.Node) bool {
	name, data := root.Member("type").Text(), root.Member("data")
	isShared := name == "Assistant" || name == "Conversation" || name == "File"
	return !isShared && slices.Contains(Tables(), name) || isTable(root) && (data.Kind != source.Object ||
		hasAny(data, "assistant_id", "conversation_id", "message_id", "file_id", "created_datetime", "meta_data"))
}

// isAnnouncement reports whether a record is an event as an assistant receives
// it. The data of a server-sent event has neither an id nor the name of an event.
func isAnnouncement(root *source.Node) bool {
	name := root.Member("event")
	switch {
	case name != nil && slices.Contains(EventNames(), name.Text()):
		return hasAny(root, "conversation_id", "correlation_id") || hasSender(root.Member("data").Member("message"))
	case has(root, "conversation_id", "event"):
		return hasAny(root, "correlation_id", "data")
	}
	return hasAny(root, "id", "correlation_id") && has(root, "timestamp", "data") && hasSubject(root.Member("data"))
}

// hasSubject reports whether the data of an event contains a subject that no
// other program's events have.
func hasSubject(data *source.Node) bool {
	message := data.Member("message")
	return hasSender(message) || countOwn(message) > 2 && hasAny(message, "id", "timestamp") || has(data, "assistant_id", "state_id") ||
		documentShape(data.Member("participant")) == shapeParticipant || documentShape(data.Member("file")) == shapeFile ||
		documentShape(data.Member("conversation")) == ShapeConversation
}

// isMessage reports whether a record is a message as the service returns it: it
// has keys that only the service's answers have, and names its sender as no other
// format does, or has several of the keys that only these messages have together.
// Chat logs also have an id, a sender, a timestamp and a content.
func isMessage(root *source.Node) bool {
	isOwn := has(root, "has_debug_data") || hasSender(root) || countOwn(root) > 2
	return !hasAny(root, "role") && (isOwn && isAnswer(root) || isOwnCamel(root))
}

// isAnswer reports whether a message shows itself as an answer of the service. What
// a sender writes may have a time, a content type and files, but has no id and no
// has_debug_data before the service has stored it. An answer that lost its id still
// has all that the service adds.
func isAnswer(root *source.Node) bool {
	return hasAny(root, "has_debug_data", "id") || has(root, "sender", "timestamp", "content_type", "filenames")
}

// HasAnswerKeys reports whether a message has one of the keys that the service adds
// to what a sender writes.
func HasAnswerKeys(root *source.Node) bool {
	return hasAny(root, "has_debug_data", "id", "timestamp", "filenames", "content_type")
}

// hasSender reports whether a message names its sender as the service does.
func hasSender(root *source.Node) bool {
	sender := root.Member("sender")
	return hasAny(sender, "participant_role", "participant_id")
}

// countOwn returns how many keys a message has that are rare in other formats. A
// message type counts if it is known.
func countOwn(root *source.Node) int {
	n := count(root, "content_type", "filenames", "metadata", "has_debug_data", "debug_data")
	if isKnownType(root.Member("message_type")) {
		n++
	}
	return n
}

func isKnownType(n *source.Node) bool { return n != nil && IsMessageType(n.Text()) }

// isOwnCamel reports whether a record is a message of the web app's internal
// state. Other programs have the key messageType, too.
func isOwnCamel(root *source.Node) bool {
	sender := root.Member("sender")
	return has(root, "hasDebugData") || hasAny(sender, "participantRole", "participantId") || isKnownType(root.Member("messageType"))
}

// isRequest reports whether a record may be a message as a client posts it. Other
// programs have events with the key message_type, too.
func isRequest(root *source.Node) bool {
	switch content := root.Member("content"); {
	case hasAny(root, "post_type", "schema", "from", "to", "role", "event"):
		return false
	case countOwn(root) > 2, hasSender(root), root.Member("metadata").Member("directed_at") != nil:
		return true // whatever its content and type are
	case content == nil:
		return false
	case isKnownType(root.Member("message_type")):
		return content.Kind == source.String && (countOwn(root) > 1 || OtherKeys(root) < 2)
	}
	_, isMisspelled := spelling.Nearest(root.Member("message_type").Text(), MessageTypes())
	return OtherKeys(root) == 0 && (isMisspelled || has(root, "debug_data"))
}

// OtherKeys returns how many keys a record has that are not those of a message
// that a client posts.
func OtherKeys(root *source.Node) int { return len(root.Children) - count(root, RequestKeys()...) }

// documents are the records that are usually a whole input, by the number of keys that
// together only they have. Some of these may be missing.
var documents = []struct {
	shape   Shape
	least   int
	keys    []string
	without []string // keys of other programs, or of another shape
}{
	{Shape{name: "debug data", Schema: "debug-data"}, 2, []string{"message_id", "debug_data"}, nil},
	{ShapeConversation, 2, []string{"owner_id", "imported_from_conversation_id", "conversation_permission", "latest_message"}, []string{"role"}},
	{Shape{name: "file with versions", Schema: "file-versions"}, 4, []string{"conversation_id", "created_datetime", "filename", "current_version", "versions"}, []string{"file_size"}},
	{shapeFile, 5, []string{"conversation_id", "updated_datetime", "filename", "current_version", "file_size", "participant_id", "participant_role"}, nil},
	{shapeParticipant, 2, []string{"status_updated_timestamp", "active_participant", "conversation_permission"}, nil},
	{shapeParticipant, 5, []string{"role", "id", "conversation_id", "name", "image", "status", "online"}, nil},
}

// lists are the objects with a list of documents.
var lists = []Shape{
	{"list of conversations", "conversation", "conversations"},
	{"list of participants", "participant", "participants"},
	{"list of files", "file", "files"},
}

// documentShape returns the shape of a record that is one of documents or a list of them.
func documentShape(root *source.Node) Shape {
	for i := range documents {
		if d := &documents[i]; count(root, d.keys...) >= d.least && !hasAny(root, d.without...) {
			return d.shape
		}
	}
	for _, shape := range lists {
		list := root.Member(shape.List)
		isElement := func(n source.Node) bool { return documentShape(&n) == Shape{shape.Schema, shape.Schema, ""} }
		if list != nil && list.Kind == source.Array && slices.ContainsFunc(list.Children, isElement) {
			return shape
		}
	}
	return ShapeUnknown
}

// isCamel reports whether a message has its keys in camelCase, as in the web
// app's internal state.
func isCamel(root *source.Node) bool {
	return hasAny(root, "messageType") || hasAny(root.Member("sender"), "participantRole", "participantId")
}

// NearestShape returns the probable shape of a record of unknown shape, for which
// most of the keys of a message or an event are enough, or ShapeUnknown.
func NearestShape(root *source.Node) Shape {
	if root == nil || root.Kind != source.Object || isLMC(root) {
		return ShapeUnknown
	}
	switch empty := EmptyListShape(root); {
	case empty != ShapeUnknown:
		return empty
	case hasAny(root, "role"):
		return ShapeUnknown
	case hasAny(root, "message_type", "sender") || has(root, "content") && !hasAny(root, "type"):
		return ShapeRequest
	case has(root, "data") && hasAny(root, "event", "conversation_id", "correlation_id"):
		return ShapeAnnouncement
	case has(root, "type", "data"), isTable(root),
		has(root, "data") && len(root.Children) < 3 && hasAny(root.Member("data"), "conversation_id", "message_id", "assistant_id", "file_id"):
		return ShapeExport
	}
	return ShapeUnknown
}

// EmptyListShape returns the shape of an object that has nothing but an empty list
// with a name that the service uses, or ShapeUnknown.
func EmptyListShape(root *source.Node) Shape {
	i := slices.IndexFunc(lists, func(s Shape) bool {
		list := root.Member(s.List)
		return list != nil && list.Kind == source.Array && len(list.Children) == 0
	})
	if i < 0 || len(root.Children) > 1 {
		return ShapeUnknown
	}
	return lists[i]
}

// has reports whether an object has all of some keys.
func has(n *source.Node, keys ...string) bool { return count(n, keys...) == len(keys) }

// hasAny reports whether an object has one of some keys.
func hasAny(n *source.Node, keys ...string) bool { return count(n, keys...) > 0 }

// count returns how many of some keys an object has.
func count(n *source.Node, keys ...string) (found int) {
	for _, key := range keys {
		if n.Member(key) != nil {
			found++
		}
	}
	return found
}
