package source_test

import (
	"io"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

func TestPeekDoesNotWaitForTheEndOfATooLargeRecord(t *testing.T) {
	for form, begun := range map[string]string{
		"lines":  `{"a": "x"}` + "\n" + `{"a": "`,
		"array":  `[{"a": "x"}, {"a": "`,
		"events": "data: {\"a\": \"x\"}\n\ndata: {\"a\": \"",
	} {
		t.Run(form, func(t *testing.T) {
			more := strings.NewReader(strings.Repeat("a", 8<<20))
			r := text.NewReader(io.MultiReader(strings.NewReader(begun), more), source.Options{MaxRecordBytes: 1000})
			_, err := r.Next()
			require.NoError(t, err)
			_, ok := r.Peek()
			for ok && r.WaitForMore(1) {
				_, ok = r.Peek()
			}
			assert.Greater(t, more.Len(), 4<<20)
		})
	}
}
