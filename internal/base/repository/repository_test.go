package repository_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/base/repository"
)

func TestRoot(t *testing.T) {
	outer := t.TempDir()
	deep := filepath.Join(outer, "inner", "deep")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(outer, ".git"), 0o755))
	assert.Equal(t, outer, repository.Root(deep))
	assert.Equal(t, outer, repository.Root(outer))

	inner := filepath.Dir(deep)
	require.NoError(t, os.WriteFile(filepath.Join(inner, ".git"), []byte("gitdir: ../.git/modules/inner\n"), 0o644))
	assert.Equal(t, inner, repository.Root(deep), "a submodule")
	assert.True(t, repository.IsRoot(inner))
	assert.False(t, repository.IsRoot(deep))

	assert.Empty(t, repository.Root(filepath.VolumeName(outer)+string(filepath.Separator)))
}

// A worktree shares the files of its repository, which it names.
func TestCommonDir(t *testing.T) {
	base := t.TempDir()
	main, tree, module := filepath.Join(base, "main"), filepath.Join(base, "tree"), filepath.Join(base, "main", "module")
	own := filepath.Join(main, ".git", "worktrees", "tree")
	for _, dir := range []string{own, tree, module} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	for path, text := range map[string]string{
		filepath.Join(own, "commondir"): "../..\n",
		filepath.Join(tree, ".git"):     "gitdir: " + own + "\n",
		filepath.Join(module, ".git"):   "gitdir: ../.git/modules/module\n",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	assert.Equal(t, filepath.Join(main, ".git"), repository.CommonDir(main))
	assert.Equal(t, filepath.Join(main, ".git"), repository.CommonDir(tree))
	assert.Equal(t, filepath.Join(main, ".git", "modules", "module"), repository.CommonDir(module))
}
