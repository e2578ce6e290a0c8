package workbench

import (
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/source"
)

// Record is a view of a record. It is valid as long as the source record is.
type Record struct {
	Source *source.Record
	Shape  Shape
	Camel  bool // its keys are in camelCase, as in the web app's internal state

	Event     string       // name of the event, or ""
	EventNode *source.Node // its node; nil if the name is that of a server-sent event
	Data      *source.Node // data of an event or of a line of an export; nil if it is not an object

	ConversationID string // normalized; "" if the record has none

	Message      *Message       // the message that the record is or contains, or nil
	Participants []*source.Node // objects that describe participants
}

// latestMessage is the key of a conversation's last message, which was sent before.
const latestMessage = "latest_message"

// Read returns a view of a source record of a shape.
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
		r.ConversationID = normalID(root.Member("conversation_id"))
		r.readEvent(root.Member("data"))
	case ShapePayload:
		r.Event = src.Event
		r.ConversationID = normalID(root.Member("conversation_id"))
		r.readEvent(root.Member("data"))
	case ShapeExport:
		r.readExport(root.Member("data"))
	case ShapeConversation:
		r.ConversationID = normalID(root.Member("id"))
		r.readParticipants(root.Member("participants"))
		r.Message = newMessage(r, root.Member(latestMessage))
	}
	return r
}

func (r *Record) readEvent(data *source.Node) {
	if data == nil || data.Kind != source.Object {
		return
	}
	r.Data = data
	message := data.Member("message")
	if message == nil {
		message = data.Member("conversation").Member(latestMessage)
	}
	r.Camel = isCamel(message)
	r.Message = newMessage(r, message)
	if p := data.Member("participant"); p != nil && p.Kind == source.Object {
		r.Participants = append(r.Participants, p)
	}
	r.readParticipants(data.Member("participants"))
}

func (r *Record) readParticipants(list *source.Node) {
	if list == nil || list.Kind != source.Array {
		return
	}
	for i := range list.Children {
		if p := &list.Children[i]; p.Kind == source.Object {
			r.Participants = append(r.Participants, p)
		}
	}
}

func (r *Record) readExport(data *source.Node) {
	if data == nil || data.Kind != source.Object {
		return
	}
	r.Data = data
	r.ConversationID = normalID(data.Member("conversation_id"))
	switch r.Table() {
	case "ConversationMessage":
		r.Message = newExportedMessage(r, data)
	case "UserParticipant", "AssistantParticipant":
		r.Participants = append(r.Participants, data)
	}
}

// Table returns the type of a line of an export, "" for any other record.
func (r *Record) Table() string {
	if r.Shape != ShapeExport {
		return ""
	}
	return r.Source.Root.Member("type").Text()
}

// Deletes reports whether the record deletes its message.
func (r *Record) Deletes() bool { return r.Event == "message.deleted" }

// Streamed reports whether the record is an event of a stream.
func (r *Record) Streamed() bool { return r.Shape.Streamed() }

// timeHolders are the keys of values that contain timestamps of the service.
var timeHolders = []string{
	"data", "message", "participant", "participants", "file", "files", "conversation", "conversations", latestMessage,
}

// Times returns the timestamps of a record: those of its columns, or its own and
// those of the messages, participants, files and conversations in it.
func (r *Record) Times() []*source.Node {
	switch r.Table() {
	case "":
		return r.timesIn(nil, r.Source.Root)
	case "ConversationMessageDebug":
		return nil
	}
	return r.timesIn(nil, r.Data)
}

// timesIn appends the timestamps in a value.
func (r *Record) timesIn(times []*source.Node, n *source.Node) []*source.Node {
	if n == nil {
		return times
	}
	for i := range n.Children {
		switch one := &n.Children[i]; {
		case n.Kind == source.Array, slices.Contains(timeHolders, one.Name):
			times = r.timesIn(times, one)
		case n == r.Data && r.Streamed(): // has keys of its own
		case strings.HasSuffix(one.Name, "_datetime"), strings.HasSuffix(one.Name, "timestamp"):
			times = append(times, one)
		}
	}
	return times
}

// Message is a view of a message, whatever record contains it. Unknown words and
// values of a wrong type are treated as absent: the schemas report them.
type Message struct {
	Record *Record
	Node   *source.Node // the object

	Type     string       // a message type; Chat by default; "" if unknown
	Meant    string       // the type, or the nearest one if it is unknown; "" if none is near
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

// newMessage returns a view of a message of the service or of a client, nil if
// the value is not an object.
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
	// The schemas report a sender that is a role alone, or calls it role: who sent the
	// message is still known.
	switch {
	case m.RoleNode != nil:
	case sender != nil && sender.Kind == source.String:
		m.RoleNode = sender
	default:
		m.RoleNode = sender.Member("role")
	}
	m.read()
	return m
}

// newExportedMessage returns a view of a message of an export, which has other
// names for some keys.
func newExportedMessage(r *Record, n *source.Node) *Message {
	m := &Message{
		Record: r, Node: n,
		RoleNode: n.Member("sender_participant_role"), Sender: n.Member("sender_participant_id"),
		ID: n.Member("message_id"), Time: n.Member("created_datetime"), Metadata: n.Member("meta_data"),
	}
	m.read()
	return m
}

// read sets the fields that depend on nodes.
func (m *Message) read() {
	m.TypeNode, m.ContentNode = m.Node.Member("message_type"), m.Node.Member("content")
	switch text := m.TypeNode.Text(); {
	case m.TypeNode == nil:
		m.Type = Chat
	case text == CommandResponseTypo:
		m.Type = Response
	case slices.Contains(MessageTypes(), text):
		m.Type = text
	}
	if m.Meant = m.Type; m.Meant == "" {
		m.Meant, _ = spelling.Nearest(m.TypeNode.Text(), MessageTypes())
	}
	if role := m.RoleNode.Text(); slices.Contains(Roles(), role) {
		m.Role = role
	}
	m.SenderID = m.Sender.Text()
	m.ContentType = m.Node.Member("content_type").Text()
	m.Content = m.ContentNode.Text()
	if m.Metadata != nil && m.Metadata.Kind != source.Object {
		m.Metadata = nil
	}
}

// Place returns the place of the message.
func (m *Message) Place() source.Place {
	if m.Node == m.Record.Source.Root {
		return m.Record.Source.Place()
	}
	return m.Record.Source.PlaceOf(m.Node)
}

// At returns the place of one of the message's values, or of the message for nil.
func (m *Message) At(n *source.Node) source.Place {
	if n == nil {
		return m.Place()
	}
	return m.Record.Source.PlaceOf(n)
}

// Meta returns a value of the message's metadata, or nil.
func (m *Message) Meta(key string) *source.Node { return m.Metadata.Member(key) }

// Stored reports whether the message is as the service stores it.
func (m *Message) Stored() bool { return m.Record.Shape != ShapeRequest }

// Target returns to whom a message is directed: an id, the word "all", or "".
func (m *Message) Target() string { return m.Meta("directed_at").Text() }

// ID is the value of a UUID.
type ID [16]byte

// UUIDForm is how a UUID is written.
type UUIDForm uint8

// The forms of a UUID.
const (
	NoUUID    UUIDForm = iota
	PlainUUID          // 8-4-4-4-12 hexadecimal digits in lower case, as the service writes it
	OddUUID            // another form that the service accepts
)

// hyphenated is the length of a UUID with hyphens.
const hyphenated = len("00000000-0000-0000-0000-000000000000")

// ParseUUID parses a UUID as the models of the service do: 32 digits, or with
// hyphens, then also in braces or after urn:uuid:.
func ParseUUID(text string) (id ID, form UUIDForm) {
	digits := text
	switch inner := strings.TrimPrefix(text, "urn:uuid:"); {
	case len(text) == hyphenated+len("{}") && text[0] == '{' && text[len(text)-1] == '}':
		digits = text[1 : len(text)-1]
	case len(inner) == hyphenated:
		digits = inner
	}
	switch {
	case len(digits) == hyphenated && digits[8] == '-' && digits[13] == '-' && digits[18] == '-' && digits[23] == '-':
		digits = digits[:8] + digits[9:13] + digits[14:18] + digits[19:23] + digits[24:]
	case len(digits) != hex.EncodedLen(len(id)):
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

// IsPythonUUID reports whether Python's uuid.UUID accepts a text, which ignores
// hyphens and braces. An import reads the ids of assistants with it.
func IsPythonUUID(text string) bool {
	text = strings.NewReplacer("urn:", "", "uuid:", "").Replace(text)
	digits, err := hex.DecodeString(strings.ReplaceAll(strings.Trim(text, "{}"), "-", ""))
	return err == nil && len(digits) == len(ID{})
}

// String returns the id as the service writes it.
func (id ID) String() string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// normalID returns the text of an id, in the service's form if it is a UUID.
func normalID(n *source.Node) string {
	text := n.Text()
	if id, form := ParseUUID(text); form == OddUUID {
		return id.String()
	}
	return text
}

// booleans are the texts that the models of the service take for a boolean.
var booleans = []string{"0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes"}

// integer matches the texts that the models take for an integer.
var integer = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*[+-]?\d+(\.0+)?\s*$`) })

// Converts reports whether the models of the service convert a value to a JSON
// type that it does not have: to a boolean or an integer.
func Converts(n *source.Node, to string) bool {
	switch {
	case to == "boolean" && n.Kind == source.Number:
		value, err := strconv.ParseFloat(string(n.Raw()), 64)
		return err == nil && (value == 0 || value == 1)
	case to == "boolean":
		return slices.Contains(booleans, strings.ToLower(n.Text()))
	case to == "integer":
		return n.Kind == source.Bool || integer().MatchString(n.Text())
	}
	return false
}

// Timestamp is a point in time.
type Timestamp struct {
	Time   time.Time // UTC, which is assumed without an offset
	Offset bool      // it has a UTC offset
	Number bool      // it is written as seconds or milliseconds since 1970
	Odd    bool      // accepted, but not as the service writes it, such as a date alone or a space for T
}

var (
	dateTime = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:([Tt _])(\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9})\d*)?([Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$`)
	})
	seconds = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[+-]?\d{1,20}(\.\d+)?$`)
	})
)

// ParseTimestamp parses a timestamp as the service does. It reports false if the
// service rejects it.
func ParseTimestamp(n *source.Node) (Timestamp, bool) {
	if n == nil {
		return Timestamp{}, false
	}
	switch n.Kind {
	case source.Number:
		return parseSeconds(string(n.Raw()))
	case source.String:
		text := n.Text()
		if seconds().MatchString(text) {
			return parseSeconds(text)
		}
		return parseText(text)
	}
	return Timestamp{}, false
}

// parseSeconds parses seconds since 1970, or milliseconds if that number of
// seconds is past the year 2600.
func parseSeconds(text string) (Timestamp, bool) {
	const (
		maxSeconds = 20_000_000_000
		minMillis  = -62_135_596_800_000 // the first of the year 1
		maxMillis  = 253_402_300_799_999 // the last of the year 9999
	)
	value, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || value > maxMillis || value < minMillis:
		return Timestamp{}, false
	case value <= maxSeconds && value >= -maxSeconds:
		value *= 1000
	}
	return Timestamp{Time: time.UnixMilli(int64(value)).UTC(), Offset: true, Number: true}, true
}

func parseText(text string) (Timestamp, bool) {
	part := dateTime().FindStringSubmatch(text)
	if part == nil {
		return Timestamp{}, false
	}
	date, between, clock, second, fraction, offset := part[1], part[2], part[3], part[4], part[5], part[6]
	m := Timestamp{Offset: offset != "", Odd: between != "T" || second == ""}
	if clock == "" {
		clock = "00:00"
	}
	if second == "" {
		second = ":00"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	switch { // in the form of RFC 3339
	case offset == "", offset == "z":
		offset = "Z"
	case len(offset) == len("+0000"):
		offset = offset[:3] + ":" + offset[3:]
	}
	parsed, err := time.Parse("2006-01-02T15:04:05.999999999Z07:00", date+"T"+clock+second+fraction+offset)
	m.Time = parsed.UTC()
	return m, err == nil && parsed.Year() > 0
}

// The types of messages.
const (
	Chat     = "chat"
	Command  = "command"
	Response = "command-response"
	Log      = "log"
	Note     = "note"
	Notice   = "notice"
)

// CommandResponseTypo is how the documentation of message types spells Response.
// The service never used it.
const CommandResponseTypo = "command_response"

// MessageTypes returns the types of messages.
func MessageTypes() []string { return []string{Chat, Command, Response, Log, Note, Notice} }

// IsMessageType reports whether a word is a message type, also as the documentation
// spells it.
func IsMessageType(word string) bool {
	return word == CommandResponseTypo || slices.Contains(MessageTypes(), word)
}

// RequestKeys returns the keys of a message that a client posts.
func RequestKeys() []string {
	return []string{"content", "id", "sender", "message_type", "content_type", "filenames", "metadata", "debug_data"}
}

// The roles of participants.
const (
	User      = "user"
	Assistant = "assistant"
	Service   = "service"
)

// Roles returns the roles of participants.
func Roles() []string { return []string{User, Assistant, Service} }

// EventNames returns the names of events.
func EventNames() []string {
	return []string{
		"message.created", "message.deleted",
		"participant.created", "participant.updated",
		"file.created", "file.updated", "file.deleted",
		"assistant.state.created", "assistant.state.updated", "assistant.state.deleted", "assistant.state.focus",
		"conversation.created", "conversation.updated", "conversation.deleted",
	}
}

// ExportMember is the file with the records in the archive of an export.
const ExportMember = "workbench.jsonl"

// Tables returns the types of the records of an export, in their order.
func Tables() []string {
	return []string{
		"Assistant", "Conversation", "ConversationMessage", "ConversationMessageDebug",
		"UserParticipant", "AssistantParticipant", "File", "FileVersion",
	}
}
