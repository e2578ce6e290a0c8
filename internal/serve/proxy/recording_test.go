package proxy

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What was passed on is in the file at once, so that nothing is lost if the process is
// killed.
func TestRecordingIsWrittenAtOnce(t *testing.T) {
	r, path := (&Proxy{options: Options{Folder: t.TempDir()}}).record("connection 1", 1, ".jsonl")
	require.NotNil(t, r)
	require.NoError(t, r.write([]byte("note\n"), false))
	assert.NoFileExists(t, path)
	want := "note\n"
	for _, line := range []string{"a\n", "b\n"} {
		want += line
		require.NoError(t, r.write([]byte(line), true))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
	}
	require.NoError(t, r.close())
}

// A disk that fills is reported once; what follows is not recorded.
func TestRecordingOnAFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full")
	}
	r, _ := (&Proxy{options: Options{Folder: t.TempDir()}}).record("connection 1", 1, ".jsonl")
	require.NotNil(t, r)
	r.file = full
	var faults []error
	for range 5 {
		if err := r.write([]byte("line\n"), true); err != nil {
			faults = append(faults, err)
		}
	}
	require.Len(t, faults, 1)
	assert.ErrorContains(t, faults[0], "record: ")
	assert.ErrorContains(t, faults[0], "no space left on device")
	require.NoError(t, r.close())
}

func TestConnectionWithoutFramesIsNotRecorded(t *testing.T) {
	folder := t.TempDir()
	r, _ := (&Proxy{options: Options{Folder: folder}}).record("connection 1", 1, ".jsonl")
	require.NoError(t, r.write([]byte("note\n"), false))
	require.NoError(t, r.close())
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}
