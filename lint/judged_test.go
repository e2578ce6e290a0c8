package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/lint"
)

func TestJudgedRecordsAreCounted(t *testing.T) {
	total := 0
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote)}, lint.WithProgress(func(records int) { total += records }))
	_, result, err := run(t, linter, hello+"{}\n")
	require.NoError(t, err)
	assert.Equal(t, 3, total)
	assert.Equal(t, 3, result.Records)
}
