// Package config finds, reads and checks configuration files, and says what
// they mean for an input.
package config

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/gitignore"
	"github.com/lmclint/lmclint/lint"
)

// Config is what holds for inputs: a file with all that it extends, and what
// the command line sets. It does not change once it was loaded.
type Config struct {
	Path  string   // of the file, as it is shown to people; "" if there is none
	Dir   string   // absolute: what it is about, and its globs are relative to
	Files []string // all files that were read, in the order in which they count

	Values    map[string]Value // by key: those that are one word, number or truth
	Layers    []lint.Layer     // what it says about rules
	Exclude   []Scope
	Overrides []Override
	Dialects  []Dialect

	settings map[string]*Settings // by the overrides that hold
}

// Value is a value with the place where it was set.
type Value struct {
	Value any // string, bool or int64
	Origin
}

// Scope is patterns with the directory that they are for.
type Scope struct {
	Dir      string // absolute
	Patterns gitignore.Patterns
}

// Match returns the pattern that decides on an absolute path, or nil.
func (s *Scope) Match(path string, dir bool) *gitignore.Pattern {
	if len(s.Patterns) == 0 {
		return nil
	}
	return s.Patterns.Match(s.below(path), dir)
}

// Within is Match for a path of which no directory was asked for before.
func (s *Scope) Within(path string) *gitignore.Pattern {
	if len(s.Patterns) == 0 {
		return nil
	}
	return s.Patterns.Within(s.below(path))
}

// below is a path as patterns see it. One outside of the directory keeps its
// names only.
func (s *Scope) below(path string) string {
	below, err := filepath.Rel(s.Dir, path)
	if err != nil {
		below = path
	}
	below = filepath.ToSlash(below)
	for strings.HasPrefix(below, "../") {
		below = below[len("../"):]
	}
	return strings.TrimPrefix(below, "/")
}

// Override is what holds for some inputs only.
type Override struct {
	Origin
	Scope  Scope
	Reason string
	Values map[string]Value
	Layer  lint.Layer
}

// Settings are what holds for one input.
type Settings struct {
	Config    *Config
	Values    map[string]Value
	Overrides []*Override // those that hold for the input, in their order
}

// For returns what holds for the input at an absolute path. Inputs for which
// the same holds have the same settings.
func (c *Config) For(path string) *Settings {
	key := ""
	var holding []*Override
	for i := range c.Overrides {
		o := &c.Overrides[i]
		if p := o.Scope.Within(path); p != nil && !p.Negated {
			holding = append(holding, o)
			key += o.String() + "\n"
		}
	}
	if known := c.settings[key]; known != nil {
		return known
	}
	s := &Settings{Config: c, Values: maps.Clone(c.Values), Overrides: holding}
	for _, o := range holding {
		maps.Copy(s.Values, o.Values)
	}
	if c.settings == nil {
		c.settings = map[string]*Settings{}
	}
	c.settings[key] = s
	return s
}

// Layers are what is said about rules: what the configuration says, then what
// the command line says, then what holds for the input only.
func (s *Settings) Layers(commandLine lint.Layer) []lint.Layer {
	layers := append(slices.Clone(s.Config.Layers), commandLine)
	for _, o := range s.Overrides {
		layers = append(layers, o.Layer)
	}
	return layers
}

// Text returns a value that is a word, "" if it was not set.
func (s *Settings) Text(key string) string {
	text, _ := s.Values[key].Value.(string)
	return text
}

// Truth returns a value that is true or false, and otherwise what it is by
// default.
func (s *Settings) Truth(key string, byDefault bool) bool {
	if truth, ok := s.Values[key].Value.(bool); ok {
		return truth
	}
	return byDefault
}

// Number returns a value that is a whole number, 0 if it was not set.
func (s *Settings) Number(key string) int64 {
	number, _ := s.Values[key].Value.(int64)
	return number
}

// Excluded returns the pattern of exclude that leaves out a path, or nil. With
// within it may be one that leaves out a directory above it.
func (c *Config) Excluded(path string, dir, within bool) *gitignore.Pattern {
	for i := len(c.Exclude) - 1; i >= 0; i-- {
		match := c.Exclude[i].Match(path, dir)
		if within {
			match = c.Exclude[i].Within(path)
		}
		if match == nil {
			continue
		}
		if match.Negated {
			return nil
		}
		return match
	}
	return nil
}
