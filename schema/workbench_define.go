package schema

// The definitions that several of the workbench's schemas share.

func stringType() object { return object{{"type", "string"}} }

func listOf(items object) object { return object{{"type", "array"}, {"items", items}} }

func wordOf(description string, words []string) object {
	return object{{"description", description}, {"enum", words}}
}

// described is a reference to a definition, with what the value is about.
func described(definition, description string) object {
	return append(object{{"description", description}}, reference(definition)...)
}

func uuidDefinition() object {
	return object{
		{"description", "A UUID. The service writes it in lower case with hyphens, and reads other forms, too."},
		{"type", "string"},
		{"pattern", uuidPattern},
	}
}

func timestampDefinition() object {
	return object{
		{"description", "A time as in RFC 3339. Without an offset it comes from a service on SQLite. A number counts from 1970."},
		{"type", []string{"string", "number"}},
		{"pattern", timePattern},
	}
}

func senderDefinition(types ...string) object {
	var kind any = "object"
	if len(types) > 0 {
		kind = append([]string{"object"}, types...)
	}
	return object{
		{"description", "Who sends the message."},
		{"type", kind},
		{"required", []string{"participant_role", "participant_id"}},
		{"properties", object{
			{"participant_role", wordOf("What kind of participant it is.", participantRoles())},
			{"participant_id", object{{"description", "A UUID for an assistant; opaque for a user."}, {"type", "string"}}},
		}},
	}
}

// metadataDefinition types the keys that the app or an assistant reads.
func metadataDefinition(types ...string) object {
	var kind any = "object"
	if len(types) > 0 {
		kind = append([]string{"object"}, types...)
	}
	text := object{{"type", []string{"string", "null"}}}
	return object{
		{"description", "What the app and assistants know about a message. Any other key may stand here, too."},
		{"type", kind},
		{"properties", object{
			{"attribution", text},
			{"href", text},
			{"help", text},
			{"command", text},
			{"generated_content", object{{"type", "boolean"}}},
			{"footer_items", listOf(stringType())},
			{"directed_at", object{{"description", "The id of the participant that a command is for, or all."}, {"type", "string"}}},
			{"mentions", listOf(stringType())},
			{"json_schema", object{{"type", "object"}}},
			{"ui_schema", object{{"type", "object"}}},
			{"tool_calls", listOf(toolCall())},
			{"tool_result", object{
				{"type", "object"},
				{"required", []string{"tool_call_id"}},
				{"properties", object{{"tool_call_id", stringType()}}},
			}},
		}},
	}
}

func toolCall() object {
	return object{
		{"type", "object"},
		{"required", []string{"id", "name"}},
		{"properties", object{{"id", stringType()}, {"name", stringType()}, {"arguments", object{{"type", []string{"object", "null"}}}}}},
	}
}

func messageDefinition() object {
	return object{
		{"description", "A message as the service returns it. It has no more keys, but a consumer passes over others."},
		{"type", "object"},
		{"required", []string{"id", "sender", "timestamp", "content_type", "content", "filenames", "metadata"}},
		{"properties", object{
			{"id", reference("uuid")},
			{"sender", reference("sender")},
			{"message_type", wordOf("What the message is for; chat where it is missing.", messageTypes())},
			{"timestamp", reference("timestamp")},
			{"content_type", object{{"description", "A media type, such as text/plain."}, {"type", "string"}}},
			{"content", object{{"description", "The text."}, {"type", "string"}}},
			{"filenames", listOf(stringType())},
			{"metadata", reference("metadata")},
			{"has_debug_data", object{{"description", "Missing from what was captured before 2024-11-04."}, {"type", "boolean"}}},
		}},
	}
}

func participantDefinition() object {
	optional := object{{"type", []string{"string", "null"}}}
	return object{
		{"description", "One who takes part in a conversation, or did."},
		{"type", "object"},
		{"required", []string{
			"role", "id", "conversation_id", "name", "image", "status", "status_updated_timestamp",
			"active_participant", "conversation_permission", "metadata",
		}},
		{"properties", object{
			{"role", wordOf("What kind of participant it is.", participantRoles())},
			{"id", stringType()},
			{"conversation_id", reference("uuid")},
			{"name", stringType()},
			{"image", optional},
			{"status", described("status", "What it is doing, such as thinking...; the place for that, rather than a message.")},
			{"status_updated_timestamp", reference("timestamp")},
			{"active_participant", object{{"type", "boolean"}}},
			{"online", object{{"type", []string{"boolean", "null"}}}},
			{"conversation_permission", wordOf("What it may do.", []string{"read_write", "read"})},
			{"metadata", object{{"type", "object"}}},
		}},
	}
}
