package workbench

// The types of messages.
const (
	Chat     = "chat"
	Command  = "command"
	Response = "command-response"
	Log      = "log"
	Note     = "note"
	Notice   = "notice"
)

// Underscored is how the page on message types spells Response, and the wire
// never did.
const CommandResponseTypo = "command_response"

// MessageTypes lists the types of messages.
func MessageTypes() []string { return []string{Chat, Command, Response, Log, Note, Notice} }

// The roles of those who take part.
const (
	User      = "user"
	Assistant = "assistant"
	Service   = "service"
)

// Roles lists the roles of those who take part.
func Roles() []string { return []string{User, Assistant, Service} }

// EventNames lists the names of events.
func EventNames() []string {
	return []string{
		"message.created", "message.deleted",
		"participant.created", "participant.updated",
		"file.created", "file.updated", "file.deleted",
		"assistant.state.created", "assistant.state.updated", "assistant.state.deleted", "assistant.state.focus",
		"conversation.created", "conversation.updated", "conversation.deleted",
	}
}

// ExportMember is the file of an export's archive that holds its records.
const ExportMember = "workbench.jsonl"

// Tables lists the types of an export's records, in their order.
func Tables() []string {
	return []string{
		"Assistant", "Conversation", "ConversationMessage", "ConversationMessageDebug",
		"UserParticipant", "AssistantParticipant", "File", "FileVersion",
	}
}
