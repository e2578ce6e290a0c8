package rules_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stream has the same findings about the same records whether it was written
// with print(chunk) or with json.dumps(chunk), but for the note that says so.
func TestPrintedRecordings(t *testing.T) {
	pairs := 0
	err := filepath.WalkDir(filepath.Join(suite, "recorded"), func(path string, _ fs.DirEntry, err error) error {
		stream, printed := strings.CutSuffix(path, ".print.txt")
		if err != nil || !printed {
			return err
		}
		pairs++
		o := readExpectation(t, path).Options
		got, _ := judge(t, path, o)
		require.NotEmpty(t, got, path)
		assert.Equal(t, "LMC009", got[0].Rule, path)
		want, _ := judge(t, stream+".chunks.jsonl", o)
		assert.Equal(t, withoutColumns(want), withoutColumns(got[1:]), path)
		return nil
	})
	require.NoError(t, err)
	assert.Positive(t, pairs)
}

// withoutColumns forgets columns: JSON and Python escape different characters.
func withoutColumns(findings []expectFound) []expectFound {
	for i := range findings {
		findings[i].Column = 0
	}
	return findings
}
