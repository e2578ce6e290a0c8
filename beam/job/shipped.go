package job

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// maxShipped is the maximum size in bytes of a configuration with its baselines:
// it is part of the job's description, which services limit (Dataflow: 10 MB).
const maxShipped = 4 << 20

// Shipped is the configuration that is sent with the job: its files, and its
// baselines. It is immutable once ReadConfig returns it.
type Shipped struct {
	Dir   string            // the working directory of the program that started the job
	Path  string            // of the file; "" for none
	Fixed bool              // the file was named, so that its globs are relative to Dir
	Files map[string][]byte // by absolute path
}

// ReadConfig reads the configuration of a job, as lmclint reads its own: a file, or
// else the one nearest to the working directory unless isolated is set. One
// configuration applies to all inputs.
func ReadConfig(path string, isolated bool) (*Shipped, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	s := &Shipped{Dir: dir, Path: path, Fixed: path != "", Files: map[string][]byte{}}
	switch {
	case s.Fixed && isolated:
		return nil, fmt.Errorf("--isolated and --config %s cannot be combined", path)
	case !s.Fixed && !isolated:
		finder, err := config.NewFinder(config.Options{Dir: dir})
		if err != nil {
			return nil, err
		}
		found, err := finder.In(dir)
		if err != nil {
			return nil, err
		}
		s.Path = found.Path
	}
	return s, s.keep()
}

// keep reads the files of the configuration, and reports what is wrong in them.
func (s *Shipped) keep() error {
	size := 0
	loaded, err := s.load(func(path string) ([]byte, error) {
		text, err := os.ReadFile(path)
		if err == nil && s.Files[path] == nil {
			size += len(text)
			s.Files[path] = text
		}
		return text, err
	})
	if err != nil {
		return err
	}
	settings := []*config.Settings{loaded.For(filepath.Join(s.Dir, "input"))}
	for i := range loaded.Overrides {
		one := *settings[0]
		one.Values = loaded.Overrides[i].Values
		settings = append(settings, &one)
	}
	for _, each := range settings {
		if _, err := each.Options(); err != nil {
			return err
		}
	}
	if size > maxShipped {
		return fmt.Errorf("the configuration and its baselines have %d bytes, more than %d: they are sent with the job", size, maxShipped)
	}
	return nil
}

// load reads the configuration with a function that reads its files.
func (s *Shipped) load(read func(path string) ([]byte, error)) (*config.Config, error) {
	options := config.Options{Dir: s.Dir, ReadFile: read}
	if s.Path != "" && !s.Fixed {
		return config.Load(s.Path, options)
	}
	finder, err := config.NewFixedFinder(s.Path, options)
	if err != nil {
		return nil, err
	}
	return finder.In(s.Dir)
}

// file returns a file that was sent.
func (s *Shipped) file(path string) ([]byte, error) {
	text, ok := s.Files[path]
	if !ok {
		return nil, &os.PathError{Op: "read", Path: path, Err: os.ErrNotExist}
	}
	return text, nil
}

// linters makes the linters of the inputs. Inputs with the same settings share
// them. It is safe for concurrent use.
type linters struct {
	shipped *Shipped

	mu     sync.Mutex
	config *config.Config
	made   map[*config.Settings]*lint.Linter
}

func newLinters(s *Shipped) (*linters, error) {
	loaded, err := s.load(s.file)
	if err != nil {
		return nil, err
	}
	return &linters{shipped: s, config: loaded, made: map[*config.Settings]*lint.Linter{}}, nil
}

// of returns the linter of an input.
func (l *linters) of(path string) (linter *lint.Linter, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	settings := l.config.For(l.shipped.place(path))
	if linter = l.made[settings]; linter != nil {
		return linter, nil
	}
	if linter, err = l.shipped.linter(settings); err == nil {
		l.made[settings] = linter
	}
	return linter, err
}

// linter makes the linter of settings.
func (s *Shipped) linter(settings *config.Settings) (*lint.Linter, error) {
	selection, err := settings.Selection()
	if err != nil {
		return nil, err
	}
	options := []lint.Option{lint.WithConfig(settings.Input()), lint.WithSelection(selection)}
	if path := settings.Text("baseline"); path != "" {
		text, err := s.file(path)
		if err != nil {
			return nil, err
		}
		entries, err := lint.ReadBaseline(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("baseline %s: %w", path, err)
		}
		known := &config.Baseline{Baseline: entries, Path: path}
		options = append(options, lint.WithBaseline(entries, func(name string) string { return known.NameOf(s.place(name)) }))
	}
	return lint.New(rules.All(), options...)
}

// place returns the absolute path by which the globs of a configuration and a
// baseline know an input. An object of a store is below the working directory,
// as gs:/BUCKET/NAME.
func (s *Shipped) place(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.Dir, path)
}
