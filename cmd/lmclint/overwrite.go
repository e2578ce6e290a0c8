package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

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

// openReport opens a report, a drawing or a comparison: standard output for "", or
// a file, which must not be a recording.
func (c *Command) openReport(path string) (*destination, error) {
	is, err := c.isRecording(path)
	switch {
	case err != nil:
		return nil, &outputError{path, err}
	case is:
		return nil, fmt.Errorf("the output %s would replace a recording: delete it first, or name another file", path)
	}
	return c.openDestination(path)
}

// isRecording reports whether an existing file has LMC or Semantic Workbench
// records.
func (c *Command) isRecording(path string) (bool, error) {
	if _, ok := regularFile(path); !ok {
		return false, nil
	}
	none, err := rules.Catalog().Resolve(lint.Layer{Levels: []lint.SeverityOverride{{Selector: lint.Selector{Text: "all"}}}})
	if err != nil {
		return false, err
	}
	linter, err := lint.New(rules.All(), lint.WithConfig(lint.Config{Discovered: true}), lint.WithSelection(none))
	if err != nil {
		return false, err
	}
	in := walk.Input{Path: path, Regular: true}
	opened := &opened{in: in, path: path}
	defer opened.close()
	if opened.open(context.Background(), c) != nil {
		return false, nil // a report, which shows records of other inputs, or a file that only its owner may read
	}
	reader, err := opened.recording(opened.reader)
	if err != nil {
		return false, nil // an archive of another kind
	}
	result, err := linter.Run(context.Background(), path, reader, func(lint.Finding) error { return nil })
	return err == nil && result.Records > 0, nil
}
