package source_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
)

// readLine reads a record that is on line 2 of three.
func readLine(t *testing.T, line string) *source.Record {
	t.Helper()
	reader := text.NewReader(strings.NewReader("{\"before\":0}\n"+line+"\n{\"after\":0}"), source.Options{})
	var records []*source.Record
	for {
		rec, err := reader.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		records = append(records, rec.Clone())
	}
	require.Empty(t, records[0].Problems)
	require.Empty(t, records[len(records)-1].Problems)
	require.Equal(t, "0 1:1 {\"before\":0}", recordLine(records[0]))
	require.Contains(t, recordLine(records[len(records)-1]), " 3:1 {\"after\":0}")
	if len(records) == 4 {
		return records[2] // a record, and what is wrong after it
	}
	require.Len(t, records, 3)
	return records[1]
}

// requireProblems compares a record's problems, all of which must be on line
// 2, with "column-column kind: detail".
func requireProblems(t *testing.T, rec *source.Record, want ...string) {
	t.Helper()
	var got []string
	for _, p := range rec.Problems {
		line := strings.Replace(strings.TrimPrefix(problemLine(p), "  2:"), "-2:", "-", 1)
		got = append(got, line)
		fatal := p.Kind != source.LoneSurrogate && p.Kind != source.ByteOrderMark && p.Kind != source.PythonLiteral
		require.Equal(t, fatal, p.IsFatal())
	}
	require.Equal(t, strings.Join(want, "\n"), strings.Join(got, "\n"))
}

func requireRoot(t *testing.T, rec *source.Record) {
	t.Helper()
	require.NotNil(t, rec.Root)
	require.Equal(t, string(rec.Data), string(rec.Root.Raw()))
}
