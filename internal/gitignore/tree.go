package gitignore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lmclint/lmclint/internal/repository"
)

// maxFile is how many bytes of one .gitignore are read.
const maxFile = 1 << 20

// Tree knows the .gitignore files of repositories. It reads each once, when a
// path below it is asked for.
type Tree struct {
	roots map[string]string   // the repository that a directory is in, "" for none
	lists map[string][]listOf // those that hold in a directory, the nearest first
}

// listOf is the patterns of a directory that has any.
type listOf struct {
	dir      string
	patterns Patterns
}

// NewTree makes a tree that knows nothing yet.
func NewTree() *Tree { return &Tree{roots: map[string]string{}, lists: map[string][]listOf{}} }

// Ignored returns the pattern that leaves an absolute path out, or nil. Whether
// a directory above it is left out is not asked: a search does not go there.
// Outside of a repository nothing is left out.
func (t *Tree) Ignored(path string, dir bool) (*Pattern, error) {
	lists, err := t.holding(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	for _, list := range lists {
		below := filepath.ToSlash(strings.TrimPrefix(path[len(list.dir):], string(filepath.Separator)))
		if p := list.patterns.Match(below, dir); p != nil && p.Negated {
			return nil, nil
		} else if p != nil {
			return p, nil
		}
	}
	return nil, nil
}

// IsSilent reports whether nothing that is directly in an absolute directory
// can be left out.
func (t *Tree) IsSilent(dir string) bool {
	lists, err := t.holding(dir)
	return err == nil && len(lists) == 0
}

// holding returns the patterns that hold in a directory.
func (t *Tree) holding(dir string) ([]listOf, error) {
	if lists, known := t.lists[dir]; known {
		return lists, nil
	}
	root := t.root(dir)
	if root == "" {
		return nil, nil
	}
	own, err := patternsOf(dir, root)
	if err != nil {
		return nil, err
	}
	var lists []listOf
	if len(own) > 0 {
		lists = append(lists, listOf{dir, own})
	}
	if dir != root {
		above, err := t.holding(filepath.Dir(dir))
		if err != nil {
			return nil, err
		}
		lists = append(lists, above...)
	}
	t.lists[dir] = lists
	return lists, nil
}

// root returns the root of the repository that a directory is in.
func (t *Tree) root(dir string) string {
	root, known := t.roots[dir]
	if known {
		return root
	}
	if repository.IsRoot(dir) {
		root = dir
	} else if parent := filepath.Dir(dir); parent != dir {
		root = t.root(parent)
	}
	t.roots[dir] = root
	return root
}

// patternsOf returns the patterns of a directory. Those of the root begin with
// the repository's info/exclude.
func patternsOf(dir, root string) (list Patterns, err error) {
	if dir == root {
		if list, err = read(filepath.Join(dir, ".git", "info", "exclude")); err != nil {
			return nil, err
		}
	}
	own, err := read(filepath.Join(dir, ".gitignore"))
	return append(list, own...), err
}

// read reads the patterns of a file; none if there is no such file. A line
// that git could not understand is passed over, as git does.
func read(path string) (Patterns, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil //nolint:nilerr // what cannot be looked at leaves nothing out
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s: larger than %d bytes", path, maxFile)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list Patterns
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		number++
		if p, ok, err := Parse(line, fmt.Sprintf("%s:%d", path, number)); ok && err == nil {
			list = append(list, p)
		}
	}
	return list, nil
}
