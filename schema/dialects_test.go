package schema_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/schema"
)

func TestNames(t *testing.T) {
	assert.Equal(t, "interpreter", schema.Names()[0])
	for _, name := range schema.Names() {
		assert.Equal(t, name, named(t, name).Name)
		assert.NotEmpty(t, named(t, name).Title)
		assert.NotEmpty(t, named(t, name).Versions)
	}
	_, ok := schema.Lookup("klingon")
	assert.False(t, ok)
}

func TestHasKeyAgreesWithKnownKeys(t *testing.T) {
	for _, name := range schema.Names() {
		d := *named(t, name)
		d.Keys = slices.Concat(d.Keys, []string{"stop", "a/b~c", "role"})
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			for _, key := range append(d.KnownKeys(schema.Chunk), "", "recipient", "stop", "end", "auth", "mood", "Role") {
				assert.Equal(t, slices.Contains(d.KnownKeys(part), key), d.HasKey(part, key), "%s %s %s", name, part, key)
			}
		}
	}
}

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		dialect, text, command string
		exact                  bool
	}{
		{"server", "go", "go", true},
		{"server", "stop", "stop", true},
		{"server", "Go", "go", false},
		{"server", " stop\n", "stop", false},
		{"server", "stp", "stop", false},
		{"server", "continue", "", false},
		{"server", "", "", false},
		{"server", "go:0f77", "go", false},
		{"classic", "go:0f77", "go", true},
		{"classic", "go:", "go", false},
		{"classic", "stop:0f77", "stop", false},
	} {
		command, exact := named(t, c.dialect).Command(c.text)
		assert.Equal(t, c.command, command, "%s in %s", c.text, c.dialect)
		assert.Equal(t, c.exact, exact, "%s in %s", c.text, c.dialect)
	}
}

func named(t testing.TB, dialect string) *schema.Dialect {
	t.Helper()
	d, ok := schema.Lookup(dialect)
	require.True(t, ok, dialect)
	return d
}
