package validate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

// detail is a violation, with the text at its place.
type detail struct {
	cause    string
	place    string
	key      string
	found    string
	expected string // separated by spaces
	nearest  string
	instead  string
	typ      string
}

func TestViolationDetails(t *testing.T) {
	const roles, flags = "user assistant computer system", "content start end"
	const types = "message console image code audio file confirmation review"
	const keys = "role type format content start end recipient id created_at"
	const confirmation = `{"role":"computer","type":"confirmation","format":"execution","content":`
	tests := []struct {
		record string
		want   detail
	}{
		{
			`{"rolle":"user","type":"message","content":"x"}`,
			detail{cause: "missing-role", key: "role", expected: roles, instead: "rolle", typ: "message"},
		},
		{
			`{"role":"Assistant","type":"message","content":"x"}`,
			detail{"unknown-role", `"Assistant"`, "role", `"Assistant"`, roles, "assistant", "", "message"},
		},
		{
			`{"role":"ai","type":"message","content":"x"}`,
			detail{"unknown-role", `"ai"`, "role", `"ai"`, roles, "", "", "message"},
		},
		{
			`{"role":5,"type":"message","content":"x"}`,
			detail{"unknown-role", `5`, "role", `number 5`, roles, "", "", "message"},
		},
		{`{"role":"user","content":"x"}`, detail{cause: "missing-type", key: "type", expected: types}},
		{
			`{"role":"user","type":"mesage","content":"x"}`,
			detail{"unknown-type", `"mesage"`, "type", `"mesage"`, types, "message", "", ""},
		},
		{
			`{"role":"user","type":"image","content":"x"}`,
			detail{cause: "missing-format", key: "format", expected: "base64 base64.png base64.jpeg path", typ: "image"},
		},
		{
			`{"role":"user","type":"image","format":"base64.jpg","content":"x"}`,
			detail{"invalid-format", `"base64.jpg"`, "format", `"base64.jpg"`, "base64 base64.png base64.jpeg path", "base64.jpeg", "", "image"},
		},
		{
			`{"role":"user","type":"message","format":{"a":1},"content":"x"}`,
			detail{"unexpected-format", `"format"`, "format", "object", "", "", "", "message"},
		},
		{
			`{"role":"user","type":"message","contents":"x"}`,
			detail{cause: "missing-content", key: "content", expected: flags, instead: "contents", typ: "message"},
		},
		{
			`{"role":"computer","type":"confirmation","format":"execution"}`,
			detail{cause: "missing-content", key: "content", expected: "content", typ: "confirmation"},
		},
		{
			`{"role":"user","type":"message","content":[1,2]}`,
			detail{"wrong-content-type", `[1,2]`, "content", "array", "string", "", "", "message"},
		},
		{
			`{"role":"user","type":"message","content":"x","recipent":"user"}`,
			detail{"unknown-key", `"recipent"`, "recipent", `"recipent"`, keys, "recipient", "", "message"},
		},
		{
			`{"role":"user","type":"message","start":false}`,
			detail{"invalid-flag", `false`, "start", "boolean false", "true", "", "", "message"},
		},
		{
			`{"role":"user","type":"message","end":true,"content":"x"}`,
			detail{"conflicting-keys", `"content"`, "content", "", "end content", "", "", "message"},
		},
		{
			confirmation + `{"type":"code","format":"python"}}`,
			detail{"invalid-confirmation", `{"type":"code","format":"python"}`, "content", "", "type format content", "", "", "confirmation"},
		},
		{
			confirmation + `{"type":"code","format":5,"content":"x"}}`,
			detail{"invalid-confirmation", `5`, "format", "number 5", "string", "", "", "confirmation"},
		},
		{
			confirmation + `{"type":"code","format":"r","content":"x","a/b%7E ~é":1}}`,
			detail{"invalid-confirmation", `"a/b%7E ~é"`, "a/b%7E ~é", `"a/b%7E ~é"`, "type format content", "", "", "confirmation"},
		},
		{
			confirmation + `"34 / 24"}`,
			detail{"invalid-confirmation", `"34 / 24"`, "content", `"34 / 24"`, "object", "", "", "confirmation"},
		},
		{
			confirmation + `{"type":"code","language":"r","code":"1"}}`,
			detail{"legacy-confirmation", `{"type":"code","language":"r","code":"1"}`, "content", "", "type format content", "", "", "confirmation"},
		},
		{
			`{"role":"user","type":"message","content":"x","recipient":"User "}`,
			detail{"invalid-recipient", `"User "`, "recipient", `"User "`, "user assistant", "user", "", "message"},
		},
		{
			`{"role":"user","type":"message","stop":true}`,
			detail{"other-end-key", `"stop"`, "stop", "boolean true", "end", "", "", "message"},
		},
		{
			`{"role":"computer","type":"console","format":"active_line","content":0}`,
			detail{"invalid-active-line", `0`, "content", "number 0", "positive integer,null", "", "", "console"},
		},
	}
	validator := validate.NewValidator(named(t, "interpreter"))
	for _, test := range tests {
		violations, err := validator.Check(parse(t, test.record), schema.Chunk)
		require.NoError(t, err)
		require.Len(t, violations, 1, test.record)
		want := test.want
		if want.place == "" {
			want.place = test.record
		}
		assert.Equal(t, want, detailOf(test.record, &violations[0]), test.record)
	}
}

func detailOf(record string, v *validate.Violation) detail {
	place := record[v.Node.Start:v.Node.End]
	if v.AtKey {
		place = record[v.Node.NameStart:v.Node.NameEnd]
	}
	separator := " "
	if v.Cause == validate.InvalidActiveLine {
		separator = ","
	}
	return detail{v.Cause.String(), place, v.Key, v.Found, strings.Join(v.Expected, separator), v.Nearest, v.Instead, v.Type}
}

func TestFoundIsShort(t *testing.T) {
	t.Parallel()
	validator := validate.NewValidator(named(t, "interpreter"))
	long := strings.Repeat("é", 1<<20)
	violations, err := validator.Check(parse(t, `{"role":"`+long+`","type":"message","`+long+`":1,"start":true}`), schema.Chunk)
	require.NoError(t, err)
	require.Len(t, violations, 2)
	for _, v := range violations {
		assert.Equal(t, `"`+strings.Repeat("é", 40)+`…"`, v.Found)
	}
}

func TestFoundHasNoControlCharacters(t *testing.T) {
	validator := validate.NewValidator(named(t, "interpreter"))
	violations, err := validator.Check(parse(t, `{"role":"\u001b[31mred\n","type":"message","start":true}`), schema.Chunk)
	require.NoError(t, err)
	require.Len(t, violations, 1)
	assert.Equal(t, `"\x1b[31mred\n"`, violations[0].Found)
}

func TestCheckRejectsOtherValues(t *testing.T) {
	validator := validate.NewValidator(named(t, "docs"))
	_, err := validator.Check(nil, schema.Chunk)
	assert.Error(t, err)
	array := parse(t, `{"a":[]}`).Member("a")
	_, err = validator.Check(array, schema.Chunk)
	assert.Error(t, err)
	_, err = validator.Check(parse(t, `{}`), schema.Part(9))
	assert.Error(t, err)
}
