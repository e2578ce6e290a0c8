// Package gitignore parses patterns in the syntax of .gitignore and matches
// paths against them.
//
// The syntax is that of git's documentation, but for three things: character classes
// such as [[:alpha:]] are not supported, case always matters, and ? and [^a] match a
// character, where git matches a byte of UTF-8.
package gitignore

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lmclint/lmclint/internal/base/repository"
)

// Pattern is a pattern for paths relative to a directory.
type Pattern struct {
	Text    string // as it was written
	Origin  string // where, for messages
	Negated bool   // includes again what an earlier pattern excluded

	glob    string // in the syntax of doublestar
	dirOnly bool
	bare    bool // without a slash: it matches the last element of a path, at any depth
}

// Parse parses a line of a .gitignore, without its line end and unescaped spaces before
// it. It returns false for a blank line and a comment.
func Parse(line, origin string) (Pattern, bool, error) {
	text := strings.TrimRight(line, "\r\n")
	for strings.HasSuffix(text, " ") && !strings.HasSuffix(text, `\ `) {
		text = text[:len(text)-1]
	}
	if text == "" || strings.HasPrefix(text, "#") {
		return Pattern{}, false, nil
	}
	p, err := parse(text, origin, escapeBraces)
	return p, err == nil, err
}

// ParseGlob parses a pattern of a configuration or a command line: the syntax
// of .gitignore with {a,b} for alternatives.
func ParseGlob(text, origin string) (Pattern, error) {
	glob := text
	if below, here := strings.CutPrefix(text, "./"); here {
		glob = "/" + below
	}
	p, err := parse(glob, origin, func(glob string) string { return glob })
	p.Text = text
	return p, err
}

func parse(text, origin string, prepare func(string) string) (Pattern, error) {
	p := Pattern{Text: text, Origin: origin}
	glob, negated := strings.CutPrefix(text, "!")
	p.Negated = negated
	glob, p.dirOnly = strings.CutSuffix(glob, "/")
	glob, rooted := strings.CutPrefix(glob, "/")
	p.bare = !rooted && !strings.Contains(glob, "/")
	if strings.HasSuffix(glob, "/**") {
		glob += "/*" // what is in a directory, but not the directory
	}
	p.glob = prepare(glob)
	if glob == "" || !doublestar.ValidatePattern(p.glob) {
		return Pattern{}, fmt.Errorf("%s: invalid glob: %q", origin, text)
	}
	return p, nil
}

var braces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)\\.|[{}]`) })

// escapeBraces escapes braces, which git does not expand.
func escapeBraces(glob string) string {
	if !strings.ContainsAny(glob, "{}") {
		return glob
	}
	return braces().ReplaceAllStringFunc(glob, func(s string) string { return `\` + strings.TrimPrefix(s, `\`) })
}

// Match reports whether the pattern matches a path, which has slashes and is
// relative to the pattern's directory.
func (p *Pattern) Match(path string, dir bool) bool {
	if p.dirOnly && !dir {
		return false
	}
	if p.bare {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	fits, err := doublestar.Match(p.glob, path)
	return fits && err == nil
}

// Patterns are the patterns for a directory. The last match takes precedence.
type Patterns []Pattern

// Match returns the pattern that decides on a path, or nil.
func (list Patterns) Match(path string, dir bool) *Pattern {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Match(path, dir) {
			return &list[i]
		}
	}
	return nil
}

// Within returns the pattern that decides on a file: the one that excludes the
// first excluded directory above it, or the one for the file itself; or nil.
func (list Patterns) Within(path string) *Pattern {
	for i := range path {
		if path[i] != '/' {
			continue
		}
		if p := list.Match(path[:i], true); p != nil && !p.Negated {
			return p
		}
	}
	return list.Match(path, false)
}

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
