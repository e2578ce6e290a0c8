// Package config finds, reads and validates configuration files
// (.lmclint.yaml), and resolves them for an input: which rules apply, and what
// is known about the input.
//
// A program that embeds the linter honors configurations as the command does:
//
//	settings, err := config.Find("recordings/a.jsonl", config.Options{})
//	options, err := settings.Options()
//	linter, err := lint.New(rules.All(), options...)
package config

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/gitignore"
	"github.com/lmclint/lmclint/internal/base/repository"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// Names returns the names of configuration files. A directory may contain one
// of them.
func Names() []string { return []string{".lmclint.yaml", ".lmclint.yml"} }

// Options are how configurations are read. The zero value has the defaults.
type Options struct {
	Dir     string        // the working directory, absolute; "" is that of the process
	Rules   *lint.Catalog // the rules that a configuration may name; nil is those of package rules
	Version string        // of lmclint, for the key required-version; one that was not released satisfies any

	// ReadFile, if not nil, reads the configuration files and baselines, by
	// absolute path, instead of the disk. A program that checks inputs on other
	// machines keeps what it returned, and answers from that there. Searching for
	// a file still looks at the disk.
	ReadFile func(path string) ([]byte, error)
}

// Find returns the settings for an input. The file nearest to it applies, from
// its directory upward to the root of its repository. Without one the settings
// have the defaults. Use a [Finder] for several inputs.
func Find(path string, o Options) (*Settings, error) {
	f, err := NewFinder(o)
	if err != nil {
		return nil, err
	}
	return f.Find(path)
}

// Load reads the configuration in a file. Errors in the file are [Faults].
func Load(path string, o Options) (*Config, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	return o.load(o.absolute(path), "")
}

// Finder finds the configurations of inputs. It looks into each directory once.
// It is not safe for concurrent use.
type Finder struct {
	options Options
	fixed   *Config            // applies to all inputs, if it is not nil
	byDir   map[string]*Config // by absolute directory
}

// NewFinder returns a finder that searches upward from an input's directory.
func NewFinder(o Options) (*Finder, error) {
	err := o.complete()
	return &Finder{options: o, byDir: map[string]*Config{}}, err
}

// NewFixedFinder returns a finder that has one configuration for all inputs:
// that of a file, with its globs relative to the working directory, or none if
// the path is "".
func NewFixedFinder(path string, o Options) (*Finder, error) {
	f, err := NewFinder(o)
	if err != nil {
		return nil, err
	}
	if path != "" {
		path = f.options.absolute(path)
	}
	f.fixed, err = f.options.load(path, f.options.Dir)
	return f, err
}

// Find returns the settings for an input.
func (f *Finder) Find(path string) (*Settings, error) {
	path = f.options.absolute(path)
	c, err := f.In(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	return c.For(path), nil
}

// In returns the configuration of the inputs in an absolute directory.
func (f *Finder) In(dir string) (*Config, error) {
	if f.fixed != nil {
		return f.fixed, nil
	}
	c := f.byDir[dir]
	if c == nil {
		c = f.search(dir)
		f.byDir[dir] = c
	}
	return c, c.wrong
}

func (f *Finder) search(dir string) *Config {
	var found []string
	for _, name := range Names() {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			info, err = os.Lstat(path) // a link to a file that does not exist is an error when it is read
		}
		if err == nil && !info.IsDir() {
			found = append(found, path)
		}
	}
	path, parent := "", filepath.Dir(dir)
	switch {
	case len(found) > 0:
		path = found[0]
	case parent != dir && !repository.IsRoot(dir):
		c, _ := f.In(parent) // In reports its faults
		return c
	}
	c, err := f.options.load(path, "")
	c.wrong = err
	if len(found) > 1 {
		var faults Faults
		faults.add(Origin{File: relative(f.options.Dir, found[1])}, "there is also %s; keep one of them", filepath.Base(path))
		c.wrong = faults
	}
	return c
}

// Sources returns the paths of the files that decide how inputs are checked: those that
// were read, with the baselines that they name, and those that would be if they existed.
func (f *Finder) Sources() (paths []string) {
	for dir := range f.byDir {
		for _, name := range Names() {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	all := maps.Clone(f.byDir)
	if f.fixed != nil {
		all[""] = f.fixed
	}
	for _, c := range all {
		paths = append(paths, c.Files...)
		if baseline, set := c.Values["baseline"].Value.(string); set {
			paths = append(paths, baseline)
		}
	}
	return paths
}

// Config is a configuration: a file with those that it extends. It is not changed
// after it was loaded.
type Config struct {
	Path  string   // of the file, relative to the working directory; "" if there is none
	Dir   string   // absolute; its globs are relative to it
	Files []string // all files read, in increasing precedence

	Values    map[string]Value // of the keys in [ValueKeys]
	Exclude   []Scope
	Overrides []Override
	Dialects  []Dialect

	options    Options
	layers     []lint.Layer
	vocabulary *schema.Dialects     // nil without Dialects
	settings   map[string]*Settings // by the overrides that apply
	wrong      error                // what is wrong with it, if a Finder found it
}

// Value is the value of a key with the place where it was set.
type Value struct {
	Value any // string, bool or int64
	Origin
}

// Pattern is a pattern in the syntax of .gitignore, with {a,b} for alternatives.
type Pattern = gitignore.Pattern

// Scope is patterns with the directory that they are relative to.
type Scope struct {
	Dir      string // absolute
	Patterns gitignore.Patterns
}

// Match returns the pattern that decides on an absolute path, or nil. With within set,
// a directory above the path may be what the pattern matches.
func (s *Scope) Match(path string, dir, within bool) *Pattern {
	if within {
		return s.Patterns.Within(s.relative(path))
	}
	return s.Patterns.Match(s.relative(path), dir)
}

// relative returns a path from the scope's directory, with slashes. Outside the
// directory, leading .. elements are removed.
func (s *Scope) relative(path string) string {
	below := filepath.ToSlash(relative(s.Dir, path))
	for strings.HasPrefix(below, "../") {
		below = below[len("../"):]
	}
	return strings.TrimPrefix(below, "/")
}

// Override is what applies to some inputs only.
type Override struct {
	Origin
	Scope  Scope
	Reason string
	Values map[string]Value
	layer  lint.Layer
}

// Excluded returns the pattern of the key exclude that excludes an absolute
// path, or nil. With within set, a directory above the path may be what is
// excluded.
func (c *Config) Excluded(path string, dir, within bool) *Pattern {
	for i := len(c.Exclude) - 1; i >= 0; i-- {
		switch match := c.Exclude[i].Match(path, dir, within); {
		case match == nil:
		case match.Negated:
			return nil
		default:
			return match
		}
	}
	return nil
}

// For returns the settings for the input at an absolute path. Inputs to which
// the same overrides apply have the same settings. It is not safe for
// concurrent use.
func (c *Config) For(path string) *Settings {
	key := ""
	var applying []*Override
	for i := range c.Overrides {
		o := &c.Overrides[i]
		if p := o.Scope.Match(path, false, true); p != nil && !p.Negated {
			applying = append(applying, o)
			key += o.String() + "\n"
		}
	}
	if known := c.settings[key]; known != nil {
		return known
	}
	s := &Settings{Config: c, Values: maps.Clone(c.Values), Overrides: applying}
	for _, o := range applying {
		maps.Copy(s.Values, o.Values)
	}
	c.settings[key] = s
	return s
}

// Settings are what applies to one input.
type Settings struct {
	Config    *Config
	Values    map[string]Value
	Overrides []*Override // those that apply to the input, in increasing precedence

	named bool       // With set the protocol, kind or dialect
	layer lint.Layer // that With added
}

// With returns the settings with values that take precedence over the files,
// and with a layer of rules between the configuration and its overrides. They
// are those of a command line: a protocol, kind or dialect among them is taken
// for certain, whereas one from a file may be wrong for some of its inputs.
func (s *Settings) With(values map[string]Value, layer lint.Layer) *Settings {
	other := *s
	other.Values = maps.Clone(s.Values)
	maps.Copy(other.Values, values)
	other.layer = layer
	for _, key := range []string{"protocol", "kind", "dialect"} {
		word, _ := values[key].Value.(string)
		other.named = other.named || word != "" && word != auto
	}
	return &other
}

// Options returns the options for [lint.New]. They include the baseline, which
// is read.
func (s *Settings) Options() ([]lint.Option, error) {
	selection, err := s.Selection()
	if err != nil {
		return nil, err
	}
	options := []lint.Option{lint.WithConfig(s.Input()), lint.WithSelection(selection)}
	if path := s.Text("baseline"); path != "" {
		baseline, err := ReadBaseline(path, s.Config.options)
		if err != nil {
			return nil, fmt.Errorf("baseline %s: %w", path, err)
		}
		options = append(options, lint.WithBaseline(baseline.Baseline, func(input string) string {
			return baseline.NameOf(s.Config.options.absolute(input))
		}))
	}
	return options, nil
}

// Input returns what is known about the input.
func (s *Settings) Input() lint.Config {
	is := func(key string) bool { return s.Values[key].Value == true }
	limit, _ := s.Values["max-record-bytes"].Value.(int64)
	c := lint.Config{
		Protocol: s.word("protocol"), Kind: s.word("kind"), Dialect: s.word("dialect"), Tentative: !s.named,
		AutoRun: is("auto-run"), Partial: is("partial"), AllowEmpty: is("allow-empty"),
		Form: s.word("form"), MaxRecordBytes: limit,
	}
	if s.Config.vocabulary != nil {
		c.Vocabulary = s.Config.vocabulary
	}
	return c
}

// Selection returns the rules that apply, with their severities. It fails on an
// unknown rule in the layer of [Settings.With].
func (s *Settings) Selection() (*lint.Selection, error) {
	layers := append(slices.Clone(s.Config.layers), s.layer)
	for _, o := range s.Overrides {
		layers = append(layers, o.layer)
	}
	return s.Config.options.Rules.Resolve(layers...)
}

// FailOn returns the minimum severity at which a check fails, and false if no
// finding makes it fail.
func (s *Settings) FailOn() (lint.Severity, bool) {
	severity, err := lint.ParseSeverity(cmp.Or(s.Text("fail-on"), "error"))
	return severity, err == nil
}

// Dialects returns the names of the dialects that the input may have.
func (s *Settings) Dialects() []string { return s.Config.vocabulary.Names() }

const auto = "auto" // the value that leaves its key to detection

// word returns a text, "" for auto.
func (s *Settings) word(key string) string {
	if text := s.Text(key); text != auto {
		return text
	}
	return ""
}

// Text returns the value of a key that has a text, "" if it was not set.
func (s *Settings) Text(key string) string {
	text, _ := s.Values[key].Value.(string)
	return text
}

// ValueKey is a key whose value is a word, a number, or true or false.
type ValueKey struct {
	Name    string
	Default any // nil: none

	inOverrides bool
	read        readValue
}

// ValueKeys returns those keys, in the order of the schema.
func ValueKeys() []ValueKey {
	forms := []string{auto}
	for _, form := range source.Forms() {
		forms = append(forms, string(form))
	}
	return []ValueKey{
		{"required-version", nil, false, readVersion},
		{"fail-on", "error", false, readWord("error", "warning", "note", "never")},
		{"dialect", auto, true, readDialect},
		{"protocol", auto, true, readWord(auto, "lmc", schema.WorkbenchProtocol)},
		{"kind", auto, true, readWord(auto, "transcript", "stream", "session")},
		{"form", auto, true, readWord(forms...)},
		{"auto-run", false, true, readBool},
		{"partial", false, true, readBool},
		{"allow-empty", false, false, readBool},
		{"max-record-bytes", int64(source.DefaultMaxRecordBytes), false, readBytes},
		{"force-exclude", false, false, readBool},
		{"gitignore", true, false, readBool},
		{"baseline", nil, false, readPath},
	}
}

//go:embed starter.yaml
var starter string

// Starter returns a configuration to start from. All its keys are commented out.
func Starter() string { return starter }
