package workbench_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
)

func record(t *testing.T, json string) *source.Record {
	t.Helper()
	rec, err := source.NewReader(bytes.NewReader([]byte(json)), source.Options{Form: source.FormJSONL}).Next()
	require.NoError(t, err)
	return rec.Clone()
}

func TestShapeOf(t *testing.T) {
	for json, want := range map[string]workbench.Shape{
		`{"id": "x", "sender": {"participant_id": "x"}, "content": "hi"}`:                                                                 workbench.ShapeMessage,
		`{"id": "x", "content": "hi", "content_type": "", "filenames": [], "metadata": {}}`:                                               workbench.ShapeMessage,
		`{"content": "hi", "message_type": "Chat", "content_type": "text/plain", "filenames": [], "metadata": {}}`:                        workbench.ShapeRequest,
		`{"message_type": "chat", "filenames": [], "metadata": {}}`:                                                                       workbench.ShapeRequest,
		`{"id": 1, "sender": "bob", "timestamp": "2025-01-01T00:00:00Z", "content": "hi"}`:                                                workbench.ShapeUnknown, // a chat log
		`{"id": "1", "messageType": "message", "content": "x", "from": {"user": {}}}`:                                                     workbench.ShapeUnknown, // Teams
		`{"event": "message_created", "id": 1, "content": "hi", "message_type": "incoming", "content_type": "text", "sender": {"id": 1}}`: workbench.ShapeUnknown, // Chatwoot
		`{"type": "Contact", "data": {"id": 1}}`:                                                                                          workbench.ShapeUnknown,
		`{"type": "Conversation", "data": {"id": 1}}`:                                                                                     workbench.ShapeUnknown,
		`{"type": "Conversation", "data": {"conversation_id": 1}}`:                                                                        workbench.ShapeExport,
		`{"event": "message.created", "data": {"id": 1}}`:                                                                                 workbench.ShapeUnknown,
		`{"timestamp": "", "data": {"message": "started"}}`:                                                                               workbench.ShapeUnknown, // a log
		`{"id": "c", "owner_id": "o", "latest_message": null, "participants": []}`:                                                        workbench.ShapeConversation,
		`{"id": "x", "messageType": "chat", "content": "hi"}`:                                                                             workbench.ShapeMessage,
		`{"content": "hi", "message_type": "command"}`:                                                                                    workbench.ShapeRequest,
		`{"content": "hi", "message_type": "command_response"}`:                                                                           workbench.ShapeRequest,
		`{"content": "hi", "sender": {"participant_role": "user"}}`:                                                                       workbench.ShapeRequest,
		`{"id": "x", "event": "message.created", "conversation_id": "c", "data": {}}`:                                                     workbench.ShapeAnnouncement,
		`{"timestamp": "", "data": {"message": {}}}`:                                                                                      workbench.ShapeUnknown, // any event
		`{"timestamp": "", "data": {"message": {"id": "x", "content": "hi", "filenames": [], "metadata": {}, "content_type": ""}}}`:       workbench.ShapePayload,
		`{"timestamp": "", "data": {"assistant_id": "x", "state_id": "y"}}`:                                                               workbench.ShapePayload,
		`{"timestamp": "", "data": {"file": {"filename": "x"}}}`:                                                                          workbench.ShapeUnknown,
		`{"type": "ConversationMessage", "data": {}}`:                                                                                     workbench.ShapeExport,
		`{"message_id": "x", "debug_data": {}}`:                                                                                           workbench.ShapeDebugData,
		`{"participants": [{"conversation_id": "c"}]}`:                                                                                    workbench.ShapeUnknown,
		`{"participants": [null, {"role": "user", "id": "x", "conversation_id": "c", "name": "Dana", "image": null}]}`:                    workbench.ShapeParticipantList,
		`{"participants": {"id": "x"}}`:                                                                                                   workbench.ShapeUnknown,
		`{"files": [{"conversation_id": "c"}]}`:                                                                                           workbench.ShapeUnknown,
		`{"files": [{"conversation_id": "c", "filename": "x", "current_version": 1, "file_size": 3, "participant_id": "u"}]}`:             workbench.ShapeFileList,
		`{"filename": "x", "current_version": 1, "file_size": 3, "participant_id": "u", "participant_role": "user"}`:                      workbench.ShapeFile,
		`{"conversation_id": "c", "filename": "x", "current_version": 1, "versions": []}`:                                                 workbench.ShapeFileVersions,
		`{"conversations": [{"id": "c", "title": "Notes", "owner_id": "o", "latest_message": null}]}`:                                     workbench.ShapeConversationList,
		`{"role": "user", "id": "x", "conversation_id": "c", "name": "Dana"}`:                                                             workbench.ShapeUnknown,
		`{"active_participant": true, "status_updated_timestamp": "", "name": "Dana"}`:                                                    workbench.ShapeParticipant,
		`{"content": "hi", "message_type": "Command"}`:                                                                                    workbench.ShapeRequest,
		`{"content": "hi", "message_type": "outgoing"}`:                                                                                   workbench.ShapeUnknown, // Chatwoot
		`{"content": "hi", "metadata": {}, "debug_data": {}}`:                                                                             workbench.ShapeRequest,
		`{"id": "x", "message_type": "chat", "content": "hi", "sender_id": "u", "created_at": ""}`:                                        workbench.ShapeUnknown,
		`{"content": "hi", "message_type": "chat", "metadatum": {}}`:                                                                      workbench.ShapeRequest,
		`{"id": "c", "title": "Notes", "owner_id": "o", "participants": []}`:                                                              workbench.ShapeUnknown, // of another program
		`{"role": "user", "type": "message", "content": "hi"}`:                                                                            workbench.ShapeUnknown, // LMC
		`{"role": "user", "content": "hi"}`:                                                                                               workbench.ShapeUnknown, // OpenAI
		`{"content": "hi"}`:                                                                                                               workbench.ShapeUnknown, // anything
		`{"post_type": "message", "message_type": "group", "sender": {}, "content": "hi"}`:                                                workbench.ShapeUnknown, // OneBot
		`{"schema": "interagent/v1", "message_type": "command-response", "content": "hi"}`:                                                workbench.ShapeUnknown,
		`{"type": "message_start", "data": {}}`:                                                                                           workbench.ShapeUnknown,
		`{"jsonrpc": "2.0", "id": 1, "method": "x"}`:                                                                                      workbench.ShapeUnknown,
		`{"timestamp": "", "data": "text"}`:                                                                                               workbench.ShapeUnknown,
		`{"event": "token", "data": {"text": "hi"}}`:                                                                                      workbench.ShapeUnknown,
	} {
		assert.Equal(t, want, workbench.ShapeOf(record(t, json).Root, ""), json)
	}
	assert.Equal(t, workbench.ShapePayload, workbench.ShapeOf(record(t, `{}`).Root, "message.created"), "by the name of the server-sent event")
	assert.Equal(t, workbench.ShapeUnknown, workbench.ShapeOf(nil, ""))
}

func TestNearestShape(t *testing.T) {
	for json, want := range map[string]workbench.Shape{
		`{"content": "hi"}`:                                    workbench.ShapeRequest,
		`{"message_type": "chat"}`:                             workbench.ShapeRequest,
		`{"conversation_id": "c", "data": {}}`:                 workbench.ShapeAnnouncement,
		`{"type": "Conversation"}`:                             workbench.ShapeExport,
		`{"typ": "Conversation", "data": {"message_id": ""}}`:  workbench.ShapeExport,
		`{"role": "user", "type": "message", "content": "hi"}`: workbench.ShapeUnknown,
		`{"level": "info"}`:                                    workbench.ShapeUnknown,
	} {
		assert.Equal(t, want, workbench.NearestShape(record(t, json).Root), json)
	}
}
