package rules_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// Whatever an input holds, it is checked as Semantic Workbench without an
// internal error, or refused as LMC, and every finding has a place in it.
func FuzzWorkbench(f *testing.F) {
	for _, pattern := range []string{suiteRoot + "/workbench/bad/wb*.json*", constructed + "*.json*", suiteRoot + "/workbench/streams/*.sse"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(data)
		}
	}
	for _, broken := range []string{
		"\", \"message_type\": \"chat\"}\n" + `{"role": "assistant", "type": "message", "content": "Hi!"}`,
		`{"type": "ConversationMessage", "data": 5}`, `{"type": 5, "data": {"message_id": {}}}`, `{"event": {}, "conversation_id": [], "data": []}`,
		`{"messages": [{"id": 1, "sender": [], "timestamp": {}, "metadata": {"tool_result": [], "tool_calls": {}, "directed_at": {}}}]}`,
		`{"participants": [5, {"conversation_id": 5, "id": []}], "conversation_id": 5, "event": "participant.created"}`,
	} {
		f.Add([]byte(broken))
	}
	linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Protocol: protocol.Workbench{}.Name()}))
	f.Fuzz(func(t *testing.T, input []byte) {
		_, err := linter.Run(context.Background(), "input", bytes.NewReader(input), func(found lint.Finding) error {
			start, end := found.Place.Span.Start, found.Place.Span.End
			require.GreaterOrEqual(t, start.Line, 1)
			require.LessOrEqual(t, start.Offset, end.Offset)
			require.LessOrEqual(t, end.Offset, int64(len(input)))
			return nil
		})
		if unknown, ok := errors.AsType[*lint.UnknownInputError](err); ok {
			require.Contains(t, unknown.Looks, "it is LMC")
			return
		}
		require.NoError(t, err)
	})
}
