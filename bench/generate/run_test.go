package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func generated(t *testing.T, args ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, run(args, &b))
	return b.Bytes()
}

func TestGzipHoldsTheSame(t *testing.T) {
	plain := generated(t, "--chunks", "500")
	z, err := gzip.NewReader(bytes.NewReader(generated(t, "--chunks", "500", "--gzip")))
	require.NoError(t, err)
	unpacked, err := io.ReadAll(z)
	require.NoError(t, err)
	assert.Equal(t, plain, unpacked)
}

func TestOutFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny.jsonl")
	assert.Empty(t, generated(t, "--kind", "tiny", "--out", path))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, generated(t, "--kind", "tiny"), data)
}

func TestTranscriptsAreFiles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	generated(t, "--kind", "transcripts", "--files", "3", "--out", folder)
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Len(t, entries, 3)
}

func TestNoHalfFileStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stream.jsonl")
	require.Error(t, run([]string{"--out", path}, io.Discard), "a stream without a length")
	assert.NoFileExists(t, path)
}

func TestMistakesInFlags(t *testing.T) {
	for _, args := range [][]string{
		{"--kind", "poem"}, {"--script", "latin"}, {"--wrong", "a bit"}, {"--chunks", "2"}, {"extra"}, {"--kind", "transcripts"},
	} {
		assert.Error(t, run(args, io.Discard), "%v", args)
	}
}
