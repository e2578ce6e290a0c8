package atomicfile_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/base/atomicfile"
)

// write writes "new" to a file that is still to be committed.
func write(t *testing.T, path string) *atomicfile.File {
	t.Helper()
	f, err := atomicfile.Create(path)
	require.NoError(t, err)
	_, err = io.WriteString(f, "new")
	require.NoError(t, err)
	return f
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestTheOldContentStaysUntilCommit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o640))
	f := write(t, path)
	assert.Equal(t, "old", read(t, path))
	require.NoError(t, f.Commit())
	assert.Equal(t, "new", read(t, path))
	assert.Equal(t, []string{"report"}, names(t, dir))
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
}

func TestDiffers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	for old, want := range map[string]bool{"": false, "new": false, "old": true, "newer": true} {
		require.NoError(t, os.WriteFile(path, []byte(old), 0o600))
		f := write(t, path)
		differs, err := f.Differs()
		require.NoError(t, err)
		assert.Equal(t, want, differs, old)
		require.NoError(t, f.Discard())
	}
}

// The file that is replaced may be gone when the new one is complete.
func TestTheOldFileIsRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	for _, open := range []func(string) (*atomicfile.File, error){atomicfile.Create, atomicfile.Replace} {
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
		f, err := open(path)
		require.NoError(t, err)
		_, err = f.WriteString("new")
		require.NoError(t, err)
		require.NoError(t, os.Remove(path))
		_, err = f.Differs()
		require.ErrorIs(t, err, os.ErrNotExist)
		if err := f.Commit(); err != nil {
			require.ErrorIs(t, err, os.ErrNotExist)
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, "new", string(text))
	}
}

func TestLockFails(t *testing.T) {
	folder := t.TempDir()
	_, err := atomicfile.Lock(filepath.Join(folder, "missing", "file"))
	require.ErrorIs(t, err, os.ErrNotExist)
	synctest.Test(t, func(t *testing.T) { // in which its ten seconds pass at once
		unlock, err := atomicfile.Lock(filepath.Join(folder, "file"))
		require.NoError(t, err)
		_, err = atomicfile.Lock(filepath.Join(folder, "file"))
		require.ErrorContains(t, err, "another run is writing it")
		require.NoError(t, unlock())
	})
}

// A read-only file is not replaced, also by the superuser.
func TestReadOnlyFilesStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o400))
	for _, open := range []func(string) (*atomicfile.File, error){atomicfile.Create, atomicfile.Replace} {
		_, err := open(path)
		require.ErrorIs(t, err, os.ErrPermission)
	}
}

func TestDiscardLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, write(t, filepath.Join(dir, "report")).Discard())
	assert.Empty(t, names(t, dir))
}

func TestALongNameIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("L", 240))
	require.NoError(t, write(t, path).Commit())
	require.NoError(t, write(t, path).Commit())
	unlock, err := atomicfile.Lock(path)
	require.NoError(t, err)
	require.NoError(t, unlock())
	assert.Equal(t, []string{filepath.Base(path)}, names(t, filepath.Dir(path)))
}

func TestLockExcludesOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var inside atomic.Bool
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			unlock, err := atomicfile.Lock(path)
			if !assert.NoError(t, err) {
				return
			}
			assert.False(t, inside.Swap(true))
			time.Sleep(time.Millisecond)
			inside.Store(false)
			assert.NoError(t, unlock())
		})
	}
	all.Wait()
	assert.Empty(t, names(t, filepath.Dir(path)))
}

func TestALinkStaysALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o644))
	require.NoError(t, os.Symlink("target", link))
	require.NoError(t, write(t, link).Commit())
	assert.Equal(t, "new", read(t, target))
	assert.Equal(t, []string{"link", "target"}, names(t, dir))
}

func TestALinkToNothingStaysALink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink("second", link))
	require.NoError(t, os.Symlink(filepath.Join(dir, "target"), filepath.Join(dir, "second")))
	require.NoError(t, write(t, link).Commit())
	assert.Equal(t, "new", read(t, filepath.Join(dir, "target")))
	assert.Equal(t, []string{"link", "second", "target"}, names(t, dir))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.Equal(t, os.ModeSymlink, info.Mode().Type())
}

// After a link, .. leads to the directory of what it links to, and after what does not exist
// nowhere: no other file of that name is replaced.
func TestAPathWithDotsIsThatOfTheSystem(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("far/away", 0o755))
	require.NoError(t, os.Symlink(filepath.FromSlash("far/away"), "link"))
	require.NoError(t, os.WriteFile("x", []byte("here"), 0o600))
	f, err := atomicfile.Create(filepath.FromSlash("link/../x"))
	require.NoError(t, err)
	require.NoError(t, f.Commit())
	assert.FileExists(t, filepath.FromSlash("far/x"))
	_, err = atomicfile.Create(filepath.FromSlash("nowhere/../x"))
	require.Error(t, err)
	text, err := os.ReadFile("x")
	require.NoError(t, err)
	assert.Equal(t, "here", string(text))
}

func TestLinksInACircleAreAnError(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink("link", link))
	_, err := atomicfile.Create(link)
	assert.ErrorContains(t, err, "symbolic links")
	assert.Equal(t, []string{"link"}, names(t, dir))
}

func TestCreateFailsWhereNothingCanBeWritten(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "missing", "report")} {
		_, err := atomicfile.Create(path)
		assert.Error(t, err, path)
	}
	assert.Empty(t, names(t, dir))
}

func TestAFileThatCannotBeClosedIsRemoved(t *testing.T) {
	dir := t.TempDir()
	f := write(t, filepath.Join(dir, "report"))
	require.NoError(t, f.Close())
	assert.ErrorIs(t, f.Commit(), os.ErrClosed)
	assert.Empty(t, names(t, dir))
}

func TestWhatIsWrittenInPlaceIsNotRemoved(t *testing.T) {
	require.NoError(t, write(t, os.DevNull).Discard())
	assert.FileExists(t, os.DevNull)
}

func TestCommitFailsWhereTheNameIsTaken(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report")
	f := write(t, path)
	require.NoError(t, os.Mkdir(path, 0o755))
	assert.Error(t, f.Commit())
	assert.Equal(t, []string{"report"}, names(t, dir), "the temporary file is gone")
}

// TestOpenPipe checks that a pipe that a shell has opened, as with 3> >(cat), is
// written directly: its link names no file.
func TestOpenPipe(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/fd has links on Linux only")
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	f, err := atomicfile.Create(fmt.Sprintf("/dev/fd/%d", w.Fd()))
	require.NoError(t, err)
	_, err = f.WriteString("text")
	require.NoError(t, err)
	require.NoError(t, f.Commit())
	require.NoError(t, w.Close())
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
}
