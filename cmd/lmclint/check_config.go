package main

import (
	"errors"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// configFlags say which configuration holds.
type configFlags struct {
	files    []string // of --config: a file, or assignments
	isolated bool
}

func (o *configFlags) define(flags *pflag.FlagSet) {
	flags.Var(words{list: &o.files}, "config", "use this `FILE`; or set KEY=VALUE above any file")
	flags.BoolVar(&o.isolated, "isolated", false, "look for no configuration file")
}

// finder returns what finds the configuration of an input. Of --config an
// argument sets a value if it looks like that and no file has the name.
func (o *configFlags) finder(dir string, catalogue lint.Catalog) (*config.Finder, error) {
	file := ""
	var assignments []string
	for _, argument := range o.files {
		switch {
		case config.IsAssignment(argument) && !exists(argument):
			assignments = append(assignments, argument)
		case o.isolated:
			return nil, errors.New("--isolated looks for no file, --config " + argument + " names one")
		case file != "":
			return nil, errors.New("--config names two files, " + file + " and " + argument + "; let one extend the other")
		default:
			file = argument
		}
	}
	loader := newLoader(dir, catalogue, assignments)
	if file == "" && !o.isolated {
		return config.NewFinder(loader), nil
	}
	if file != "" && !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	return config.NewFixed(loader, file)
}

func newLoader(dir string, catalogue lint.Catalog, assignments []string) *config.Loader {
	loader := config.NewLoader(dir, catalogue, assignments)
	loader.Version = func() string { return currentBuild().Version }
	return loader
}

// config is what the command line says about an input, or else its settings.
func (o *checkFlags) config(s *config.Settings) lint.Config {
	c := lint.Config{
		Protocol:   unlessAuto(o.protocol.or(s.Text("protocol"))),
		Partial:    o.boolSetting("partial", o.partial, s),
		Kind:       unlessAuto(o.kind.or(s.Text("kind"))),
		Dialect:    unlessAuto(o.dialect.or(s.Text("dialect"))),
		Tentative:  !o.fixesInput(),
		AutoRun:    o.boolSetting("auto-run", o.autoRun, s),
		AllowEmpty: o.boolSetting("allow-empty", o.allowEmpty, s),
	}
	if o.conversation != nil {
		c.Against = o.conversation
	}
	return c
}

// settled reports whether a flag says what the inputs are. A file that says so
// may be about inputs of other kinds as well.
func (o *checkFlags) fixesInput() bool {
	return unlessAuto(o.protocol.value) != "" || unlessAuto(o.kind.value) != "" || unlessAuto(o.dialect.value) != ""
}

func (o *checkFlags) source(s *config.Settings) source.Options {
	options := source.Options{
		Form:           source.Form(unlessAuto(o.form.or(s.Text("form")))),
		MaxRecordBytes: int64(o.maxRecordBytes),
	}
	if limit := s.Number("max-record-bytes"); limit > 0 && !o.flags.Changed("max-record-bytes") {
		options.MaxRecordBytes = limit
	}
	return options
}

// truth is the value of a flag if it was given, or else of the key of its name.
func (o *checkFlags) boolSetting(key string, flag bool, s *config.Settings) bool {
	if o.flags.Changed(key) {
		return flag
	}
	return s.Truth(key, flag)
}

// nameOf is how an input is called.
func (o *checkFlags) nameOf(in walk.Input) string {
	if in.Path == walk.Stdin {
		return o.stdinFilename
	}
	return in.Path
}
