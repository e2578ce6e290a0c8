package schema

// WorkbenchProtocol is the folder of the schemas of Semantic Workbench.
const WorkbenchProtocol = "workbench"

// WorkbenchNames returns the names of the schemas of Semantic Workbench.
func WorkbenchNames() []string {
	return []string{"message", "new-message", "message-list", "participant", "event", "sse-data", "export-record", "metadata"}
}

// The patterns of what the service's models read.
const (
	hex4         = `[0-9a-fA-F]{4}`
	uuidPattern  = `^(urn:uuid:|\{)?` + hex4 + hex4 + `-?` + hex4 + `-?` + hex4 + `-?` + hex4 + `-?` + hex4 + hex4 + hex4 + `\}?$`
	datePattern  = `[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])`
	clockPattern = `[Tt _]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,][0-9]+)?)?( ?[Zz]| ?[+-][0-9]{2}:?[0-9]{2})?`
	timePattern  = `^ *(` + datePattern + `(` + clockPattern + `)?|[+-]?[0-9]{1,20}(\.[0-9]+)?) *$`
)

func messageTypes() []string {
	return []string{"chat", "command", "command-response", "log", "note", "notice"}
}

func participantRoles() []string { return []string{"user", "assistant", "service"} }

// eventFamily is a family of events whose data holds the same.
type eventFamily struct {
	definition string
	events     []string
}

func eventFamilies() []eventFamily {
	return []eventFamily{
		{"payload.message", []string{"message.created", "message.deleted"}},
		{"payload.participant", []string{"participant.created", "participant.updated"}},
		{"payload.file", []string{"file.created", "file.updated", "file.deleted"}},
		{"payload.state", []string{"assistant.state.created", "assistant.state.updated", "assistant.state.deleted", "assistant.state.focus"}},
		{"payload.conversation", []string{"conversation.created", "conversation.updated", "conversation.deleted"}},
	}
}

func eventNames() (names []string) {
	for _, family := range eventFamilies() {
		names = append(names, family.events...)
	}
	return names
}

// table is a kind of record of an export, with the keys without which an import
// fails. The keys are ids.
type table struct {
	name string
	ids  []string
}

func exportTables() []table {
	return []table{
		{"Assistant", []string{"assistant_id"}},
		{"Conversation", []string{"conversation_id"}},
		{"ConversationMessage", nil}, // has a definition of its own
		{"ConversationMessageDebug", []string{"message_id"}},
		{"UserParticipant", []string{"conversation_id"}},
		{"AssistantParticipant", []string{"conversation_id", "assistant_id"}},
		{"File", []string{"file_id", "conversation_id"}},
		{"FileVersion", []string{"file_id"}},
	}
}
