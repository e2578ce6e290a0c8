// Package walk expands the operands of a command line to inputs: named files,
// the recordings in directories, and the matches of globs that the shell did
// not expand.
package walk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Stdin is the operand for standard input.
const Stdin = "-"

// Input is a file or standard input.
type Input struct {
	Path    string // as it was named, or from the directory as that was named
	Named   bool   // named by the user, rather than found in a directory
	Root    string // the directory that was searched, "" if Named
	Regular bool   // was a regular file
	IsLink  bool   // a symbolic link in a directory, which is not followed
	Err     error  // why it cannot be read

	identity string // the same for two names of one file
}

// Extensions returns the extensions of recordings, without those of
// compression.
func Extensions() []string {
	return []string{".json", ".jsonl", ".ndjson", ".sse", ".har", ".log", ".txt", ".zip"}
}

// Skip reports whether to exclude a recording or a directory. It is not called
// for named ones.
type Skip func(path string, dir bool) bool

// IsGlob reports whether an operand is a glob: it has a character of globs, and
// is not the name of a file.
func IsGlob(operand string) bool {
	if !strings.ContainsAny(operand, "*?[{") {
		return false
	}
	_, err := os.Lstat(operand)
	return err != nil
}

// Expand expands operands to inputs, in order, without what skip excludes from
// directories, if it is not nil. A file that is named twice, or named and found, is listed
// once. An operand that cannot be read or matches nothing is an input with an error.
func Expand(operands []string, skip Skip) []Input {
	e := expansion{skip: skip, seen: map[string]int{}}
	for _, operand := range operands {
		switch {
		case operand == Stdin:
			e.add(Input{Path: operand, Named: true, identity: operand})
		case IsGlob(operand):
			e.glob(operand)
		default:
			e.path(operand)
		}
	}
	return slices.DeleteFunc(e.inputs, func(in Input) bool {
		return in.IsLink && e.isSearched(identity(in.identity)) && identity(in.identity) != in.identity // what it links to is read
	})
}

// expansion collects inputs without duplicates.
type expansion struct {
	skip   Skip
	inputs []Input
	seen   map[string]int // index in inputs, by identity
	roots  []string       // identities of the directories that were searched
}

// isSearched reports whether a file is an input, or a directory was searched or is in one
// that was.
func (e *expansion) isSearched(id string) bool {
	_, isListed := e.seen[id]
	info, err := os.Stat(id)
	return isListed || err == nil && info.IsDir() && slices.ContainsFunc(e.roots, func(root string) bool {
		return id == root || strings.HasPrefix(id, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
	})
}

func (e *expansion) path(path string) {
	info, err := os.Stat(path)
	switch {
	case path == "":
		e.add(Input{Named: true, Err: errors.New("empty file name")})
	case err != nil:
		e.add(Input{Path: path, Named: true, Err: err, identity: identity(path)})
	case info.IsDir():
		e.directory(path)
	default:
		e.add(Input{Path: path, Named: true, Regular: info.Mode().IsRegular(), identity: identity(path)})
	}
}

func isLink(entry fs.DirEntry) bool { return entry.Type()&fs.ModeSymlink != 0 }

// directory adds the recordings in a directory, sorted by path, and the symbolic links to
// others and to directories, which are not read. It skips hidden directories. A directory that cannot be read is an
// input with an error.
func (e *expansion) directory(root string) {
	resolved, err := filepath.EvalSymlinks(root) // the user named a root that is a link
	if err != nil {
		e.add(Input{Path: root, Named: true, Err: err, identity: root})
		return
	}
	dir, skipped := identity(resolved), 0
	e.roots = append(e.roots, dir)
	var found []Input
	_ = filepath.WalkDir(dir, func(at string, entry fs.DirEntry, err error) error { // it returns nil
		path := Join(root, strings.TrimPrefix(at, dir))
		unpacked := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".zst")
		var isDirLink bool
		if err == nil && isLink(entry) {
			target, err := os.Stat(at)
			isDirLink = err == nil && target.IsDir()
		}
		switch {
		case err != nil:
			found = append(found, Input{Path: path, Named: true, Err: err, identity: at})
			return fs.SkipDir
		case at == dir:
			return nil
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case isDirLink && strings.HasPrefix(entry.Name(), "."):
			return nil
		case !entry.IsDir() && !isDirLink && (!entry.Type().IsRegular() && !isLink(entry) || !slices.Contains(Extensions(), filepath.Ext(unpacked))):
			return nil
		case e.skip != nil && e.skip(path, entry.IsDir()):
			skipped++
			if entry.IsDir() {
				return fs.SkipDir
			}
		case isLink(entry):
			if info, err := os.Stat(at); err != nil || isDirLink || info.Mode().IsRegular() {
				found = append(found, Input{Path: path, Root: root, IsLink: true, identity: at})
			}
		case !entry.IsDir():
			found = append(found, Input{Path: path, Root: root, Regular: true, identity: at})
		}
		return nil
	})
	slices.SortFunc(found, func(a, b Input) int { return strings.Compare(a.Path, b.Path) })
	if len(found) == 0 {
		why := "no recordings in this directory; expected names ending in " + strings.Join(Extensions(), " ") + ", or in one of these with .gz or .zst"
		if skipped > 0 {
			why = "all recordings in this directory are excluded by exclude or .gitignore"
		}
		found = []Input{{Path: root, Named: true, identity: dir, Err: errors.New(why)}}
	}
	for _, in := range found {
		e.add(in)
	}
}

// Join is [filepath.Join] for a directory and what is in it. It keeps each ".." of the
// directory: after a symbolic link it leads elsewhere than without both.
func Join(dir, inside string) string {
	if !slices.Contains(strings.Split(filepath.ToSlash(dir), "/"), "..") {
		return filepath.Join(dir, inside)
	}
	const separator = string(filepath.Separator)
	return strings.TrimSuffix(dir, separator) + separator + strings.TrimPrefix(inside, separator)
}

func (e *expansion) glob(pattern string) {
	options := []doublestar.GlobOption{doublestar.WithNoHidden()}
	if strings.Contains(pattern, "**") { // links may form a cycle
		options = append(options, doublestar.WithNoFollow())
	}
	matches, err := doublestar.FilepathGlob(pattern, append(options, doublestar.WithFailOnIOErrors())...)
	unread, ok := errors.AsType[*fs.PathError](err)
	switch {
	case ok: // a directory that cannot be read: the others are searched
		path := unread.Path
		if !filepath.IsAbs(path) {
			base, _ := doublestar.SplitPattern(filepath.ToSlash(pattern))
			path = filepath.Join(filepath.FromSlash(base), path)
		}
		e.add(Input{Path: path, Named: true, Err: unread.Err, identity: identity(path)})
		matches, _ = doublestar.FilepathGlob(pattern, options...) // the pattern is valid
	case err != nil:
		e.add(Input{Path: pattern, Named: true, identity: pattern, Err: fmt.Errorf("no such file, and not a valid glob: %w", err)})
	case len(matches) == 0:
		e.add(Input{Path: pattern, Named: true, identity: pattern, Err: errors.New("no such file, and no file matches it as a glob")})
	}
	slices.Sort(matches)
	for _, match := range matches {
		e.path(match)
	}
}

func (e *expansion) add(in Input) {
	if i, ok := e.seen[in.identity]; ok {
		if in.Named {
			e.inputs[i].Named, e.inputs[i].Root = true, ""
		}
		return
	}
	e.seen[in.identity] = len(e.inputs)
	e.inputs = append(e.inputs, in)
}

// identity returns the same string for two names of a file. Two hard links are
// two files.
func identity(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if resolved, err := filepath.EvalSymlinks(absolute); err == nil {
		return resolved
	}
	return absolute
}
