package rules_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/mutation"
	"github.com/lmclint/lmclint/internal/dev/mutation/mutationtest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// A habit that gives more findings than these has several causes to a reader; at most
// maxTold habits may.
const (
	maxCauses = 2
	maxTold   = 8
)

// What a program does wrong in each record is one finding, or two: grouped by their cause,
// the findings of a habit are few, whatever records have it.
func TestHabitsHaveOneCause(t *testing.T) {
	linter, err := lint.New(rules.All())
	require.NoError(t, err)
	inputs := map[string]string{"stream.jsonl": mutationtest.HealthyStream(), "transcript.jsonl": mutationtest.HealthyTranscript()}
	for name, text := range inputs {
		require.Empty(t, causesOf(t, linter, name, text), name)
	}
	habits := mutation.Habits()
	assert.GreaterOrEqual(t, len(habits), 200)
	var told []string
	for _, h := range habits {
		found := false
		for name, text := range inputs {
			changed := string(h.Apply([]byte(text)))
			if changed == text {
				continue
			}
			found = true
			if causes := causesOf(t, linter, name, changed); len(causes) > maxCauses {
				told = append(told, fmt.Sprintf("%s in %s: %d\n\t%s", h.Name, name, len(causes), strings.Join(causes, "\n\t")))
			}
		}
		assert.True(t, found, "%q changes nothing", h.Name)
	}
	assert.LessOrEqual(t, len(told), maxTold, "%s", strings.Join(told, "\n"))
}

// causesOf returns the findings above a note.
func causesOf(t *testing.T, linter *lint.Linter, name, text string) (causes []string) {
	t.Helper()
	_, err := linter.Run(t.Context(), name, strings.NewReader(text), func(f lint.Finding) error {
		if f.Severity > lint.SeverityNote {
			causes = append(causes, f.Rule.ID+" "+f.Message)
		}
		return nil
	})
	if unknown := new(lint.UnknownInputError); errors.As(err, &unknown) {
		return []string{err.Error()}
	}
	require.NoError(t, err, name)
	return causes
}
