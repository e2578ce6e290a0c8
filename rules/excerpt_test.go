package rules_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A page shows streams in parts. What a part leaves out is no mistake, and what
// is wrong within one is.
func TestParts(t *testing.T) {
	const (
		start   = `{"role": "assistant", "type": "message", "start": true}` + "\n"
		content = `{"role": "assistant", "type": "message", "content": "Hi"}` + "\n"
		end     = `{"role": "assistant", "type": "message", "end": true}` + "\n"
		console = `{"role": "computer", "type": "console", "start": true}` + "\n"
		output  = `{"role": "computer", "type": "console", "format": "output", "content": "1"}` + "\n"
		done    = `{"role": "computer", "type": "console", "end": true}` + "\n"
		words   = "\nThen it goes on:\n\n"
	)
	tests := []struct {
		name, page string
		want       []string
	}{
		{"one part over several", start + words + content + content + words + end, nil},
		{"single chunks", start + words + output + words + done + words + end + words + content, nil},
		{"a block without its code", start + content + end + words + console + output + done, nil},
		{"a whole block is lost behind a part", words + end + words + start + content + end, nil},
		{"lost end in a part", start + content + start + content + end + words + start + content + end, []string{"LMC202"}},
		{"lost start in a part", start + content + end + content + end + words + output, []string{"LMC201"}},
		{"the only part is cut", start + content, []string{"LMC203"}},
		{"a comment parts nothing", start + content + "# and on\n" + start + content + end, []string{"LMC202"}},
		{"shape is judged everywhere", start + words + `{"role": "assistant", "type": "mesage", "content": "Hi"}` + "\n", []string{"LMC104"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "page.md")
			require.NoError(t, os.WriteFile(path, []byte("## Chunks\n\n"+test.page), 0o600))
			findings, foreign := judge(t, path, options{})
			assert.False(t, foreign)
			var got []string
			for _, f := range findings {
				got = append(got, f.Rule)
			}
			assert.Equal(t, test.want, got)
		})
	}
}
