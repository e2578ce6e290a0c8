package source_test

import (
	"io"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
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

// The limit of the values in an entry of a HAR is not that of a later input's records.
func TestResetBehindHAR(t *testing.T) {
	reader := text.NewReader(strings.NewReader(`{"log": {"version": "1.2", "entries": [{"a": 1}]}}`), source.Options{Name: "a.har"})
	for err := error(nil); err == nil; {
		_, err = reader.Next()
	}
	reader.Reset("a.jsonl", strings.NewReader(`{"a": [`+strings.Repeat("0,", value.MaxValues)+`0]}`+"\n"))
	rec, err := reader.Next()
	require.NoError(t, err)
	require.Len(t, rec.Problems, 1)
}
