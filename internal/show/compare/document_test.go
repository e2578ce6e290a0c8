package compare_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/mutation"
	"github.com/lmclint/lmclint/internal/show/compare"
	"github.com/lmclint/lmclint/internal/show/jsonreport"
)

const diffSchemaID = "https://lmclint.github.io/lmclint/schema/diff.schema.json"

// The JSON report is valid by its published schema.
func TestDocumentsAreValid(t *testing.T) {
	text, err := os.ReadFile("../../../schema/diff.schema.json")
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	require.NoError(t, c.AddResource(diffSchemaID, bytes.NewReader(text)))
	valid, err := c.Compile(diffSchemaID)
	require.NoError(t, err)
	seen := map[string]bool{}
	for i, r := range exhaustive.Sample(recordings(t), 16) {
		a := read(t, r.Data())
		for k, kind := range mutation.Kinds() {
			m := kind.Seed(r, 0)
			if m == nil || (i+k)%3 != 0 {
				continue
			}
			b := read(t, m.Data)
			document := compare.NewDocument(jsonreport.Tool{Name: "lmclint"}, a, b, compare.Options{}, compare.Compare(a, b, compare.Options{}))
			encoded, err := json.Marshal(document)
			require.NoError(t, err)
			var decoded any
			require.NoError(t, json.Unmarshal(encoded, &decoded))
			require.NoError(t, valid.Validate(decoded), "%s in %s: %s", kind.Name, r.Name, encoded)
			for _, d := range document.Differences {
				seen[string(d.Change)] = true
			}
		}
	}
	assert.Len(t, seen, 4)
}
