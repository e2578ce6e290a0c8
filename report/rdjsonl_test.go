package report_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/report"
)

// diagnosticMembers are the members in reviewdog's schema, which allows and
// ignores others.
var diagnosticMembers = map[string][]string{
	"":                  {"message", "location", "severity", "source", "code", "related_locations"},
	"location":          {"path", "range"},
	"range":             {"start", "end"},
	"start":             {"line", "column"},
	"end":               {"line", "column"},
	"source":            {"name", "url"},
	"code":              {"value"},
	"related_locations": {"message", "location"},
}

func diagnosticSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/reviewdog-diagnostic.schema.json")
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("https://example.com/diagnostic.json", bytes.NewReader(text)))
	s, err := c.Compile("https://example.com/diagnostic.json")
	require.NoError(t, err)
	return s
}

func TestRDJSONLKeepsItsSchema(t *testing.T) {
	schema := diagnosticSchema(t)
	for _, s := range append(samples(), everything()) {
		for line := range bytes.Lines(render(t, s, report.FormatRDJSONL, report.Options{})) {
			value := decode(t, line)
			assert.NoError(t, schema.Validate(value), "%s", line)
			knownMembers(t, "", value)
		}
	}
	for _, spoiled := range []string{
		`{"message": 1}`, `{"severity": "NOTE"}`, `{"location": {"range": {"start": {"line": "1"}}}}`, `{"related_locations": {}}`,
	} {
		assert.Error(t, schema.Validate(decode(t, []byte(spoiled))), spoiled)
	}
}

func knownMembers(t *testing.T, name string, value any) {
	t.Helper()
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			assert.Contains(t, diagnosticMembers[name], key)
			knownMembers(t, key, member)
		}
	case []any:
		for _, item := range value {
			knownMembers(t, name, item)
		}
	}
}
