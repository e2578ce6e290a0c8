package apply_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/dev/mutation"
	"github.com/lmclint/lmclint/internal/dev/mutation/mutationtest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// unfixedHabits are those whose help names no value, or would lose a key.
var unfixedHabits = []string{
	"payload for content", "event for type", "fmt for format", "mime for format", "recipient all",
	"no role", "no type", "no content", "no format", "no start", "no end",
	"timestamp 2026-03-01T10:00:00Z", "ts 1.7723592005e+09", "session_id s1", "model m-1", "index 0", "uuid 0b1d", "metadata map[n:1]",
	"finish_reason stop", "two more keys", "the keys sorted and a timestamp",
	"neither role nor type", "type chat for message", "type tool_call for code", "start, content and end in one chunk", "start on each content", "content as parts", "content as an object", "content as a list", "content as null", "content as a number",
	"content as true", "content as an empty string", "active_line from 0", "confirmation of text", `format "" of console`, `format "" of code`,
	"format null where there is one",
	"role in a list", "role in an object", "role as true", "role as a number", "role as digits", "role as an empty string", "role as unknown",
	"type in a list", "type in an object", "type as true", "type as a number", "type as digits", "type as an empty string", "type as unknown",
	"format in quotes", "format after a byte order mark", "format of an enumeration in Python", "format of an enumeration in Go",
	"format of an enumeration of protocol buffers", "format with a prefix", "format with a suffix", "format in the plural",
	"format in a list", "format in an object", "format as true", "format as a number", "format as digits", "format as an empty string", "format as unknown",
	"each type is message", "start and content in one chunk, no end",
}

// What the help of a finding names, fix does: of the other habits nothing but notes is
// left.
func TestHabitsAreFixed(t *testing.T) {
	linter := linttest.MustNew(rules.All(), lint.WithFixes())
	for _, h := range mutation.Habits() {
		isFixed := true
		for _, text := range []string{mutationtest.HealthyStream(), mutationtest.HealthyTranscript()} {
			changed := string(h.Apply([]byte(text)))
			if changed == text {
				continue
			}
			r, err := apply.Text(t.Context(), apply.Linters{Fixing: linter}, "habit", []byte(changed), true)
			if unknown := new(lint.UnknownInputError); errors.As(err, &unknown) {
				isFixed = false // nothing is known of it
				continue
			}
			require.NoError(t, err, h.Name)
			isFixed = isFixed && !slices.ContainsFunc(r.Left, func(f apply.Left) bool { return f.Severity > lint.SeverityNote })
		}
		assert.Equal(t, !slices.Contains(unfixedHabits, h.Name), isFixed, h.Name)
	}
}
