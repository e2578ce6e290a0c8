package repository_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/repository"
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
