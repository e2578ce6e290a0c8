package workbench

import (
	"fmt"
	"strconv"
	"strings"
)

// The participants and the conversation of the examples.
const (
	exampleUser   = "11111111-1111-4111-8111-111111111111.22222222-2222-4222-8222-222222222222"
	exampleHelper = "cda53796-4fe4-49a7-8175-ee227d405e7e"
	exampleOther  = "d0aa42aa-5ecd-4d3d-a181-7143795dacf9"
	exampleThread = "24a23094-4245-4c3b-8fbe-d6de3f88465b"
)

// said returns the n-th message of an example on its own line. A role is user,
// assistant or service; metadata is JSON.
func said(n int, role, kind, content, metadata string) string {
	sender := exampleHelper
	if role == "user" {
		sender = exampleUser
	}
	return saidBy(n, role, sender, kind, content, metadata)
}

func saidBy(n int, role, sender, kind, content, metadata string) string {
	return `{"id": "` + exampleID(n) + `", "sender": {"participant_role": "` + role + `", "participant_id": "` + sender + `"}, "message_type": "` + kind +
		`", "timestamp": "` + exampleTime(n) + `", "content_type": "text/plain", "content": ` + strconv.Quote(content) +
		`, "filenames": [], "metadata": ` + metadata + `, "has_debug_data": false}` + "\n"
}

func exampleID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func exampleTime(n int) string { return fmt.Sprintf("2025-03-03T20:01:%02dZ", n) }

// listed returns a list of messages in the format of the service.
func listed(messages ...string) string {
	return "{\"messages\": [\n" + strings.TrimSuffix(strings.Join(messages, ""), "\n") + "\n]}\n"
}

// listedLines is listed with one message per line.
func listedLines(messages ...string) string {
	for i := range messages[:len(messages)-1] {
		messages[i] = strings.TrimSuffix(messages[i], "\n") + ",\n"
	}
	return listed(messages...)
}

// announced is the n-th event of an example, as an assistant receives it.
func announced(n int, event, data string) string {
	return `{"id": "` + fmt.Sprintf("%032d", n) + `", "correlation_id": "", "conversation_id": "` + exampleThread +
		`", "event": "` + event + `", "timestamp": "` + exampleTime(n) + `", "data": ` + data + "}\n"
}

// bringing is the data of an event about a message.
func bringing(message string) string { return `{"message": ` + strings.TrimSpace(message) + `}` }

// takingPart is the data of an event about a participant, with all who take part.
func takingPart() string {
	one := func(role, id, name string) string {
		return `{"role": "` + role + `", "id": "` + id + `", "conversation_id": "` + exampleThread + `", "name": "` + name + `", "image": null, "status": null, ` +
			`"status_updated_timestamp": "2025-03-03T20:01:00Z", "active_participant": true, "online": null, "conversation_permission": "read_write", "metadata": {}}`
	}
	helper := one("assistant", exampleHelper, "Explorer Assistant")
	return `{"participant": ` + helper + `, "participants": [` + one("user", exampleUser, "Dana") + `, ` + helper + `]}`
}

// exported is a line of an export.
func exported(table, data string) string {
	return `{"type": "` + table + `", "data": ` + data + "}\n"
}

// exportedThread is the conversation of an example's export.
func exportedThread() string {
	return exported("Conversation", `{"conversation_id": "`+exampleThread+`", "created_datetime": "2025-03-03T20:01:00Z", "owner_id": "`+exampleUser+
		`", "title": "Notes", "meta_data": {}, "imported_from_conversation_id": null}`)
}

// exportedSaid is the n-th message of an export, a chat.
func exportedSaid(n int, role, content string) string {
	sender := exampleHelper
	if role == "user" {
		sender = exampleUser
	}
	return exported("ConversationMessage", `{"sequence": `+strconv.Itoa(100+n)+`, "message_id": "`+exampleID(n)+`", "conversation_id": "`+exampleThread+
		`", "created_datetime": "`+exampleTime(n)+`", "sender_participant_id": "`+sender+`", "sender_participant_role": "`+role+
		`", "message_type": "chat", "content": `+strconv.Quote(content)+`, "content_type": "text/plain", "meta_data": {}, "filenames": []}`)
}

// exportedFile is the n-th file of an export.
func exportedFile(n int, name string) string {
	return exported("File", `{"file_id": "`+exampleID(n)+`", "conversation_id": "`+exampleThread+`", "filename": "`+name+
		`", "current_version": 1, "created_datetime": "`+exampleTime(n)+`"}`)
}

// hello returns a valid message.
func hello() string { return said(1, "user", "chat", "Hello!", "{}") }
