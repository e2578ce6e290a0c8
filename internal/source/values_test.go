package source_test

import (
	"testing"

	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/stretchr/testify/assert"
)

func TestValuesOfText(t *testing.T) {
	for text, want := range map[string][]string{
		"":                           nil,
		" \n":                        nil,
		"1":                          {"1"},
		`{"a": 1}` + "\n[2] \"x\"\n": {`{"a": 1}`, "[2]", `"x"`},
		"1 }2":                       {"1", "error: byte 2: found `}`, expected a value"},
		`[1]["a`:                     {"[1]", "error: byte 6: the record ends before it is closed"},
	} {
		var got []string
		for value, err := range value.Values([]byte(text)) {
			if err != nil {
				got = append(got, "error: "+err.Error())
				continue
			}
			got = append(got, string(value.Raw()))
		}
		assert.Equal(t, want, got, "%q", text)
	}
}

func TestValuesOfTextUpToTheOneSought(t *testing.T) {
	for value, err := range value.Values([]byte("1 2 3")) {
		assert.NoError(t, err)
		assert.Equal(t, "1", string(value.Raw()))
		break
	}
}
