package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	stopStream = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "stop": true}
`
	endStream = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`
)

// A file that changed after it was read is not replaced.
func TestAFileThatChangedIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	require.NoError(t, os.WriteFile(path, []byte("newer"), 0o600))
	require.ErrorContains(t, replaceFile(path, []byte("old"), []byte("fixed")), "changed in the meantime")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "newer", string(text))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

// A link stays a link, permissions stay, and a compressed file is compressed
// again.
func TestFixKeepsWhatFilesAre(t *testing.T) {
	dir := t.TempDir()
	target, link, packed := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "link.jsonl"), filepath.Join(dir, "b.jsonl.gz")
	require.NoError(t, os.WriteFile(target, []byte(stopStream), 0o600))
	require.NoError(t, os.Chmod(target, 0o640))
	require.NoError(t, os.Symlink("a.jsonl", link))
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err := w.Write([]byte(stopStream))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(packed, zipped.Bytes(), 0o600))

	status, out := run("fix", "-q", link, packed)
	assert.Equal(t, exitClean, status)
	assert.Empty(t, out)
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
	info, err = os.Stat(target)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	text, err := os.ReadFile(target)
	require.NoError(t, err)
	assert.Equal(t, strings.SplitAfter(endStream, "\n"), strings.SplitAfter(string(text), "\n"))
	status, out = run("fix", "--diff", packed)
	assert.Equal(t, exitClean, status, out)
	f, err := os.Open(packed)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	r, err := gzip.NewReader(f)
	require.NoError(t, err)
	var unpacked strings.Builder
	_, err = io.Copy(&unpacked, r)
	require.NoError(t, err)
	assert.Equal(t, strings.SplitAfter(endStream, "\n"), strings.SplitAfter(unpacked.String(), "\n"))
}

// A fixed file that cannot be written is said to be fixed and not written.
func TestFixSaysThatOnlyWritingFailed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(stopStream), 0o400))
	var stderr strings.Builder
	c := Command{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &stderr}
	assert.Equal(t, exitTrouble, c.Main([]string{"fix", path}))
	assert.Contains(t, stderr.String(), "the fixed file was not written: ")
	assert.Contains(t, stderr.String(), "nothing was fixed\n")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.True(t, bytes.Equal([]byte(stopStream), text), "it is as it was")
}
