package config

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/lmclint/lmclint/internal/base/atomicfile"
	"github.com/lmclint/lmclint/lint"
)

// Baseline is a baseline in a file. It names inputs by their paths from the
// file's directory.
type Baseline struct {
	*lint.Baseline
	Path string // absolute
}

// ReadBaseline reads the baseline at an absolute path, as the options say.
func ReadBaseline(path string, o Options) (*Baseline, error) {
	text, err := o.read(path, math.MaxInt, false)
	if err != nil {
		return nil, err
	}
	baseline, err := lint.ReadBaseline(bytes.NewReader(text))
	return &Baseline{baseline, path}, err
}

// NameOf returns the name of an input in the baseline: the path from the
// baseline's directory, with slashes.
func (b *Baseline) NameOf(absolute string) string {
	return filepath.ToSlash(relative(filepath.Dir(b.Path), absolute))
}

// Missing returns the entries of files that do not exist any more. Standard
// input, whose name ends with >, is not a file.
func (b *Baseline) Missing() (missing []lint.BaselineEntry) {
	exists := func(name string) bool {
		_, err := os.Lstat(filepath.Join(filepath.Dir(b.Path), filepath.FromSlash(name)))
		return !errors.Is(err, fs.ErrNotExist)
	}
	path, gone := "", false
	for _, entry := range b.Entries() { // by path
		if entry.Path != path {
			path = entry.Path
			archive, _, inside := strings.Cut(path, "!")
			gone = !strings.HasSuffix(path, ">") && !exists(path) && (!inside || !exists(archive))
		}
		if gone {
			missing = append(missing, entry)
		}
	}
	return missing
}

// Save writes the baseline to its file, atomically, if it changed.
func (b *Baseline) Save() error {
	var text bytes.Buffer
	if _, err := b.WriteTo(&text); err != nil {
		return err
	}
	if old, err := os.ReadFile(b.Path); err == nil && bytes.Equal(old, text.Bytes()) {
		return nil
	}
	file, err := atomicfile.Create(b.Path)
	if err != nil {
		return err
	}
	if _, err := text.WriteTo(file); err != nil {
		return errors.Join(err, file.Discard())
	}
	return file.Commit()
}
