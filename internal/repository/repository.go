// Package repository finds the git repository that a directory is in.
package repository

import (
	"os"
	"path/filepath"
)

// IsRoot reports whether a directory is the root of a repository: whether it
// contains .git, which is a file in a worktree or a submodule.
func IsRoot(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// Root returns the root of the repository of an absolute directory, or "" if
// there is none.
func Root(dir string) string {
	for !IsRoot(dir) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
	return dir
}
