package gitignore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/repository"
)

// maxFile is how many bytes of one .gitignore are read.
const maxFile = 1 << 20

// Tree knows the .gitignore files of repositories. It reads each once, when a
// path below it is asked for.
type Tree struct {
	roots map[string]string   // the repository that a directory is in, "" for none
	lists map[string]Patterns // by directory
}

// NewTree makes a tree that knows nothing yet.
func NewTree() *Tree { return &Tree{roots: map[string]string{}, lists: map[string]Patterns{}} }

// Ignored returns the pattern that leaves an absolute path out, or nil. Whether
// a directory above it is left out is not asked: a search does not go there.
// Outside of a repository nothing is left out.
func (t *Tree) Ignored(path string, dir bool) (*Pattern, error) {
	parent := filepath.Dir(path)
	root := t.root(parent)
	if root == "" {
		return nil, nil
	}
	for at := parent; ; at = filepath.Dir(at) {
		list, err := t.list(at, root)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			below := filepath.ToSlash(strings.TrimPrefix(path[len(at):], string(filepath.Separator)))
			if p := list.Match(below, dir); p != nil {
				if p.Negated {
					return nil, nil
				}
				return p, nil
			}
		}
		if at == root {
			return nil, nil
		}
	}
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

// list returns the patterns of a directory. Those of the root begin with the
// repository's info/exclude.
func (t *Tree) list(dir, root string) (Patterns, error) {
	list, known := t.lists[dir]
	if known {
		return list, nil
	}
	if dir == root {
		own, err := read(filepath.Join(dir, ".git", "info", "exclude"))
		if err != nil {
			return nil, err
		}
		list = own
	}
	own, err := read(filepath.Join(dir, ".gitignore"))
	if err != nil {
		return nil, err
	}
	list = append(list, own...)
	t.lists[dir] = list
	return list, nil
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
