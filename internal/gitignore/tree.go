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

// maxFile is the maximum size of a .gitignore in bytes.
const maxFile = 1 << 20

// Tree matches paths against the .gitignore files of their repositories. It
// reads each file once, when it is needed. It is not safe for concurrent use.
type Tree struct {
	roots map[string]string   // the repository of a directory, "" for none
	lists map[string][]listOf // the lists that apply in a directory, the nearest first
}

// listOf is a directory with its patterns.
type listOf struct {
	dir      string
	patterns Patterns
}

// NewTree returns a tree.
func NewTree() *Tree { return &Tree{roots: map[string]string{}, lists: map[string][]listOf{}} }

// Ignored returns the pattern that excludes an absolute path, or nil. It does
// not check the directories above the path, which a search does not enter if
// they are excluded. Outside a repository nothing is excluded.
func (t *Tree) Ignored(path string, dir bool) (*Pattern, error) {
	lists, err := t.applying(filepath.Dir(path))
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

// applying returns the lists that apply in a directory.
func (t *Tree) applying(dir string) ([]listOf, error) {
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
		above, err := t.applying(filepath.Dir(dir))
		if err != nil {
			return nil, err
		}
		lists = append(lists, above...)
	}
	t.lists[dir] = lists
	return lists, nil
}

// root returns the root of a directory's repository.
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

// patternsOf returns the patterns of a directory. Those of the root start with
// the repository's info/exclude.
func patternsOf(dir, root string) (list Patterns, err error) {
	if dir == root {
		if list, err = read(filepath.Join(repository.CommonDir(dir), "info", "exclude")); err != nil {
			return nil, err
		}
	}
	own, err := read(filepath.Join(dir, ".gitignore"))
	return append(list, own...), err
}

// read reads the patterns of a file. It returns none if path does not name a regular
// file, and skips invalid lines, as git does.
func read(path string) (Patterns, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil //nolint:nilerr // a file that cannot be read excludes nothing
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
