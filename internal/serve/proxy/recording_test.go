package proxy

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A disk that fills is reported once; what follows is not recorded, and the
// unfinished file is removed.
func TestRecordingOnAFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full")
	}
	t.Cleanup(func() { _ = full.Close() })
	folder := t.TempDir()
	r, _ := (&Proxy{options: Options{Folder: folder}}).record("connection 1", 1, ".jsonl")
	require.NotNil(t, r)
	r.w = bufio.NewWriter(full)

	line := []byte(strings.Repeat("x", 3000) + "\n")
	var faults []error
	for range 5 {
		if err := r.write(line); err != nil {
			faults = append(faults, err)
		}
	}
	require.Len(t, faults, 1)
	assert.ErrorContains(t, faults[0], "record: ")
	assert.ErrorContains(t, faults[0], "no space left on device")
	require.NoError(t, r.commit())
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestFullDiskAtTheEnd(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full")
	}
	t.Cleanup(func() { _ = full.Close() })
	r, _ := (&Proxy{options: Options{Folder: t.TempDir()}}).record("connection 1", 1, ".jsonl")
	require.NotNil(t, r)
	r.w = bufio.NewWriter(full)
	require.NoError(t, r.write([]byte("short\n")))
	require.ErrorContains(t, r.commit(), "no space left on device")
	require.NoError(t, r.commit(), "reported once")
}
