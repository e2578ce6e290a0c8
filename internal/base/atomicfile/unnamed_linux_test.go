package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/lmclint/lmclint/internal/base/atomicfile"
)

func TestAFileThatIsOpenForWritingIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "recording")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	f := write(t, path)
	recorder, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	require.ErrorIs(t, f.Commit(), atomicfile.ErrBusy)
	_, err = atomicfile.Create(path)
	require.ErrorIs(t, err, atomicfile.ErrBusy)
	assert.Equal(t, "old", read(t, path))
	require.NoError(t, recorder.Close())
	require.NoError(t, write(t, path).Commit())
	assert.Equal(t, []string{"recording"}, names(t, dir))
}

// TestNothingIsLeftOfAKilledProcess checks that a file has no name before it is complete.
func TestNothingIsLeftOfAKilledProcess(t *testing.T) {
	dir := t.TempDir()
	if f, err := os.OpenFile(dir, os.O_WRONLY|unix.O_TMPFILE, 0o600); err != nil {
		t.Skip("this file system has no files without a name")
	} else {
		require.NoError(t, f.Close())
	}
	f := write(t, filepath.Join(dir, "report"))
	assert.Empty(t, names(t, dir))
	require.NoError(t, f.Commit())
	assert.Equal(t, []string{"report"}, names(t, dir))
}

func TestExtendedAttributesStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recording")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	for name, value := range map[string]string{"user.origin": "lab1", "user.empty": ""} {
		if err := unix.Setxattr(path, name, []byte(value), 0); err != nil {
			t.Skip("this file system has no extended attributes")
		}
	}
	require.NoError(t, write(t, path).Commit())
	value := make([]byte, 8)
	n, err := unix.Getxattr(path, "user.origin", value)
	require.NoError(t, err)
	assert.Equal(t, "lab1", string(value[:n]))
	n, err = unix.Getxattr(path, "user.empty", value)
	require.NoError(t, err)
	assert.Zero(t, n)
}
