package validate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/validate"
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

func withExtension(t *testing.T, name string) *schema.Dialect {
	t.Helper()
	dialects, err := schema.NewDialects(extension(name))
	require.NoError(t, err)
	d, ok := dialects.Lookup(name)
	require.True(t, ok)
	return d
}

func TestExtendedWordsAreKnown(t *testing.T) {
	for _, name := range []string{"interpreter", "acme"} {
		d := withExtension(t, name)
		v := validate.NewValidator(d)
		for text, valid := range map[string]bool{
			`{"role": "gadget", "type": "plan", "format": "json", "content": "[]"}`:                            true,
			`{"role": "gadget", "type": "plan", "format": "json", "start": true}`:                              true,
			`{"role": "gadget", "type": "plan", "content": "[]"}`:                                              false,
			`{"role": "gadget", "type": "plan", "format": "xml", "content": "[]"}`:                             false,
			`{"role": "assistant", "type": "thought", "content": "Hm"}`:                                        true,
			`{"role": "assistant", "type": "thought", "format": "x", "content": "Hm"}`:                         false,
			`{"role": "computer", "type": "image", "format": "base64.webp", "content": "AA"}`:                  true,
			`{"role": "computer", "type": "image", "format": "base64.gif", "content": "AA"}`:                   false,
			`{"role": "user", "type": "message", "content": "Hi", "trace_id": "7"}`:                            true,
			`{"role": "user", "type": "message", "content": "Hi", "span_id": "7"}`:                             false,
			`{"role": "user", "type": "message", "format": "markdown", "content": "Hi"}`:                       true,
			`{"role": "user", "type": "message", "content": "Hi"}`:                                             true,
			`{"role": "user", "type": "message", "format": "html", "content": "Hi"}`:                           false,
			`{"role": "nobody", "type": "message", "content": "Hi"}`:                                           false,
			`{"role": "computer", "type": "console", "format": "active_line", "content": 1, "trace_id": null}`: true,
		} {
			violations, err := v.Check(parse(t, text), schema.Chunk)
			require.NoError(t, err)
			assert.Equal(t, valid, len(violations) == 0, "%s: %s: %v", name, text, violations)
		}
		language, exact, ok := d.Language("rust")
		assert.True(t, ok && exact && language.Name == "rust")
		language, exact, ok = d.Language("python3")
		assert.True(t, ok && !exact && language.Name == "python")
	}
}

// What is valid without an extension is valid with it, whatever lane judges.
func TestAnExtensionTakesNothingAway(t *testing.T) {
	for _, name := range schema.Names() {
		own, _ := schema.Lookup(name)
		more := withExtension(t, name)
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			plain, wide, slow := validate.NewValidator(own), validate.NewValidator(more), validate.NewValidator(more, validate.WithoutMemo())
			for _, text := range recordsFor(t, name, part) {
				root := parse(t, text)
				before, err := plain.Check(root, part)
				require.NoError(t, err)
				after, err := wide.Check(root, part)
				require.NoError(t, err)
				if len(before) == 0 {
					assert.Empty(t, after, "%s: %s", name, text)
				}
				if name != "interpreter" {
					continue
				}
				asked, err := slow.Check(root, part)
				require.NoError(t, err)
				assert.Equal(t, asked, after, "%s: %s", name, text)
			}
		}
	}
}

// TestEveryTypeIsValid holds for every type and format of every dialect.
func TestEveryTypeIsValid(t *testing.T) {
	for _, name := range schema.Names() {
		d := named(t, name)
		validator := validate.NewValidator(d)
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			for _, record := range everyRecord(d, part) {
				violations, err := validator.Check(parse(t, record), part)
				require.NoError(t, err)
				assert.Empty(t, causesOf(violations), "%s %s: %s", name, part, record)
			}
		}
	}
}

func everyRecord(d *schema.Dialect, part schema.Part) []string {
	var records []string
	for _, name := range d.TypeNames(part) {
		typ, _ := d.Type(name)
		for _, role := range d.Roles {
			head := `{"role":"` + role + `","type":"` + name + `"`
			for _, format := range formatsOf(d, typ, part) {
				records = append(records, eventsOf(d, typ, part, head, format)...)
			}
		}
	}
	return records
}

func formatsOf(d *schema.Dialect, typ *schema.Type, part schema.Part) []string {
	formats := typ.FormatNames(part)
	if typ.AnyCode {
		formats = append(d.LanguageNames(), "cobol", "BASH", "text")
	}
	if typ.Options == schema.FormatNone || typ.Options == schema.FormatOptional {
		formats = append(formats, "")
	}
	return formats
}

func eventsOf(d *schema.Dialect, typ *schema.Type, part schema.Part, head, format string) []string {
	content := `"x"`
	if f, ok := typ.Format(format); ok && f.Content == schema.ContentLine {
		content = `7`
	} else if ok && f.Content == schema.ContentConfirmation {
		content = `{"type":"code","format":"python","content":""}`
	} else if ok && f.Content == schema.ContentObject {
		content = `{}`
	}
	bare := head
	if format != "" {
		head += `,"format":"` + format + `"`
	}
	records := []string{head + `,"content":` + content + `}`}
	if part == schema.Message || !typ.Flags {
		return records
	}
	if typ.Options == schema.FormatOnContentOnly {
		records = append(records, bare+`,"start":true}`, bare+`,"`+d.EndKey+`":true}`)
	}
	return append(records, head+`,"start":true}`, head+`,"`+d.EndKey+`":true}`)
}
