package walk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Expand turns operands into inputs, in the order of the operands. What is
// named twice, or named and found, comes once, at its first place. What cannot
// be read or matches nothing comes as an input with an error.
func Expand(operands []string) []Input { return ExpandBut(operands, none) }

// ExpandBut is Expand without what skip leaves out of directories.
func ExpandBut(operands []string, skip Skip) []Input {
	e := expansion{skip: skip}
	for _, operand := range operands {
		switch {
		case operand == Stdin:
			e.add(Input{Path: operand, Named: true, identity: operand})
		case isGlob(operand):
			e.glob(operand)
		default:
			e.path(operand)
		}
	}
	return e.inputs
}

// expansion gathers inputs and remembers what it has.
type expansion struct {
	skip   Skip
	inputs []Input
	seen   map[string]int // index in inputs, by identity; those from len(seen) on are not in it yet
}

func (e *expansion) path(path string) {
	info, err := os.Stat(path)
	switch {
	case path == "":
		e.add(Input{Named: true, Err: errors.New("the name of a file is empty")})
	case err != nil:
		e.add(Input{Path: path, Named: true, Err: err, identity: identity(path)})
	case info.IsDir():
		e.directory(path)
	default:
		e.add(Input{Path: path, Named: true, Regular: info.Mode().IsRegular(), identity: identity(path)})
	}
}

func (e *expansion) directory(root string) {
	found, skipped := directory(root, e.skip)
	switch {
	case len(found) > 0:
	case skipped > 0:
		e.add(Input{Path: root, Named: true, identity: identity(root), Err: errors.New(
			"all recordings in this directory are left out by exclude or .gitignore")})
	default:
		e.add(Input{Path: root, Named: true, identity: identity(root), Err: fmt.Errorf(
			"no recordings in this directory: none of %s, plain, .gz or .zst", strings.Join(Extensions(), " "))})
	}
	if len(e.inputs) == 0 {
		e.inputs = found // a search finds nothing twice
		return
	}
	for _, in := range found {
		e.add(in)
	}
}

func (e *expansion) glob(pattern string) {
	matches, err := doublestar.FilepathGlob(pattern, doublestar.WithNoFollow(), doublestar.WithNoHidden())
	switch {
	case err != nil:
		e.add(Input{Path: pattern, Named: true, identity: pattern, Err: fmt.Errorf("no such file, and no glob: %w", err)})
	case len(matches) == 0:
		e.add(Input{Path: pattern, Named: true, identity: pattern, Err: errors.New("no such file, and no file matches it as a glob")})
	}
	slices.Sort(matches)
	for _, match := range matches {
		e.path(match)
	}
}

func (e *expansion) add(in Input) {
	if i, ok := e.index()[in.identify()]; ok {
		if in.Named {
			e.inputs[i].Named, e.inputs[i].Root = true, ""
		}
		return
	}
	e.inputs = append(e.inputs, in)
}

// index returns where each of the inputs is.
func (e *expansion) index() map[string]int {
	if e.seen == nil {
		e.seen = map[string]int{}
	}
	for i := len(e.seen); i < len(e.inputs); i++ {
		e.seen[e.inputs[i].identify()] = i
	}
	return e.seen
}

// identity is the same for two names of one file. A file with two hard links
// is two files.
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
