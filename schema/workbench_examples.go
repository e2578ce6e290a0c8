package schema

const (
	exampleUser      = "11111111-1111-4111-8111-111111111111.22222222-2222-4222-8222-222222222222"
	exampleAssistant = "cda53796-4fe4-49a7-8175-ee227d405e7e"
	exampleThread    = "24a23094-4245-4c3b-8fbe-d6de3f88465b"
	exampleTime      = "2025-03-03T20:01:12.368204Z"
)

func workbenchExamples(name string) []any {
	switch name {
	case "message":
		return []any{exampleMessage()}
	case "new-message":
		return []any{
			object{{"content", "hi"}},
			object{{"content", "/help"}, {"message_type", "command"}, {"metadata", object{{"directed_at", exampleAssistant}}}},
		}
	case "message-list":
		return []any{object{{"messages", []any{exampleMessage()}}}}
	case "participant":
		return []any{exampleParticipant()}
	case "event":
		return []any{object{
			{"id", "47abce7ac4344b5f9cb3a30c275987c3"},
			{"correlation_id", "d94a3061b2bc4b6a95cba7e6dd78c5ba"},
			{"conversation_id", exampleThread},
			{"event", "message.created"},
			{"timestamp", exampleTime},
			{"data", object{{"message", exampleMessage()}}},
		}}
	case "sse-data":
		return []any{object{{"timestamp", exampleTime}, {"data", object{{"message", exampleMessage()}}}}}
	case "export-record":
		return []any{
			object{{"type", "Conversation"}, {"data", object{{"conversation_id", exampleThread}, {"title", "Notes"}}}},
			object{{"type", "ConversationMessage"}, {"data", exampleExported()}},
		}
	}
	return []any{object{{"attribution", "system"}, {"footer_items", []string{"Response time: 3.1 seconds"}}}}
}

func exampleMessage() object {
	return object{
		{"id", "d1af588e-dadc-4401-81eb-73ecbdfa992e"},
		{"sender", object{{"participant_role", "user"}, {"participant_id", exampleUser}}},
		{"message_type", "chat"},
		{"timestamp", exampleTime},
		{"content_type", "text/plain"},
		{"content", "hi"},
		{"filenames", []any{}},
		{"metadata", object{}},
		{"has_debug_data", false},
	}
}

func exampleExported() object {
	return object{
		{"sequence", 101},
		{"message_id", "d1af588e-dadc-4401-81eb-73ecbdfa992e"},
		{"conversation_id", exampleThread},
		{"created_datetime", exampleTime},
		{"sender_participant_id", exampleUser},
		{"sender_participant_role", "user"},
		{"message_type", "chat"},
		{"content", "hi"},
		{"content_type", "text/plain"},
		{"meta_data", object{}},
		{"filenames", []any{}},
	}
}

func exampleParticipant() object {
	return object{
		{"role", "assistant"},
		{"id", exampleAssistant},
		{"conversation_id", exampleThread},
		{"name", "Explorer Assistant"},
		{"image", nil},
		{"status", "thinking..."},
		{"status_updated_timestamp", exampleTime},
		{"active_participant", true},
		{"online", true},
		{"conversation_permission", "read_write"},
		{"metadata", object{}},
	}
}
