package report

import (
	"path/filepath"
	"strings"
)

// located is what became of a path: the findings of a file come together.
type resolvedPath struct {
	path, seen string
	below      bool
}

// locate returns a path as seen from the root of the repository, with forward
// slashes, and whether it lies below. What does not stays as it is. A name in
// angle brackets, as standard input has it, is no path.
func (r *Run) locate(path string) (string, bool) {
	if r.located.path != path || path == "" {
		seen, below := r.find(path)
		r.located = resolvedPath{path, seen, below}
	}
	return r.located.seen, r.located.below
}

func (r *Run) find(path string) (string, bool) {
	if strings.HasPrefix(path, "<") && strings.HasSuffix(path, ">") {
		return path, true
	}
	if filepath.IsAbs(path) && r.Root == "" {
		return filepath.ToSlash(path), false
	}
	whole := path
	if !filepath.IsAbs(whole) {
		whole = filepath.Join(r.Dir, path)
	}
	below, err := filepath.Rel(r.Root, whole)
	if err != nil || !filepath.IsLocal(below) {
		return filepath.ToSlash(path), !filepath.IsAbs(path)
	}
	return filepath.ToSlash(below), true
}
