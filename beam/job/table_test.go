package job

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rowsOfTable are conversations for a table: some are missing, and one cannot be
// checked.
func rowsOfTable(t *testing.T) (rows []*string) {
	t.Helper()
	for i, line := range append(conversations(t), `{"openai": "no"}`) {
		if i%7 == 3 {
			rows = append(rows, nil)
		}
		rows = append(rows, &line)
	}
	return rows
}

func parquetOf(t *testing.T, rows []*string, codec compress.Codec) []byte {
	t.Helper()
	type row struct {
		ID   int64   `parquet:"id"`
		Chat *string `parquet:"chat,optional,dict"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.Compression(codec), parquet.PageBufferSize(2<<10), parquet.MaxRowsPerRowGroup(20))
	for i, text := range rows {
		_, err := w.Write([]row{{int64(i), text}})
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// TestTables checks that the rows of tables have the findings that lmclint
// reports about each of them.
func TestTables(t *testing.T) {
	rows := rowsOfTable(t)
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"snappy.parquet", "gzip.parquet"} {
		require.NoError(t, os.MkdirAll(name+"!chat", 0o755))
		for i, text := range rows {
			if text != nil {
				require.NoError(t, os.WriteFile(filepath.Join(name+"!chat", fmt.Sprint(i)), []byte(*text), 0o600))
			}
		}
		want := onOneMachine(t, "--isolated", name+"!chat/*")
		require.NotEmpty(t, want.refused)
		text := parquetOf(t, rows, &parquet.Snappy)
		if name == "gzip.parquet" {
			text = parquetOf(t, rows, &parquet.Gzip)
		}
		require.NoError(t, os.WriteFile(name, text, 0o600))
		o := options(t, name)
		o.Column = "chat"
		got := run(t, o)
		assert.Equal(t, want.findings, got.findings)
		assert.Equal(t, want.refused, got.refused)
		assert.Equal(t, want.summary.Records, got.summary.Records)
		assert.Equal(t, 1, got.summary.Files)
	}
}

// TestBrokenTables checks that a table that is broken anywhere is a refused
// input, or rows that are: never a panic, and never a job that fails.
func TestBrokenTables(t *testing.T) {
	rows := rowsOfTable(t)[:30]
	config, err := ReadConfig("", true)
	require.NoError(t, err)
	fn := &checkFn{Config: config, Column: "chat", Shards: 1}
	require.NoError(t, fn.Setup())
	random := rand.New(rand.NewPCG(1, 1))
	path := filepath.Join(t.TempDir(), "table")
	check := func(text []byte) Outcome {
		require.NoError(t, os.WriteFile(path, text, 0o600))
		outcome, err := fn.whole(t.Context(), path, func([]byte) {}, func(Outcome) {})
		require.NoError(t, err)
		return outcome
	}
	table := parquetOf(t, rows, &parquet.Snappy)
	sound := check(table)
	require.Empty(t, sound.Failure)
	require.Positive(t, sound.Records)
	for range 20 {
		cut := check(table[:4+random.IntN(len(table)-5)])
		assert.True(t, cut.Failure != "" || cut.Records < sound.Records)
		broken := slices.Clone(table)
		for range 1 + random.IntN(4) {
			broken[4+random.IntN(len(broken)-4)] = byte(random.Uint32())
		}
		check(broken)
	}
	for column, want := range map[string]string{"": "--column", "nothing": "no column nothing", "id": "expected text"} {
		fn.Column = column
		outcome := check(table)
		assert.Contains(t, outcome.Failure, want)
		assert.Zero(t, outcome.Records)
	}
}
