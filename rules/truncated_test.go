package rules_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
)

// LMC203 advises what its fix does: a block without content loses its start flag, another
// one gets an end flag.
func TestHelpOfTruncatedStreamIsItsFix(t *testing.T) {
	t.Parallel()
	for file, words := range map[string][2]string{
		"lmc203_only_start": {"remove the start flag", "remove the start flag"},
		"lmc203_cut_output": {"send the end flag", "insert the end flag"},
	} {
		text, err := os.ReadFile("../testdata/core/bad/" + file + ".jsonl")
		require.NoError(t, err)
		found := lintAll(t, linterFor(lint.Config{}), file, text)
		require.Len(t, found, 1, file)
		assert.Contains(t, found[0].Help, words[0], file)
		require.NotNil(t, found[0].Fix, file)
		assert.Contains(t, found[0].Fix.Message, words[1], file)
	}
}
