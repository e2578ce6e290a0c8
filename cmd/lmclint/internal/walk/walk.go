// Package walk turns the paths of a command line into inputs: files as they
// are named, directories with the files in them, globs that no shell expanded.
package walk

import (
	"io/fs"
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

	identity string // the same for two names of one file
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

// directory finds the recordings in a directory, sorted by path, and counts
// what skip left out. Symbolic links are not followed, and hidden directories
// are left out. A directory that cannot be read is an input with an error.
func directory(root string, skip Skip) (found []Input, skipped int) {
	// A root that is a link was named by the user, and is followed.
	resolved, err := filepath.EvalSymlinks(root)
	if err != nil {
		return []Input{{Path: root, Named: true, Err: err, identity: root}}, 0
	}
	whole, clean := identity(resolved), filepath.Clean(root)
	_ = filepath.WalkDir(resolved, func(path string, entry fs.DirEntry, err error) error {
		below := strings.TrimPrefix(path, resolved)
		if resolved == "." {
			below = path
		}
		in := Input{Path: under(clean, below)}
		in.identity = in.Path
		if whole != root {
			in.identity = under(whole, below)
		}
		switch {
		case err != nil:
			in.Named, in.Err = true, err
			found = append(found, in)
			return fs.SkipDir
		case entry.IsDir() && path != resolved && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case entry.IsDir() && path != resolved && skip(in.Path, true):
			skipped++
			return fs.SkipDir
		case entry.Type().IsRegular() && recording(entry.Name()):
			if skip(in.Path, false) {
				skipped++
				return nil
			}
			in.Root, in.Regular = root, true
			found = append(found, in)
		}
		return nil
	})
	slices.SortFunc(found, func(a, b Input) int { return strings.Compare(a.Path, b.Path) })
	return found, skipped
}

// under is what a walk came upon below a directory, by the directory's clean
// name and the clean path from there.
func under(dir, below string) string {
	const separator = string(filepath.Separator)
	below = strings.TrimPrefix(below, separator)
	switch {
	case below == "" || below == ".":
		return dir
	case dir == ".":
		return below
	case strings.HasSuffix(dir, separator):
		return dir + below
	}
	return dir + separator + below
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
