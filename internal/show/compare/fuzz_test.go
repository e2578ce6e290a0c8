package compare_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/show/compare"
	"github.com/lmclint/lmclint/lint"
)

// Whatever the inputs are, each equals itself, and the result of swapped inputs is
// the mirrored one.
func FuzzCompare(f *testing.F) {
	f.Add([]byte(`{"role": "assistant", "type": "message", "start": true}`), []byte(`[{"role": "user", "type": "message", "content": "a"}]`))
	f.Add(transcript("a", "b", "c"), transcript("b", "x", "c", "a"))
	f.Add([]byte("{\"role\": \"computer\", \"type\": \"console\", \"start\": true}\n{\"role\": \"computer\", \"type\": \"console\", \"format\": \"active_line\", \"content\": 1}\n{"),
		[]byte("data: {\"role\": \"user\", \"start\": true}\n\ndata: {\"auth\": \"x\"}\n\n"))
	f.Add([]byte(`{"id": "1", "sender": {"participant_id": "2", "participant_role": "user"}, "message_type": "chat", "content": "a"}`), []byte("\x00\xff"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, y := tryRead(t, a), tryRead(t, b)
		if x == nil || y == nil {
			return
		}
		for _, o := range []compare.Options{{}, {IgnoreContent: true}} {
			assert.Empty(t, compare.Compare(x, x, o).Differences)
			forth, back := compare.Compare(x, y, o), compare.Compare(y, x, o)
			assert.ElementsMatch(t, signatures(forth.Differences, false), signatures(back.Differences, true))
			for i := range forth.Differences {
				lines, _ := forth.Differences[i].Lines()
				assert.LessOrEqual(t, len(lines), compare.MaxLines)
			}
		}
	})
}

// tryRead returns the recording of an input, nil if it is of no protocol.
func tryRead(t *testing.T, text []byte) *compare.Recording {
	t.Helper()
	result, err := anyLinter.Run(context.Background(), "in", bytes.NewReader(text), func(lint.Finding) error { return nil })
	var unknown *lint.UnknownInputError
	if errors.As(err, &unknown) {
		return nil
	}
	require.NoError(t, err)
	return compare.Of(result)
}
