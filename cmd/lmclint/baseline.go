package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lmclint/lmclint/internal/atomicfile"
	"github.com/lmclint/lmclint/lint"
)

// baseline is a file of known findings that is in use.
type baseline struct {
	*lint.Baseline
	path string // absolute
	name string // as it is called to people

	checked map[string]bool // inputs of this run that were checked to their end
}

// called is what the baseline calls an input: its path from the baseline's
// directory, with slashes. Standard input keeps its name.
func (b *baseline) called(absolute string) string {
	below, err := filepath.Rel(filepath.Dir(b.path), absolute)
	if err != nil {
		below = absolute
	}
	return filepath.ToSlash(below)
}

func readBaseline(path string) (*lint.Baseline, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return lint.ReadBaseline(f)
}

// vanished are known findings in files that are there no more.
func entriesOfMissingFiles(b *baseline) []lint.BaselineEntry {
	gone := map[string]bool{}
	for _, path := range b.Paths() {
		gone[path] = !b.checked[path] && !strings.HasSuffix(path, ">") && !b.exists(path)
	}
	var known []lint.BaselineEntry
	for _, k := range b.Entries() {
		if gone[k.Path] {
			known = append(known, k)
		}
	}
	return known
}

// exists reports whether a file is there, or the archive that it is in.
func (b *baseline) exists(path string) bool {
	there := func(path string) bool {
		_, err := os.Lstat(filepath.Join(filepath.Dir(b.path), filepath.FromSlash(path)))
		return !errors.Is(err, fs.ErrNotExist)
	}
	archive, _, inside := strings.Cut(path, "!")
	return there(path) || inside && there(archive)
}

// save writes the baseline, whole or not at all, and only if it changed.
func (b *baseline) save() error {
	var text bytes.Buffer
	if _, err := b.WriteTo(&text); err != nil {
		return fmt.Errorf("baseline %s: %w", b.name, err)
	}
	if old, err := os.ReadFile(b.path); err == nil && bytes.Equal(old, text.Bytes()) {
		return nil
	}
	file, err := atomicfile.Create(b.path)
	if err != nil {
		return fmt.Errorf("baseline %s: %w", b.name, trimPathError(err))
	}
	if _, err := text.WriteTo(file); err != nil {
		return fmt.Errorf("baseline %s: %w", b.name, errors.Join(trimPathError(err), file.Discard()))
	}
	if err := file.Commit(); err != nil {
		return fmt.Errorf("baseline %s: %w", b.name, trimPathError(err))
	}
	return nil
}
