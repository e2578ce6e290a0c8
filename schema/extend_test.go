package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/schema"
)

// extension has one of everything.
func extension(name string) schema.Extension {
	return schema.Extension{
		Name: name, Roles: []string{"gadget"}, Keys: []string{"trace_id"},
		Languages: []schema.Language{{Name: "rust"}, {Name: "python", Aliases: []string{"python3"}}},
		Types: []schema.ExtensionType{
			{Name: "plan", Formats: []string{"json"}, Roles: []string{"gadget"}, Transcript: true, Stream: true},
			{Name: "thought", Transcript: true, Stream: true},
			{Name: "image", Formats: []string{"base64.webp"}, Roles: []string{"gadget"}},
			{Name: "message", Formats: []string{"markdown"}},
		},
	}
}

func TestExtensionsChangeTheirDialectOnly(t *testing.T) {
	e := extension("acme")
	dialects, err := schema.NewDialects(extension(schema.AllDialects), e, schema.Extension{Name: "acme.2", Extends: "acme", Keys: []string{"span"}})
	require.NoError(t, err)
	assert.Equal(t, append(schema.Names(), "acme", "acme.2"), dialects.Names())
	second, _ := dialects.Lookup("acme.2")
	first, _ := dialects.Lookup("acme")
	assert.Equal(t, "interpreter", second.Base)
	assert.Contains(t, second.Keys, "trace_id")
	assert.NotContains(t, first.Keys, "span")
	for _, name := range schema.Names() {
		d, _ := dialects.Lookup(name)
		assert.Contains(t, d.Roles, "gadget", name)
		assert.Empty(t, d.Base)
		again, _ := schema.Lookup(name)
		assert.NotContains(t, again.Roles, "gadget", name)
	}
	var none *schema.Dialects
	assert.Equal(t, schema.Names(), none.Names())
	_, ok := none.Lookup("interpreter")
	assert.True(t, ok)
}

func TestInvalidExtensions(t *testing.T) {
	for message, e := range map[string]schema.Extension{
		`the key "content" is reserved`:                                    {Name: "a", Keys: []string{"content"}},
		`no dialect "interpeter" to extend; did you mean interpreter?`:     {Name: "a", Extends: "interpeter"},
		`the dialect docs already exists and does not extend server`:       {Name: "docs", Extends: "server"},
		`"auto" is reserved for detection and cannot name a dialect`:       {Name: "auto"},
		`the format of type code is a programming language: add languages`: {Name: "a", Types: []schema.ExtensionType{{Name: "code", Formats: []string{"x"}}}},
		`the type plan is allowed neither in transcripts nor in streams`:   {Name: "a", Types: []schema.ExtensionType{{Name: "plan"}}},
	} {
		_, err := schema.NewDialects(schema.Extension{Name: "fine"}, e)
		var wrong *schema.ExtensionError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, 1, wrong.Index)
		assert.EqualError(t, err, message)
	}
}
