package workbench

import "github.com/lmclint/lmclint/internal/source"

// Shape says what a record is.
type Shape uint8

// The shapes of records.
const (
	ShapeUnknown         Shape = iota // none of the others
	ShapeMessage                      // a message as the service returns it
	ShapeRequest                      // a message as a client posts it
	ShapeAnnouncement                 // an event as an assistant receives it
	ShapePayload                      // what a server-sent event carries
	ShapeExport                       // a line of an export
	ShapeParticipant                  // one who takes part
	ShapeParticipantList              // those who take part
	ShapeConversation                 // a conversation without its messages
	ShapeFileList                     // the files of a conversation
	ShapeDebugData                    // what is kept about a message for debugging
)

// String calls the shape for people.
func (s Shape) String() string {
	names := [...]string{
		"record", "message", "request", "event", "server-sent event", "export record",
		"participant", "list of participants", "conversation", "list of files", "debug data",
	}
	return names[s]
}

// ShapeOf tells what a record is by its keys. Event is the name of the
// server-sent event that carries it, or "".
func ShapeOf(root *source.Node, event string) Shape {
	if root == nil || root.Kind != source.Object || isLMC(root) {
		return ShapeUnknown
	}
	keys := keysOf(root)
	switch {
	case keys.has("type", "data") && len(root.Children) == 2 && isTable(root):
		return ShapeExport
	case isAnnouncement(root, keys):
		return ShapeAnnouncement
	case hasKey(EventNames(), event), keys.has("timestamp", "data") && holdsSubject(root.Member("data")):
		return ShapePayload
	case isMessage(root, keys):
		return ShapeMessage
	case isRequest(root, keys):
		return ShapeRequest
	}
	return whole(root, keys)
}

// isLMC reports whether a record has the two keys that every LMC record has,
// and that no record of the workbench has together.
func isLMC(root *source.Node) bool {
	role, typ := root.Member("role"), root.Member("type")
	return role != nil && typ != nil && role.Kind == source.String && typ.Kind == source.String
}

// isTable reports whether a record may be a line of an export. An unknown table
// is taken for one if it is spelled like a table.
func isTable(root *source.Node) bool {
	name := root.Member("type")
	if name.Kind != source.String {
		return false
	}
	text := name.Text()
	return text != "" && 'A' <= text[0] && text[0] <= 'Z' || hasKey(Tables(), text)
}

// isAnnouncement reports whether a record is an event as an assistant receives
// it: what a server-sent event carries has neither an id nor an event's name.
func isAnnouncement(root *source.Node, keys keySet) bool {
	name := root.Member("event")
	switch {
	case name != nil && hasKey(EventNames(), name.Text()):
		return keys.any("conversation_id", "data")
	case keys.has("conversation_id", "event"):
		return keys.any("correlation_id", "data")
	}
	return keys.any("id", "correlation_id") && keys.has("timestamp", "data") && holdsSubject(root.Member("data"))
}

// holdsSubject reports whether the data of an event says what it is about.
func holdsSubject(data *source.Node) bool {
	for _, subject := range []string{"message", "participant", "file", "conversation", "state_id"} {
		if data.Member(subject) != nil {
			return true
		}
	}
	return false
}

// isMessage reports whether a record is a message as the service returns it: it
// has what no request has, or two of what every message has.
func isMessage(root *source.Node, keys keySet) bool {
	if keys.any("role") {
		return false
	}
	if keys.any("has_debug_data", "hasDebugData") || isCamel(root) {
		return keys.any("content", "sender", "message_type", "messageType")
	}
	return keys.count("id", "sender", "timestamp", "message_type", "content", "content_type", "filenames") > 3 && keys.count("id", "sender", "timestamp") > 1
}

// isRequest reports whether a record may be a message as a client posts it, and
// no event of another program that has the key message_type, too.
func isRequest(root *source.Node, keys keySet) bool {
	switch {
	case keys.any("post_type", "schema", "from", "to", "role"), !keys.has("content"):
		return false
	case root.Member("sender").Member("participant_role") != nil, root.Member("metadata").Member("directed_at") != nil:
		return true
	}
	typ := root.Member("message_type")
	return typ != nil && hasKey(append(MessageTypes(), CommandResponseTypo), typ.Text()) && root.Member("content").Kind == source.String
}

// whole tells what else a record is that stands for a whole input.
func whole(root *source.Node, keys keySet) Shape {
	switch {
	case keys.has("message_id", "debug_data"):
		return ShapeDebugData
	case keys.has("id", "title", "owner_id") && keys.any("participants", "latest_message"):
		return ShapeConversation
	case keys.has("participants") && allHave(root.Member("participants"), "conversation_id"):
		return ShapeParticipantList
	case keys.has("files") && allHave(root.Member("files"), "conversation_id"):
		return ShapeFileList
	case keys.has("role", "id", "conversation_id", "name"):
		return ShapeParticipant
	}
	return ShapeUnknown
}

// allHave reports whether a value is a list of objects that have a key, and not
// an empty one.
func allHave(list *source.Node, key string) bool {
	if list == nil || list.Kind != source.Array || len(list.Children) == 0 {
		return false
	}
	for i := range list.Children {
		if list.Children[i].Member(key) == nil {
			return false
		}
	}
	return true
}

// isCamel reports whether a message has its keys as the web app spells them in
// its memory.
func isCamel(root *source.Node) bool {
	sender := root.Member("sender")
	return root.Member("messageType") != nil || sender.Member("participantRole") != nil || sender.Member("participantId") != nil
}

// Closest tells what a stranger among records of the workbench was probably
// meant to be; most of the keys of a message or an event are enough. It is
// ShapeStranger where nothing is like it.
func NearestShape(root *source.Node) Shape {
	if root == nil || root.Kind != source.Object || isLMC(root) {
		return ShapeUnknown
	}
	keys := keysOf(root)
	switch {
	case keys.any("role"):
		return ShapeUnknown
	case keys.any("message_type", "sender") || keys.has("content") && !keys.any("type"):
		return ShapeRequest
	case keys.has("data") && keys.any("event", "conversation_id", "correlation_id"):
		return ShapeAnnouncement
	case keys.has("type", "data"), keys.has("type") && isTable(root), keys.has("data") && len(root.Children) < 3 && keysOf(root.Member("data")).any("conversation_id", "message_id", "assistant_id", "file_id"):
		return ShapeExport
	}
	return ShapeUnknown
}
