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

func TestTypesOfDialects(t *testing.T) {
	stored := []string{"message", "console", "image", "code", "audio", "file"}
	served := slices.Concat(stored, []string{"confirmation", "review", "command", "status", "error", "completion"})
	calls := []string{"edit", "tool_call", "view_image_call", "edit_approved"}
	streamed := []string{"edit", "edit_approved", "view_image_approval", "notice", "stop_live_display"}
	want := map[string][]string{
		"interpreter":     append(stored[:6:6], "confirmation", "review"),
		"interpreter-0.3": append(stored[:6:6], "confirmation"),
		"interpreter-0.2": append(stored[:6:6], "confirmation", "completion"),
		"interpreter-0.1": append(stored[:6:6], "confirmation"),
		"server":          served,
		"classic":         slices.Concat(served, streamed),
		"01":              served,
		"docs":            append(stored[:5:5], "confirmation"),
	}
	for _, name := range schema.Names() {
		d := named(t, name)
		assert.Equal(t, want[name], d.TypeNames(schema.Chunk), name)
		assert.Subset(t, slices.Concat(stored, calls), d.TypeNames(schema.Message), name)
	}
}

func TestFormatsOfDialects(t *testing.T) {
	interpreter, docs := named(t, "interpreter"), named(t, "docs")
	formats := func(d *schema.Dialect, typ string, part schema.Part) []string {
		found, ok := d.Type(typ)
		require.True(t, ok)
		return found.FormatNames(part)
	}
	assert.Equal(t, []string{"output", "active_line"}, formats(interpreter, "console", schema.Chunk))
	assert.Equal(t, []string{"output"}, formats(interpreter, "console", schema.Message))
	assert.Equal(t, []string{"base64", "base64.png", "base64.jpeg", "path", "description"}, formats(interpreter, "image", schema.Message))
	assert.Equal(t, []string{"base64", "base64.png", "base64.jpeg", "path"}, formats(docs, "image", schema.Message))
	assert.Equal(t, []string{"wav", "bytes.wav", "bytes.raw"}, formats(interpreter, "audio", schema.Chunk))
	assert.Equal(t, []string{"wav"}, formats(docs, "audio", schema.Chunk))
}

func TestLanguage(t *testing.T) {
	tests := []struct {
		format, name string
		exact, ok    bool
	}{
		{"python", "python", true, true},
		{"py", "python", false, true},
		{"PYTHON", "python", false, true},
		{" python\n", "python", false, true},
		{"bash", "shell", false, true},
		{"BAT", "shell", false, true},
		{"r", "r", true, true},
		{"java", "java", true, true},
		{"cobol", "", false, false},
		{"", "", false, false},
	}
	d := named(t, "interpreter")
	for _, test := range tests {
		language, exact, ok := d.Language(test.format)
		require.Equal(t, test.ok, ok, test.format)
		assert.Equal(t, test.exact, exact, test.format)
		if ok {
			assert.Equal(t, test.name, language.Name, test.format)
		}
	}
	assert.True(t, d.IsNote(" Markdown"))
	assert.False(t, d.IsNote("python"))
}

func TestKnownKeys(t *testing.T) {
	assert.Equal(t, []string{"role", "type", "format", "content", "start", "stop", "recipient", "id", "created_at"},
		named(t, "interpreter-0.1").KnownKeys(schema.Chunk))
	assert.Equal(t, []string{"role", "type", "format", "content", "id", "created_at"},
		named(t, "docs").KnownKeys(schema.Message))
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
