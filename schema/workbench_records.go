package schema

// The definitions of what an event may be about, beside a message.

func fileDefinition() object {
	return object{
		{"description", "A file of a conversation."},
		{"type", "object"},
		{"required", []string{
			"conversation_id", "created_datetime", "updated_datetime", "filename", "current_version", "content_type", "file_size",
			"participant_id", "participant_role", "metadata",
		}},
		{"properties", object{
			{"conversation_id", reference("uuid")},
			{"created_datetime", reference("timestamp")},
			{"updated_datetime", reference("timestamp")},
			{"filename", stringType()},
			{"current_version", object{{"type", "integer"}}},
			{"content_type", stringType()},
			{"file_size", object{{"description", "Bytes."}, {"type", "integer"}}},
			{"participant_id", stringType()},
			{"participant_role", wordOf("What kind of participant it is of.", participantRoles())},
			{"metadata", object{{"type", "object"}}},
		}},
	}
}

func conversationDefinition() object {
	return object{
		{"description", "A conversation without its messages but the latest."},
		{"type", "object"},
		{"required", []string{
			"id", "title", "owner_id", "imported_from_conversation_id", "metadata", "created_datetime", "conversation_permission",
			"latest_message", "participants",
		}},
		{"properties", object{
			{"id", reference("uuid")},
			{"title", stringType()},
			{"owner_id", stringType()},
			{"imported_from_conversation_id", object{{"type", []string{"string", "null"}}, {"pattern", uuidPattern}}},
			{"metadata", object{{"type", "object"}}},
			{"created_datetime", reference("timestamp")},
			{"conversation_permission", wordOf("What its owner may do.", []string{"read_write", "read"})},
			{"latest_message", object{{"type", []string{"object", "null"}}}},
			{"participants", listOf(reference("participant"))},
		}},
	}
}
