package schema

func exportDefinition() object {
	var names []string
	var branches []any
	for _, t := range exportTables() {
		names = append(names, t.name)
		branches = append(branches, object{
			{"if", object{{"required", []string{"type"}}, {"properties", object{{"type", object{{"const", t.name}}}}}}},
			{"then", object{{"properties", object{{"data", reference(t.name)}}}}},
		})
	}
	return object{
		{"description", "A line of workbench.jsonl in an export."},
		{"type", "object"},
		{"required", []string{"type", "data"}},
		{"properties", object{
			{"type", wordOf("The table that the record is of.", names)},
			{"data", object{{"type", "object"}}},
		}},
		{"allOf", branches},
	}
}

// exportParts are the definitions of an export's records, by table.
func exportParts() object {
	defs := object{{"uuid", uuidDefinition()}, {"timestamp", timestampDefinition()}, {"metadata", metadataDefinition()}}
	for _, t := range exportTables() {
		if t.ids == nil {
			defs = defs.with(t.name, exportedMessage())
			continue
		}
		var properties object
		for _, id := range t.ids {
			properties = properties.with(id, reference("uuid"))
		}
		defs = defs.with(t.name, object{{"type", "object"}, {"required", t.ids}, {"properties", properties}})
	}
	return defs
}

// exportedMessage is a message as the database has it: some keys have other
// names than those that the service returns.
func exportedMessage() object {
	return object{
		{"type", "object"},
		{"required", []string{
			"message_id", "conversation_id", "created_datetime", "sender_participant_id", "sender_participant_role",
			"message_type", "content", "content_type",
		}},
		{"properties", object{
			{"sequence", object{{"description", "Rises within a conversation, with gaps."}, {"type", "integer"}}},
			{"message_id", reference("uuid")},
			{"conversation_id", reference("uuid")},
			{"created_datetime", reference("timestamp")},
			{"sender_participant_id", stringType()},
			{"sender_participant_role", wordOf("What kind of participant sends it.", participantRoles())},
			{"message_type", wordOf("What the message is for.", messageTypes())},
			{"content", stringType()},
			{"content_type", stringType()},
			{"meta_data", reference("metadata")},
			{"filenames", listOf(stringType())},
		}},
	}
}
