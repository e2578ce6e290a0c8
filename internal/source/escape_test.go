package source_test

import (
	"encoding/json"
	"testing"

	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAppendEscape(t *testing.T) {
	for r, want := range map[rune]string{
		'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`, 0: `\u0000`, 0x1b: `\u001b`, 0x7f: `\u007f`,
		'é': `\u00e9`, '�': `\ufffd`, 0xd800: `\ud800`, 0xdfff: `\udfff`, '🎉': `\ud83c\udf89`, 0x10ffff: `\udbff\udfff`,
	} {
		assert.Equal(t, "x"+want, string(value.AppendEscape([]byte("x"), r)), "%U", r)
	}
	for r := rune(0); r <= 0x10ffff; r += 7 {
		var text string
		require.NoError(t, json.Unmarshal(append(value.AppendEscape([]byte{'"'}, r), '"'), &text))
		assert.Equal(t, string(r), text, "%U", r)
	}
}
