package validate_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// FuzzCheck holds Check to the published schemas, and to the same answer to
// the same question.
func FuzzCheck(f *testing.F) {
	var judges []*judge
	for _, dialect := range schema.Names() {
		judges = append(judges, newJudge(f, dialect, schema.Message), newJudge(f, dialect, schema.Chunk))
	}
	for i, record := range append(tableRecords(), recorded(f, "*", "*")...) {
		f.Add(record, uint8(i))
	}
	f.Fuzz(func(t *testing.T, record string, number uint8) {
		root := readable(record)
		if root == nil {
			return
		}
		j := judges[int(number)%len(judges)]
		first, err := j.validator.Check(root, j.part)
		require.NoError(t, err)
		second, err := j.validator.Check(root, j.part)
		require.NoError(t, err)
		assert.Equal(t, first, second)
		assert.Equal(t, j.published.Validate(root.Value()) == nil, len(first) == 0, causesOf(first))
	})
}

// readable returns the first record of an input if it is a sound object.
func readable(input string) *source.Node {
	reader := source.NewReader(strings.NewReader(input), source.Options{Form: source.FormJSONL})
	r, err := reader.Next()
	if err != nil || r.Root == nil || r.Root.Kind != source.Object {
		return nil
	}
	for _, problem := range r.Problems {
		if problem.Fatal() {
			return nil
		}
	}
	return r.Clone().Root
}

func text(t testing.TB, p schema.PublishedSchema) []byte {
	t.Helper()
	source, err := schema.Source(p.Name, p.Folder())
	require.NoError(t, err)
	return source
}

func value(t testing.TB, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	require.NoError(t, decoder.Decode(&v))
	return v
}

// compile compiles a schema as it is published, without any other document.
func compile(t testing.TB, id string, text []byte) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource(id, bytes.NewReader(text)))
	compiled, err := compiler.Compile(id)
	require.NoError(t, err)
	return compiled
}
