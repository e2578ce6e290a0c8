package source_test

import (
	"io"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// A reader that was used for a small input reads a larger one.
func TestResetBehindLittle(t *testing.T) {
	for _, little := range []string{"", " ", "{}", "[]\n"} {
		reader := text.NewReader(strings.NewReader(little), source.Options{})
		for err := error(nil); err == nil; {
			_, err = reader.Next()
		}
		reader.Reset(source.Stdin, strings.NewReader(`{"a": 1}`+"\n"+`{"b": 2}`))
		for range 2 {
			_, err := reader.Next()
			require.NoError(t, err, "behind %q", little)
		}
		_, err := reader.Next()
		require.ErrorIs(t, err, io.EOF)
	}
}
