package workbench

import "slices"

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
