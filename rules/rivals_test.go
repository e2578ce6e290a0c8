package rules_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/rules"
)

// Which protocol an input with records of two is of does not hang on how much
// memory the input before it left.
func TestRivalsBehindAShortInput(t *testing.T) {
	message := `{"id": "00000000-0000-4000-8000-000000000001", "sender": {"participant_role": "user", "participant_id": "a.b"}, ` +
		`"message_type": "chat", "timestamp": "2025-03-03T20:01:01Z", "content_type": "text/plain", "content": "Hi"}` + "\n"
	input := message + `{"role": "assistant", "type": "message", "content": "Hi!"}` + "\n" + message[:100]
	short := `{"role": "user", "type": "message", "content": "Hi"}`
	short += strings.Repeat(" ", len(message)-1-len(short))

	want := everything(linttest.MustNew(rules.All()), strings.NewReader(input))
	linter := linttest.MustNew(rules.All())
	everything(linter, strings.NewReader(short))
	require.Equal(t, want, everything(linter, strings.NewReader(input)))
}
