// Package repository finds the git repository that a directory is in.
package repository

import (
	"os"
	"path/filepath"
	"strings"
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

// CommonDir returns the directory with what all worktrees of a repository share,
// of the root of one: .git, or the directory that the files of a worktree name.
func CommonDir(root string) string {
	dir := filepath.Join(root, ".git")
	text, err := os.ReadFile(dir)
	named, isWorktree := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !isWorktree {
		return dir
	}
	dir = resolve(root, named)
	if text, err = os.ReadFile(filepath.Join(dir, "commondir")); err != nil {
		return dir // of a submodule
	}
	return resolve(dir, strings.TrimSpace(string(text)))
}

// resolve returns a path that is relative to a directory, or absolute.
func resolve(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
