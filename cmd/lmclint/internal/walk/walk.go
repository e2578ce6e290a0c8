// Package walk turns the paths of a command line into inputs: files as they
// are named, directories with the files in them, globs that no shell expanded.
package walk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Stdin is the operand that stands for standard input.
const Stdin = "-"

// Input is one thing to be read.
type Input struct {
	Path    string // as it was named, or as its directory was
	Named   bool   // named by the user; false for what a walk found
	Root    string // the directory that was walked, "" if Named
	Regular bool   // a regular file, when it was looked at
	Err     error  // why it cannot be read; then nothing else is known

	identity string    // the same for two names of one file; of what was found, its identify works it out
	in       *searched // nil for what was not found by a search
}

// Extensions lists what a walk takes for a recording, each also compressed.
func Extensions() []string {
	return []string{".json", ".jsonl", ".ndjson", ".sse", ".har", ".log", ".txt", ".zip"}
}

// recording reports whether the name is one that a walk takes.
func recording(name string) bool {
	name = strings.ToLower(name)
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	return slices.Contains(Extensions(), filepath.Ext(name))
}

// Skip decides whether a walk leaves out a recording or a directory. It is not
// asked about what was named.
type Skip func(path string, dir bool) bool

// none leaves out nothing.
func none(string, bool) bool { return false }

// search is the search of a directory for recordings.
type search struct {
	skip    Skip
	in      *searched
	found   []Input
	skipped int // what skip left out
}

// searched is a directory that was named, and searched.
type searched struct {
	root  string // as it was named
	clean string // its clean name
	whole string // its identity
}

// directory finds the recordings in a directory, sorted by path, and counts
// what skip left out. Symbolic links are not followed, and hidden directories
// are left out. A directory that cannot be read is an input with an error.
func directory(root string, skip Skip) (found []Input, skipped int) {
	// A root that is a link was named by the user, and is followed.
	resolved, err := filepath.EvalSymlinks(root)
	if err != nil {
		return []Input{{Path: root, Named: true, Err: err, identity: root}}, 0
	}
	s := search{skip: skip, in: &searched{root, filepath.Clean(root), identity(resolved)}}
	s.directory(resolved, s.in.clean)
	slices.SortFunc(s.found, func(a, b Input) int { return strings.Compare(a.Path, b.Path) })
	return s.found, s.skipped
}

// directory searches a directory, and those in it. Path is how inputs call it.
func (s *search) directory(dir, path string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.found = append(s.found, Input{Path: path, Named: true, Err: err, in: s.in})
		return
	}
	s.found = slices.Grow(s.found, len(entries))
	within, path := prefix(dir), prefix(path)
	for _, entry := range entries {
		switch name := entry.Name(); {
		case entry.IsDir() && strings.HasPrefix(name, "."):
		case entry.IsDir():
			if !s.leavesOut(path+name, true) {
				s.directory(within+name, path+name)
			}
		case entry.Type().IsRegular() && recording(name):
			if path := path + name; !s.leavesOut(path, false) {
				s.found = append(s.found, Input{Path: path, Root: s.in.root, Regular: true, in: s.in})
			}
		}
	}
}

func (s *search) leavesOut(path string, dir bool) bool {
	out := s.skip(path, dir)
	if out {
		s.skipped++
	}
	return out
}

// prefix is what stands before the names of what is in a directory.
func prefix(dir string) string {
	const separator = string(filepath.Separator)
	switch {
	case dir == ".":
		return ""
	case strings.HasSuffix(dir, separator):
		return dir
	}
	return dir + separator
}

// identify returns the identity of an input.
func (in *Input) identify() string {
	switch at := in.in; {
	case at == nil:
		return in.identity
	case in.Path == at.clean:
		return at.whole
	default:
		return prefix(at.whole) + strings.TrimPrefix(in.Path, prefix(at.clean))
	}
}

// isGlob reports whether an operand asks for expansion: it has the characters
// of a glob, and no file has that very name.
func isGlob(operand string) bool {
	if !strings.ContainsAny(operand, "*?[{") {
		return false
	}
	_, err := os.Lstat(operand)
	return err != nil
}
