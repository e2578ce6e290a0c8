package job

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// maxShipped is the maximum size in bytes of a configuration with its baselines:
// it is part of the job's description, which services limit (Dataflow: 10 MB).
const maxShipped = 4 << 20

// Shipped is a configuration as it is sent with the job: the files that it
// consists of, and its baselines. It is not changed after it was read.
type Shipped struct {
	Dir       string            // the working directory of the program that started the job
	Path      string            // of the file; "" for none
	Fixed     bool              // the file was named, so that its globs are relative to Dir
	Overrides []string          // KEY=VALUE
	Files     map[string][]byte // by absolute path
}

// ReadConfig reads the configuration of a job, as lmclint reads its own: the
// arguments of --config, each a file or KEY=VALUE, or else the file nearest to
// the working directory unless isolated is set. One configuration applies to all
// inputs.
func ReadConfig(arguments []string, isolated bool) (*Shipped, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	s := &Shipped{Dir: dir, Files: map[string][]byte{}}
	for _, argument := range arguments {
		_, missing := os.Stat(argument)
		switch {
		case config.IsAssignment(argument) && missing != nil:
			s.Overrides = append(s.Overrides, argument)
		case isolated:
			return nil, fmt.Errorf("--isolated and --config %s cannot be combined", argument)
		case s.Path != "":
			return nil, fmt.Errorf("--config names two files, %s and %s; let one extend the other", s.Path, argument)
		default:
			s.Path, s.Fixed = argument, true
		}
	}
	if s.Path == "" && !isolated {
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
	options := config.Options{Dir: s.Dir, Overrides: s.Overrides, ReadFile: read}
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
	made   map[*config.Settings]*linterSet
}

// linterSet is the linters of settings. A baseline remembers every input that it
// was asked about, so that only inputs that it lists are checked with it.
type linterSet struct {
	plain    *lint.Linter
	baseline *config.Baseline // nil without one
	listed   *lint.Linter     // with the baseline
	paths    map[string]bool  // that the baseline lists, without members of archives
	options  []lint.Option    // of the plain one
}

func newLinters(s *Shipped) (*linters, error) {
	loaded, err := s.load(s.file)
	if err != nil {
		return nil, err
	}
	return &linters{shipped: s, config: loaded, made: map[*config.Settings]*linterSet{}}, nil
}

// of returns the linter of an input, and whether a baseline lists the input. The
// entries of a baseline are counted in the order of the input.
func (l *linters) of(path string) (linter *lint.Linter, listed bool, err error) {
	set, err := l.set(path)
	switch {
	case err != nil:
		return nil, false, err
	case set.baseline != nil && set.paths[set.baseline.NameOf(l.shipped.place(path))]:
		return set.listed, true, nil
	}
	return set.plain, false, nil
}

// probing returns a linter of an input with an observer.
func (l *linters) probing(path string, observer plugin.Observer) (*lint.Linter, error) {
	set, err := l.set(path)
	if err != nil {
		return nil, err
	}
	observe := lint.WithObserver(func(string) plugin.Observer { return observer })
	return lint.New(rules.All(), append(slices.Clone(set.options), observe)...)
}

// set returns the linters of the settings of an input.
func (l *linters) set(path string) (set *linterSet, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	settings := l.config.For(l.shipped.place(path))
	if set = l.made[settings]; set != nil {
		return set, nil
	}
	if set, err = l.shipped.linterSet(settings); err == nil {
		l.made[settings] = set
	}
	return set, err
}

// linterSet makes the linters of settings.
func (s *Shipped) linterSet(settings *config.Settings) (*linterSet, error) {
	selection, err := settings.Selection()
	if err != nil {
		return nil, err
	}
	options := []lint.Option{lint.WithConfig(settings.Input()), lint.WithSelection(selection)}
	set := &linterSet{options: options}
	if set.plain, err = lint.New(rules.All(), options...); err != nil {
		return nil, err
	}
	path := settings.Text("baseline")
	if path == "" {
		return set, nil
	}
	text, err := s.file(path)
	if err != nil {
		return nil, err
	}
	entries, err := lint.ReadBaseline(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("baseline %s: %w", path, err)
	}
	set.baseline, set.paths = &config.Baseline{Baseline: entries, Path: path}, map[string]bool{}
	for _, path := range entries.Paths() {
		archive, _, _ := strings.Cut(path, "!")
		set.paths[path], set.paths[archive] = true, true
	}
	suppressing := lint.WithBaseline(entries, func(name string) string { return set.baseline.NameOf(s.place(name)) })
	set.listed, err = lint.New(rules.All(), append(slices.Clone(options), suppressing)...)
	return set, err
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
