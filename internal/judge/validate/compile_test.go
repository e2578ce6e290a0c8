package validate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A definition is compiled with those that it refers to, whatever their names,
// and with no others; one that refers to its schema is compiled with all of it.
func TestDefinitionsAreCompiledWithWhatTheyReferTo(t *testing.T) {
	const text = `{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$id": "https://example.com/schema.json",
		"maxProperties": 1,
		"$defs": {
			"list": {"type": "array", "items": {"$ref": "#/$defs/a~1b%20c"}},
			"a/b c": {"anyOf": [{"$ref": "#/$defs/integer"}, {"$ref": "#/$defs/list"}]},
			"integer": {"type": "integer", "maximum": 9007199254740993},
			"wrong": {"type": 5},
			"missing": {"$ref": "#/$defs/none"},
			"whole": {"$ref": "#"}
		}
	}`
	d := newDocument(func() ([]byte, error) { return []byte(text), nil })

	leaves, err := d.validate("list", []any{1, []any{2}})
	require.NoError(t, err)
	assert.Empty(t, leaves)
	leaves, err = d.validate("list", []any{"word"})
	require.NoError(t, err)
	require.Len(t, leaves, 1)
	assert.Equal(t, []string{"0"}, leaves[0].at)
	leaves, err = d.validate("integer", int64(9007199254740993))
	require.NoError(t, err)
	assert.Empty(t, leaves, "the maximum has all its digits")
	leaves, err = d.validate("integer", int64(9007199254740994))
	require.NoError(t, err)
	assert.Len(t, leaves, 1)

	_, err = d.validate("wrong", 1)
	require.ErrorContains(t, err, `compile "wrong"`)
	_, err = d.validate("missing", 1)
	require.ErrorContains(t, err, "none")
	_, err = d.validate("whole", 1)
	require.Error(t, err, "the whole schema has an invalid definition")
}
