//go:build unix

package atomicfile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/base/atomicfile"
)

func TestTheOwnerStays(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only the superuser may write files of others and give them back")
	}
	const user, group = 1234, 2345
	path := filepath.Join(t.TempDir(), "report")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o640))
	require.NoError(t, os.Chown(path, user, group))
	require.NoError(t, write(t, path).Commit())
	replaced, err := atomicfile.Replace(path)
	require.NoError(t, err)
	require.NoError(t, replaced.Commit())
	info, err := os.Stat(path)
	require.NoError(t, err)
	now, ok := info.Sys().(*syscall.Stat_t)
	require.True(t, ok)
	assert.Equal(t, []uint32{user, group}, []uint32{now.Uid, now.Gid})
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
}

func TestAFileThatMustNotBeWrittenIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o444))
	_, err := atomicfile.Create(path)
	require.ErrorIs(t, err, os.ErrPermission)
	assert.Equal(t, []string{"report"}, names(t, dir))
}

func TestTheModeStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	mode := os.FileMode(0o664) | os.ModeSetgid
	require.NoError(t, os.Chmod(path, mode))
	require.NoError(t, write(t, path).Commit())
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, mode, info.Mode())
}

func TestAFileWithOtherNamesIsReplacedByCreateOnly(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "report"), filepath.Join(dir, "other")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	require.NoError(t, os.Link(path, other))
	_, err := atomicfile.Replace(path)
	require.EqualError(t, err, "it has 2 names (hard links), and the others would keep the old content")
	require.NoError(t, write(t, path).Commit())
	assert.Equal(t, "old", read(t, other))
}
