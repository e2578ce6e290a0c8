package config

import (
	"os"
	"path/filepath"

	"github.com/lmclint/lmclint/internal/repository"
)

// Names are what a configuration file may be called. A directory may hold one
// of them.
func Names() []string { return []string{".lmclint.yaml", ".lmclint.yml"} }

// Finder finds the configuration of inputs. It looks into each directory once.
type Finder struct {
	loader *Loader
	fixed  *Config            // it holds for all inputs, if it is not nil
	byDir  map[string]*Config // what holds in a directory
	byPath map[string]*Config // by the file, absolute; "" for none
	faults map[string]error   // by the file, if it is wrong
}

// NewFinder makes a finder that looks for files from an input's directory
// upward.
func NewFinder(l *Loader) *Finder {
	return &Finder{loader: l, byDir: map[string]*Config{}, byPath: map[string]*Config{}, faults: map[string]error{}}
}

// NewFixed makes a finder that has one configuration for all inputs: that of a
// file, with its globs relative to the working directory, or with "" none.
func NewFixed(l *Loader, path string) (*Finder, error) {
	f := NewFinder(l)
	config, err := l.Load(path, l.Dir)
	f.fixed = config
	return f, err
}

// In returns the configuration of the inputs in a directory, which is
// absolute. The file that is nearest, upward to the root of the repository or
// else of the file system, holds alone.
func (f *Finder) In(dir string) (*Config, error) {
	if f.fixed != nil {
		return f.fixed, nil
	}
	if config := f.byDir[dir]; config != nil {
		return config, f.faults[config.Path]
	}
	config, err := f.look(dir)
	f.byDir[dir] = config
	return config, err
}

func (f *Finder) look(dir string) (*Config, error) {
	var found []string
	for _, name := range Names() {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			found = append(found, path)
		}
	}
	switch {
	case len(found) > 1:
		config, _ := f.load(found[0])
		var faults Faults
		faults.add(Origin{File: f.loader.shown(found[1])}, "there is %s beside it; keep one of them", filepath.Base(found[0]))
		f.faults[config.Path] = faults
		return config, faults
	case len(found) == 1:
		return f.load(found[0])
	}
	parent := filepath.Dir(dir)
	if parent == dir || repository.IsRoot(dir) {
		return f.load("")
	}
	return f.In(parent)
}

func (f *Finder) load(path string) (*Config, error) {
	if config := f.byPath[path]; config != nil {
		return config, f.faults[config.Path]
	}
	config, err := f.loader.Load(path, "")
	f.byPath[path] = config
	if err != nil {
		f.faults[config.Path] = err
	}
	return config, err
}
