package source_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// repeatOf returns how many records the reader returns for an input, and how many there
// are with those that it only counts, if it may.
func repeatOf(t *testing.T, in io.Reader, counts bool) (returned, all int) {
	t.Helper()
	reader := source.NewReader(in, source.Options{Name: "x.json", CountRepeated: counts})
	for {
		rec, err := reader.Next()
		if err == io.EOF {
			return returned, all
		}
		require.NoError(t, err)
		if !rec.IsGap {
			require.Equal(t, all, rec.Before()+1)
			returned++
			all += 1 + rec.Skipped
			require.Equal(t, all, rec.Index+1)
		}
	}
}

func TestRepeatedForeignRecordsAreSkipped(t *testing.T) {
	const record, count = `{"role": "user"}`, 5000
	for each, records := range map[string]int{
		"1\n": 1, "{\n": 1, "]\n": 1, "{}\n": 1, `"a"` + "\n": 1, "1\n2\n": 2, "{\n[\n": 2, "1\n\"a\"\nnull\n[]\n": 4,
	} {
		for name, in := range piecewise(record + "\n" + strings.Repeat(each, count) + record + "\n") {
			returned, all := repeatOf(t, in, true)
			require.Less(t, returned, 100, "%q %s", each, name)
			require.Equal(t, records*count+2, all, "%q %s", each, name)
		}
	}
	for each, records := range map[string]int{"1,": 1, "{}, ": 1, "[] ,\n": 1, "1, 2, ": 2, `1,"a",null,`: 3} {
		for name, in := range piecewise("[" + record + "," + strings.Repeat(each, count) + record + "]") {
			returned, all := repeatOf(t, in, true)
			require.Less(t, returned, 100, "%q %s", each, name)
			require.Equal(t, records*count+2, all, "%q %s", each, name)
		}
	}
}

func TestRecordsAreNotSkipped(t *testing.T) {
	for _, each := range []string{`{"role": "user"}` + "\n", `{"role": "user` + "\n", `{"a": 1}` + "\n", "1\n2\n3\n4\n5\n"} {
		returned, all := repeatOf(t, strings.NewReader(strings.Repeat(each, 200)), true)
		require.Equal(t, all, returned, each)
	}
	returned, all := repeatOf(t, strings.NewReader(strings.Repeat("1\n", 200)), false)
	require.Equal(t, all, returned)
}
