package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/embedded"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// Where in a text something stands, and what before it, says nothing about
// whether the text is plain.
func TestTextsOfALayout(t *testing.T) {
	rec, err := embedded.NewReader(strings.NewReader(`{"a": "text", "b": 1}`), source.Options{}).Next()
	require.NoError(t, err)
	layout := source.NewLayout(rec, rec.Root.Member("a"))
	parts := map[string]bool{
		``: true, `\n`: true, `\"`: true, `\\`: true, `\/`: true, `\\\"`: true, `\u0416`: true, `\uFFfd`: true, `\u00e9`: true,
		`\ud83c\udf89`: true, `é`: true, `汉`: true, `#`: true, `]`: true, `\n\u0416\t`: true, `\n#`: true, `\u0416]`: true, "\x7f": true,
		`\u001b`: false, `\u009b`: false, `\u007f`: false, `\ud83c`: false, `\udf89\ud83c`: false, `\ud83c\n`: false, `\x`: false, `\u04g6`: false,
		`\u041`: false, "\x1b": false, "\n": false, "\xff": false, "\u009b": false, "\xe6\xb1": false,
	}
	for part, plain := range parts {
		for pad := range 150 {
			for _, before := range []string{"", `\n`, `\u0416\u0416`, `é`} {
				text := before + strings.Repeat("x", pad) + part
				line := `{"a": "` + text + `", "b": 1}`
				require.Equal(t, plain, isPlain(t, line), "%q", text)
				for _, behind := range []string{"", "\n", strings.Repeat(" ", 100)} {
					hole, size, _ := layout.Match([]byte(line + behind))
					require.Equal(t, plain, size > 0, "%q", text)
					if plain {
						require.Equal(t, text, line[hole.From:hole.To])
						require.Equal(t, strings.Contains(text, `\`), hole.Escaped, "%q", text)
					}
				}
			}
		}
	}
}

// isPlain reports whether the record of a line is sound, and its text plain.
func isPlain(t *testing.T, line string) bool {
	t.Helper()
	rec, err := embedded.NewReader(strings.NewReader(line), source.Options{}).Next()
	require.NoError(t, err)
	n := rec.Root.Member("a")
	return n != nil && n.Plain()
}

// Of a text that is cut off somewhere it is not said that it is plain.
func TestCutTextsOfALayout(t *testing.T) {
	rec, err := embedded.NewReader(strings.NewReader(`{"a": "text"}`), source.Options{}).Next()
	require.NoError(t, err)
	layout := source.NewLayout(rec, rec.Root.Member("a"))
	line := fmt.Sprintf(`{"a": "%s"}`, strings.Repeat(`ab \u0416\ud83c\udf89\n\" é cde`, 10))
	for cut := range line {
		_, size, _ := layout.Match([]byte(line[:cut]))
		assert.Zero(t, size, line[:cut])
	}
	_, size, _ := layout.Match([]byte(line))
	assert.Equal(t, len(line), size)
}
