package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/base/atomicfile"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// destination is where a command writes: standard output, or a file that
// replaces another one when it is complete. Its errors name it.
type destination struct {
	io.Writer
	name string // for messages
	file sink   // nil if it is standard output
}

// sink is the file of a destination.
type sink interface {
	io.Writer
	Commit() error
	Discard() error
}

// stdout returns standard output.
func (c *Command) stdout() *destination {
	return &destination{Writer: c.Stdout, name: "standard output"}
}

// descriptor matches the names of what a process has open. Opening a file by such a name would begin at its start.
var descriptor = regexp.MustCompile(`^/(?:dev|proc/self)/(?:fd/(\d+)|(stdout)|(stderr))$`)

// descriptorAt returns the open file that a path names, if it names one.
func descriptorAt(path string) (fd int, ok bool) {
	const maxLinks = 100
	for range maxLinks {
		if found := descriptor.FindStringSubmatch(filepath.ToSlash(filepath.Clean(path))); found != nil {
			fd, err := strconv.Atoi(cmp.Or(found[1], map[bool]string{true: "1", false: "2"}[found[2] != ""]))
			return fd, err == nil
		}
		target, err := os.Readlink(path)
		if err != nil {
			return 0, false
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return 0, false
}

// isStdout reports whether a path is that of standard output: "", - or one such as /dev/stdout.
func isStdout(path string) bool {
	fd, ok := descriptorAt(path)
	return path == "" || path == walk.Stdin || ok && fd == 1
}

// openDestination opens the file at a path, or standard output.
func (c *Command) openDestination(path string) (*destination, error) {
	fd, isOpen := descriptorAt(path)
	switch {
	case isStdout(path):
		return c.stdout(), nil
	case isOpen && fd == 2:
		return &destination{Writer: c.Stderr, name: "standard error"}, nil
	case isOpen:
		file := os.NewFile(uintptr(fd), path)
		return &destination{Writer: file, name: path, file: appended{file}}, nil
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return nil, &outputError{path, err}
	}
	return &destination{Writer: file, name: path, file: file}, nil
}

// Write implements [io.Writer].
func (d *destination) Write(b []byte) (int, error) {
	n, err := d.Writer.Write(b)
	return n, d.word(err)
}

// commit completes the output.
func (d *destination) commit() error {
	if d.file == nil {
		return nil
	}
	return d.word(d.file.Commit())
}

// discard abandons the output. Standard output keeps what was written.
func (d *destination) discard() error {
	if d.file == nil {
		return nil
	}
	return d.word(d.file.Discard())
}

// word names the destination in an error, if there is one.
func (d *destination) word(err error) error {
	var named *outputError
	if err == nil || errors.As(err, &named) {
		return err
	}
	return &outputError{d.name, err}
}

// outputError is an error of an output, rather than of an input.
type outputError struct {
	name string
	err  error
}

func (e *outputError) Error() string { return "write " + e.name + ": " + trimPathError(e.err).Error() }

func (e *outputError) Unwrap() error { return e.err }

// write writes a whole file, or to standard output for "".
func (c *Command) write(path string, text []byte) error {
	out, err := c.openDestination(path)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return errors.Join(err, out.discard())
	}
	return out.commit()
}

// What no command does: write over what it reads, or lint what it writes.

// withoutOutputs removes from the inputs found in a directory those that the run
// writes: reports, and what standard output and standard error are redirected to.
// It fails if one of them was named.
func (c *Command) withoutOutputs(inputs []walk.Input, reports []string) ([]walk.Input, error) {
	type written struct {
		info  os.FileInfo
		named string // for a message, with a verb
	}
	var all []written
	for _, path := range reports {
		if info, ok := regularFile(path); ok {
			all = append(all, written{info, "the output " + path + " would replace the input"})
		}
	}
	for stream, w := range map[string]any{"standard output": c.Stdout, "standard error": c.Stderr} {
		if f, ok := w.(*os.File); ok {
			if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
				all = append(all, written{info, stream + " is redirected to the input"})
			}
		}
	}
	if len(all) == 0 {
		return inputs, nil
	}
	var kept []walk.Input
	var emptied []string // directories with an input that was removed
	for _, in := range inputs {
		info, ok := regularFile(in.Path)
		i := slices.IndexFunc(all, func(w written) bool { return ok && os.SameFile(info, w.info) })
		switch {
		case i < 0:
			kept = append(kept, in)
		case in.Named:
			return nil, fmt.Errorf("%s %s", all[i].named, in.Path)
		default:
			emptied = append(emptied, in.Root)
		}
	}
	for _, root := range emptied {
		if !slices.ContainsFunc(kept, func(in walk.Input) bool { return in.Root == root || in.Path == root }) {
			kept = append(kept, walk.Input{Path: root, Named: true, Err: errors.New("no recordings in this directory but the output")})
		}
	}
	return kept, nil
}

// replacesNone fails if one of the outputs is a file that is read, by whatever
// name.
func replacesNone(read, outputs []string) error {
	existing := map[string]os.FileInfo{}
	for _, path := range outputs {
		if info, ok := regularFile(path); ok {
			existing[path] = info
		}
	}
	for _, in := range read {
		if len(existing) == 0 {
			break
		}
		info, ok := regularFile(in)
		for path, output := range existing {
			if ok && os.SameFile(info, output) {
				return fmt.Errorf("the output %s would replace the input %s", path, in)
			}
		}
	}
	return nil
}

// pathsOf returns the paths of inputs.
func pathsOf(inputs []walk.Input) []string {
	paths := make([]string, len(inputs))
	for i, in := range inputs {
		paths[i] = in.Path
	}
	return paths
}

// newReader returns a linter that reads inputs and runs no rule.
func newReader(c lint.Config, more ...lint.Option) (*lint.Linter, error) {
	none, err := rules.Catalog().Resolve(lint.Layer{Levels: []lint.SeverityOverride{{Selector: lint.Selector{Text: "all"}}}})
	if err != nil {
		return nil, err
	}
	return lint.New(rules.All(), append(more, lint.WithConfig(c), lint.WithSelection(none))...)
}

// isRecording reports whether an existing file has LMC or Semantic Workbench
// records.
func (c *Command) isRecording(ctx context.Context, path string) bool {
	if _, ok := regularFile(path); !ok {
		return false
	}
	in := walk.Input{Path: path, Regular: true}
	opened := &opened{in: in, skips: true, path: path, meter: &progress.Meter{}}
	defer opened.close()
	if opened.open(ctx, c) != nil {
		return false // a report, which shows records of other inputs, or a file that only its owner may read
	}
	linter, err := newReader(lint.Config{Discovered: true})
	reader, other := opened.recording() // or an archive of another kind
	if err != nil || other != nil {
		return false
	}
	result, _ := linter.Run(ctx, path, reader, func(lint.Finding) error { return nil })
	return result.Records > 0 // also of one that cannot be read to its end
}
