package source_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// FuzzReader reads anything, in any form, with narrow limits. Whatever it is,
// reading ends, gives the same however the input comes, and every place lies
// where it says.
func FuzzReader(f *testing.F) {
	for _, seed := range readerSeeds {
		for form := range byte(len(fuzzedForms)) {
			f.Add([]byte(seed), form, uint16(0), uint8(0))
			f.Add([]byte(seed), form, uint16(20), uint8(2))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, form byte, limit uint16, depth uint8) {
		requireSound(t, data, source.Options{
			Form:           fuzzedForms[int(form)%len(fuzzedForms)],
			MaxRecordBytes: int64(limit), MaxDepth: int(depth),
		})
	})
}

// FuzzNextLine puts any line between two records: it never hides the second.
func FuzzNextLine(f *testing.F) {
	for _, seed := range readerSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.ReplaceAll(line, []byte{'\n'}, []byte{' '})
		input := `{"role":1}` + "\n" + string(line) + "\n" + `{"last":2}`
		got := outcomeOf(strings.NewReader(input), source.Options{})
		require.NoError(t, got.Err)
		require.Equal(t, "0 1:1 "+`{"role":1}`, got.Lines[0])
		require.True(t, slices.ContainsFunc(got.Lines, func(line string) bool { return strings.HasSuffix(line, " 3:1 "+`{"last":2}`) }))
	})
}

var fuzzedForms = []source.Form{source.FormAuto, source.FormJSON, source.FormJSONL, source.FormPython, source.FormSSE, source.FormSessionLog}
