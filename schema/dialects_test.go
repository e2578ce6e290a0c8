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

func TestDialectSwitches(t *testing.T) {
	type switches struct {
		end                                     string
		confirmation                            schema.Confirmation
		final, null, digits, legacy, to, strict bool
	}
	want := map[string]switches{
		"interpreter":     {"end", schema.ConfirmUnlessAutoRun, true, true, false, false, true, false},
		"interpreter-0.3": {"end", schema.ConfirmUnlessAutoRun, true, true, false, false, true, false},
		"interpreter-0.2": {"end", schema.ConfirmAlways, true, true, false, false, true, false},
		"interpreter-0.1": {"stop", schema.ConfirmAlways, false, true, false, false, true, false},
		"server":          {"end", schema.ConfirmNever, true, true, false, false, true, false},
		"docs":            {"end", schema.ConfirmAlways, false, true, true, true, false, true},
		"classic":         {"end", schema.ConfirmUnlessAutoRun, true, true, false, false, true, false},
		"01":              {"end", schema.ConfirmNever, false, true, false, false, true, false},
	}
	for _, name := range schema.Names() {
		d := named(t, name)
		have := switches{d.EndKey, d.Confirmation, d.FinalNull, d.NullLine, d.DigitStrings, d.LegacyConfirm, d.Recipient, d.StrictRoles}
		assert.Equal(t, want[name], have, name)
		assert.Equal(t, slices.Contains([]string{"server", "classic", "01"}, name), d.ServerFrames, name)
		assert.Equal(t, name != "01", d.Completes, name)
		assert.Equal(t, name != "docs", d.OwnSystemMessage, name)
		assert.Equal(t, name == "classic", d.NamedGo && d.OpenConfirm, name)
	}
}

func TestHasKeyAgreesWithKnownKeys(t *testing.T) {
	for _, name := range schema.Names() {
		d := named(t, name)
		d.Keys = append(d.Keys, "stop", "a/b~c", "role")
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
