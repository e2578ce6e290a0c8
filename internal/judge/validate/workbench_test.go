package validate_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/schema"
)

const workbenchData = "../../../testdata/workbench/"

func workbenchSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := schema.Source(name, schema.WorkbenchProtocol)
	require.NoError(t, err)
	return compile(t, "https://example.org/"+name, text)
}

func lines(t *testing.T, file string) (values []any) {
	t.Helper()
	text, err := os.ReadFile(workbenchData + file)
	require.NoError(t, err)
	for line := range bytes.Lines(text) {
		values = append(values, value(t, line))
	}
	require.NotEmpty(t, values)
	return values
}

// Our schemas have the verdicts of Semantic Workbench's own models, which the cases
// name, with two intended differences: they accept messages from before
// has_debug_data, and reject metadata that the service accepts and the app does not.
func TestWorkbenchSchemasAgreeWithModels(t *testing.T) {
	own := workbenchSchema(t, "message")
	meant := map[string]bool{"WB003-info": true, "WB110": true, "WB115": true}
	for _, v := range lines(t, "cases/message_cases.jsonl") {
		c := v.(map[string]any)
		accepts, model := own.Validate(c["message"]) == nil, c["pydantic_ConversationMessage"] == "accepts"
		assert.Equal(t, meant[c["expect"].(string)], accepts != model, "%v", c["case"])
	}
	own = workbenchSchema(t, "message-list")
	for _, v := range lines(t, "cases/sequence_cases.jsonl") {
		assert.NoError(t, own.Validate(v.(map[string]any)["body"]))
	}
}

// Data that the models wrote satisfies our schemas.
func TestWorkbenchSchemasAcceptOutputOfModels(t *testing.T) {
	for file, name := range map[string]string{
		"messages.jsonl":                             "message",
		"messages_list.json":                         "message-list",
		"new_message_requests.jsonl":                 "new-message",
		"assistant_events.jsonl":                     "event",
		"export_workbench.jsonl":                     "export-record",
		"export_workbench.sqlite.jsonl":              "export-record",
		"messages_list.sqlite_naive_timestamps.json": "message-list",
	} {
		own := workbenchSchema(t, name)
		for _, v := range lines(t, "constructed/"+file) {
			assert.NoError(t, own.Validate(v), file)
		}
	}
}

// Every event in the schema has a definition of its data.
func TestWorkbenchPayloadOfEveryEvent(t *testing.T) {
	text, err := schema.Source("event", schema.WorkbenchProtocol)
	require.NoError(t, err)
	var document struct {
		Properties struct {
			Event struct{ Enum []string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &document))
	require.NotEmpty(t, document.Properties.Event.Enum)
	validator := validate.NewWorkbenchValidator()
	for _, event := range document.Properties.Event.Enum {
		violations, err := validator.CheckPayload(parse(t, `{"other": 1}`), event)
		require.NoError(t, err)
		assert.NotEmpty(t, violations, event)
	}
}
