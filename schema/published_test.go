package schema_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/schema"
)

func TestGeneratedSchemas(t *testing.T) {
	for _, dialect := range schema.Names() {
		for name, want := range schemas(t, dialect) {
			generated.File(t, filepath.Join(dialect, name+".schema.json"), want)
		}
	}
}

func schemas(t *testing.T, dialect string) map[string][]byte {
	t.Helper()
	return named(t, dialect).Published()
}

func TestPublishedListsEverySchema(t *testing.T) {
	list, err := schema.Published()
	require.NoError(t, err)
	require.Len(t, list, len(schema.Names())*len(schema.PublishedNames())+len(schema.WorkbenchNames()))
	for _, p := range list {
		assert.Equal(t, "https://lmclint.github.io/lmclint/schema/"+p.Folder()+"/"+p.Name+".schema.json", p.ID)
		assert.NotEmpty(t, p.Title)
	}
	files, err := filepath.Glob("*/*.schema.json")
	require.NoError(t, err)
	assert.Len(t, files, len(list), "a file that belongs to no dialect")
}

func TestSourceOfUnknownSchemaFails(t *testing.T) {
	_, err := schema.Source("chunk", "klingon")
	assert.ErrorContains(t, err, "klingon")
	_, err = schema.Source("../dialect", "docs")
	assert.Error(t, err)
}

func TestSchemasSatisfyTheirMetaschema(t *testing.T) {
	meta, err := jsonschema.Compile("https://json-schema.org/draft/2020-12/schema")
	require.NoError(t, err)
	for _, p := range published(t) {
		assert.NoError(t, meta.Validate(value(t, text(t, p))), p.ID)
	}
}

func TestSchemasDescribeThemselves(t *testing.T) {
	for _, p := range published(t) {
		document := value(t, text(t, p)).(map[string]any)
		assert.Equal(t, "https://json-schema.org/draft/2020-12/schema", document["$schema"])
		assert.Equal(t, p.ID, document["$id"])
		assert.NotEmpty(t, document["description"], p.ID)
		assert.NotEmpty(t, document["examples"], p.ID)
	}
}

func TestExamplesSatisfyTheirSchema(t *testing.T) {
	for _, p := range published(t) {
		compiled := compile(t, p.ID, text(t, p))
		examples := value(t, text(t, p)).(map[string]any)["examples"].([]any)
		for _, example := range examples {
			assert.NoError(t, compiled.Validate(example), "%s: %v", p.ID, example)
		}
	}
}

// Editors and other validators read one file at a time.
func TestSchemasStandAlone(t *testing.T) {
	for _, p := range published(t) {
		for _, line := range strings.Split(string(text(t, p)), "\n") {
			if strings.Contains(line, `"$ref"`) {
				assert.Contains(t, line, `"#/$defs/`, p.ID)
			}
		}
	}
}

func published(t testing.TB) []schema.PublishedSchema {
	t.Helper()
	list, err := schema.Published()
	require.NoError(t, err)
	return list
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

// compile compiles a published schema without any other document.
func compile(t testing.TB, id string, text []byte) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource(id, bytes.NewReader(text)))
	compiled, err := compiler.Compile(id)
	require.NoError(t, err)
	return compiled
}

// The schemas of Semantic Workbench do not refer to each other, so some definitions are
// in several of them.
func TestWorkbenchSchemasShareDefinitions(t *testing.T) {
	known := map[string]any{}
	for _, name := range schema.WorkbenchNames() {
		source, err := schema.Source(name, schema.WorkbenchProtocol)
		require.NoError(t, err)
		document := value(t, source).(map[string]any)
		definitions, _ := document["$defs"].(map[string]any)
		for definition, body := range definitions {
			if known[definition] == nil {
				known[definition] = body
			}
			assert.Equal(t, known[definition], body, "%s in %s", definition, name)
		}
	}
	for _, name := range []string{"message", "participant", "metadata"} {
		source, err := schema.Source(name, schema.WorkbenchProtocol)
		require.NoError(t, err)
		document := value(t, source).(map[string]any)
		for _, key := range []string{"$schema", "$id", "$comment", "title", "examples", "$defs"} {
			delete(document, key)
		}
		assert.Equal(t, known[name], any(document), name)
	}
}

// A dialect without the type confirmation has no schema for it.
func TestDialectWithoutConfirmation(t *testing.T) {
	d := *named(t, "docs")
	d.Types = d.Types[:1]
	assert.NotContains(t, d.Published(), "confirmation")
}
