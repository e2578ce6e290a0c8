package source_test

import (
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/source"
)

// A single list on one line is distinguished from lists on a line each, even if its
// strings contain brackets.
func TestLoneListIsNoConversationOfItsOwn(t *testing.T) {
	for input, want := range map[string]source.Form{
		`[{"a": "b"}]`:                         source.FormJSON,
		`[{"a": "b"}]` + "\n\n":                source.FormJSON,
		`[{"a": "x[0][1] or ] {y}"}]`:          source.FormJSON,
		`[{"a": "] ["}` + "\n]":                source.FormJSON,
		`[{"a": "b"}, {"a": "it's None"}]`:     source.FormJSON,
		`[{"a": "b"}] [{"a": "b"}]`:            source.FormJSONL,
		`[{"a": "b"}]{"messages": []}]`:        source.FormJSONL,
		`[{"a": "b"}]` + "\n" + `[{"a": "b"}]`: source.FormJSONL,
		`[{"a": "b"]` + "\n":                   source.FormJSON,
		`[{'a': 'b'}]`:                         source.FormPython,
		`[{"a": None}]`:                        source.FormPython,
		`[{"a": "b" "it's"}]`:                  source.FormJSON,
	} {
		reader := text.NewReader(strings.NewReader(input), source.Options{})
		_, _ = reader.Next()
		assert.Equal(t, want, reader.Form(), input)
	}
}
