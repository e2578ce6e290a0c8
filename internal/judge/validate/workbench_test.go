package validate_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/schema"
)

const workbenchData = "../../../testdata/workbench/"

// models returns the schemas that Semantic Workbench's own models generate.
func models(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(workbenchData + "cases/schemas_from_pydantic_models.json")
	require.NoError(t, err)
	var all map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &all))
	compiled := map[string]*jsonschema.Schema{}
	for name, text := range all {
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat = true
		require.NoError(t, compiler.AddResource("https://example.org/"+name, bytes.NewReader(text)))
		compiled[name], err = compiler.Compile("https://example.org/" + name)
		require.NoError(t, err)
	}
	return compiled
}

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

// Our schemas have the verdicts of the models, with two intended differences:
// they accept messages from before has_debug_data, and reject metadata that the
// service accepts and the app does not.
func TestWorkbenchSchemasAgreeWithModels(t *testing.T) {
	own, theirs := workbenchSchema(t, "message"), models(t)["ConversationMessage"]
	meant := map[string]bool{"WB003-info": true, "WB110": true, "WB115": true}
	for _, v := range lines(t, "cases/message_cases.jsonl") {
		c := v.(map[string]any)
		accepts := own.Validate(c["message"]) == nil
		model := theirs.Validate(c["message"]) == nil
		assert.Equal(t, c["pydantic_ConversationMessage"] == "accepts", model, "the model's schema and the model: %v", c["case"])
		assert.Equal(t, meant[c["expect"].(string)], accepts != model, "%v", c["case"])
	}
	own, theirs = workbenchSchema(t, "message-list"), models(t)["ConversationMessageList"]
	for _, v := range lines(t, "cases/sequence_cases.jsonl") {
		body := v.(map[string]any)["body"]
		assert.NoError(t, theirs.Validate(body))
		assert.NoError(t, own.Validate(body))
	}
}

// Data that the models wrote satisfies the schemas of the models and ours.
func TestWorkbenchSchemasAcceptOutputOfModels(t *testing.T) {
	theirs := models(t)
	for file, name := range map[string]string{
		"constructed/messages.jsonl":                             "message ConversationMessage",
		"constructed/messages_list.json":                         "message-list ConversationMessageList",
		"constructed/new_message_requests.jsonl":                 "new-message NewConversationMessage",
		"constructed/assistant_events.jsonl":                     "event ConversationEvent",
		"real/real_conversation_events_from_comments.jsonl":      "event -",
		"constructed/export_workbench.jsonl":                     "export-record -",
		"constructed/export_workbench.sqlite.jsonl":              "export-record -",
		"constructed/messages_list.sqlite_naive_timestamps.json": "message-list -",
	} {
		ours, model, _ := strings.Cut(name, " ")
		own := workbenchSchema(t, ours)
		for _, v := range lines(t, file) {
			assert.NoError(t, own.Validate(v), file)
			if model != "-" {
				assert.NoError(t, theirs[model].Validate(v), file)
			}
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
