package schema

// WorkbenchSchemas returns the JSON Schemas (draft 2020-12) of Semantic
// Workbench by name. Each stands by itself.
func WorkbenchSchemas() map[string][]byte {
	shared := object{
		{"uuid", uuidDefinition()},
		{"timestamp", timestampDefinition()},
		{"sender", senderDefinition()},
		{"metadata", metadataDefinition()},
	}
	documents := map[string]object{
		"message":       workbenchSchema("message", "message", messageDefinition(), shared),
		"new-message":   workbenchSchema("new-message", "new message", newMessageDefinition(), object{{"uuid", uuidDefinition()}}),
		"message-list":  workbenchSchema("message-list", "message list", messageListDefinition(), shared.with("message", messageDefinition())),
		"participant":   workbenchSchema("participant", "participant", participantDefinition(), participantParts()),
		"event":         workbenchSchema("event", "event", eventDefinition(), eventParts()),
		"sse-data":      workbenchSchema("sse-data", "server-sent event data", payloadDefinition(), object{{"uuid", uuidDefinition()}, {"timestamp", timestampDefinition()}}),
		"export-record": workbenchSchema("export-record", "export record", exportDefinition(), exportParts()),
		"metadata":      workbenchSchema("metadata", "metadata", metadataDefinition(), nil),
	}
	texts := make(map[string][]byte, len(documents))
	for name, document := range documents {
		texts[name] = document.text()
	}
	return texts
}

func workbenchID(name string) string { return base + WorkbenchProtocol + "/" + name + ".schema.json" }

func workbenchSchema(name, title string, body, defs object) object {
	schema := object{{"$schema", draft}, {"$id", workbenchID(name)}, {"title", "Semantic Workbench " + title}}
	schema = append(schema, body...).with("examples", workbenchExamples(name))
	if len(defs) > 0 {
		schema = schema.with("$defs", defs)
	}
	return schema
}

func newMessageDefinition() object {
	return object{
		{"description", "A message as a client posts it. The service fills in what is missing."},
		{"type", "object"},
		{"required", []string{"content"}},
		{"properties", object{
			{"id", object{{"type", []string{"string", "null"}}, {"pattern", uuidPattern}}},
			{"sender", senderDefinition("null")},
			{"content", stringType()},
			{"message_type", wordOf("What the message is for; chat where it is missing.", messageTypes())},
			{"content_type", stringType()},
			{"filenames", object{{"type", []string{"array", "null"}}, {"items", stringType()}}},
			{"metadata", metadataDefinition("null")},
			{"debug_data", object{{"type", []string{"object", "null"}}}},
		}},
	}
}

func messageListDefinition() object {
	return object{
		{"description", "Messages of a conversation, the oldest first."},
		{"type", "object"},
		{"required", []string{"messages"}},
		{"properties", object{{"messages", listOf(reference("message"))}}},
	}
}

func participantParts() object {
	return object{
		{"uuid", uuidDefinition()},
		{"timestamp", timestampDefinition()},
		{"status", object{{"type", []string{"string", "null"}}}},
	}
}

func eventDefinition() object {
	var branches []any
	for _, family := range eventFamilies() {
		branches = append(branches, object{
			{"if", object{{"required", []string{"event"}}, {"properties", object{{"event", object{{"enum", family.events}}}}}}},
			{"then", object{{"required", []string{"data"}}, {"properties", object{{"data", reference(family.definition)}}}}},
		})
	}
	return object{
		{"description", "An event as an assistant receives it."},
		{"type", "object"},
		{"required", []string{"conversation_id", "event"}},
		{"properties", object{
			{"id", stringType()},
			{"correlation_id", stringType()},
			{"conversation_id", reference("uuid")},
			{"event", wordOf("What happened.", eventNames())},
			{"timestamp", reference("timestamp")},
			{"data", object{{"type", "object"}}},
		}},
		{"allOf", branches},
	}
}

// eventParts are the definitions of an event, among them what its data holds.
func eventParts() object {
	return append(participantParts(), object{
		{"sender", senderDefinition()},
		{"metadata", metadataDefinition()},
		{"message", messageDefinition()},
		{"participant", participantDefinition()},
		{"file", fileDefinition()},
		{"conversation", conversationDefinition()},
		{"payload.message", payloadOf(member{"message", reference("message")})},
		{"payload.participant", payloadOf(member{"participant", reference("participant")}, member{"participants", listOf(reference("participant"))})},
		{"payload.file", payloadOf(member{"file", reference("file")})},
		{"payload.state", payloadOf(member{"assistant_id", stringType()}, member{"state_id", stringType()}, member{"conversation_id", reference("uuid")})},
		{"payload.conversation", payloadOf(member{"conversation", reference("conversation")})},
	}...)
}

func payloadOf(members ...member) object {
	var keys []string
	for _, m := range members {
		keys = append(keys, m.name)
	}
	return object{{"type", "object"}, {"required", keys}, {"properties", object(members)}}
}

func payloadDefinition() object {
	return object{
		{"description", "What a server-sent event carries. What its data holds depends on the event's name; the schema event has that."},
		{"type", "object"},
		{"required", []string{"timestamp", "data"}},
		{"properties", object{
			{"timestamp", reference("timestamp")},
			{"data", object{{"type", "object"}}},
			{"conversation_id", described("uuid", "Only in the stream of all of a user's conversations.")},
		}},
	}
}
