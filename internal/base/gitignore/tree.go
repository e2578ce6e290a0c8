package gitignore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lmclint/lmclint/internal/base/repository"
)

// maxFile is the maximum size of a .gitignore in bytes.
const maxFile = 1 << 20

// Tree matches paths against the .gitignore files of their repositories. It
// reads each file once, when it is needed. It is not safe for concurrent use.
type Tree struct {
	lists map[string][]listOf // that apply in a directory, the nearest first; nil outside a repository
}

// listOf is a directory with its patterns.
type listOf struct {
	dir      string
	patterns Patterns
}

// NewTree returns a tree.
func NewTree() *Tree { return &Tree{lists: map[string][]listOf{}} }

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

// applying returns the lists that apply in a directory, nil outside a repository. Those
// of its root start with the repository's info/exclude.
func (t *Tree) applying(dir string) (lists []listOf, err error) {
	if lists, known := t.lists[dir]; known {
		return lists, nil
	}
	var own, more Patterns
	if repository.IsRoot(dir) {
		lists = []listOf{}
		own, err = read(filepath.Join(repository.CommonDir(dir), "info", "exclude"))
	} else if parent := filepath.Dir(dir); parent != dir {
		lists, err = t.applying(parent)
	}
	if err == nil && lists != nil {
		more, err = read(filepath.Join(dir, ".gitignore"))
	}
	if err != nil {
		return nil, err
	}
	if own = append(own, more...); len(own) > 0 {
		lists = append([]listOf{{dir, own}}, lists...)
	}
	t.lists[dir] = lists
	return lists, nil
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
