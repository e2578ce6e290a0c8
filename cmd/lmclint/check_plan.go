package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// plan is how an input is checked. Inputs for which the same holds share one.
type plan struct {
	linter     *lint.Linter
	searching  *lint.Linter // the same for inputs that were come upon
	settings   *config.Settings
	selection  *lint.Selection
	failOn     lint.Severity // the least severity that makes the exit status 1
	allowEmpty bool
	baseline   *baseline // nil if there is none
	plans      *plans
}

// linterOf returns the linter of inputs that were come upon, or were named.
func (p *plan) linterOf(searched bool) *lint.Linter {
	if searched {
		return p.searching
	}
	return p.linter
}

// applies reports whether findings of the rule with that id count.
func (p *plan) applies(id string) bool {
	found, narrow := p.plans.catalogue.Select(id)
	return narrow == lint.ExactSpecificity && p.selection.On(found[0])
}

// failOnSeverity reads the word of --fail-on, or of --stop-on. Never is above all severities.
func failOnSeverity(word string) lint.Severity {
	if s, err := lint.ParseSeverity(word); err == nil {
		return s
	}
	return lint.SeverityError + 1
}

// inAll returns the rules that are on in any of some plans, and the least
// severity that makes the exit status 1 in any.
func inAll(plans []*plan) (applied []*lint.Rule, failOn lint.Severity) {
	failOn = failOnSeverity(never)
	seen := map[*plan]bool{}
	var different []*plan
	for _, p := range plans {
		if !seen[p] {
			seen[p] = true
			different = append(different, p)
			failOn = min(failOn, p.failOn)
		}
	}
	for _, r := range rules.All() {
		if slices.ContainsFunc(different, func(p *plan) bool { return p.selection.On(r) }) {
			applied = append(applied, r)
		}
	}
	return applied, failOn
}

// plans makes the plan of each input, of flags and configuration files.
type plans struct {
	flags     *checkFlags
	catalogue lint.Catalog
	options   []lint.Option // of the linters of all plans
	finder    *config.Finder
	workDir   string // absolute

	byDir      map[string]*config.Config // as directories were named
	bySettings map[*config.Settings]*plan
	dialects   map[*config.Config]*schema.Dialects
	baselines  map[string]*baseline // by path
}

func newPlans(o *checkFlags) (*plans, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	p := &plans{
		flags: o, catalogue: rules.Catalogue(), workDir: dir,
		byDir: map[string]*config.Config{}, bySettings: map[*config.Settings]*plan{},
		dialects: map[*config.Config]*schema.Dialects{}, baselines: map[string]*baseline{},
	}
	p.finder, err = o.finder(dir, p.catalogue)
	return p, err
}

// of returns the plan of an input.
func (p *plans) of(in walk.Input) (*plan, error) {
	name := p.flags.nameOf(in)
	c, err := p.configOf(name)
	if err != nil {
		return nil, err
	}
	if len(c.Overrides) > 0 {
		name = p.absolute(name)
	}
	settings := c.For(name)
	if known := p.bySettings[settings]; known != nil {
		return known, nil
	}
	made, err := p.make(settings)
	p.bySettings[settings] = made
	return made, err
}

// configOf returns the configuration of the input of that name.
func (p *plans) configOf(path string) (*config.Config, error) {
	dir, _ := filepath.Split(path)
	if c := p.byDir[dir]; c != nil {
		return c, nil
	}
	c, err := p.finder.In(p.absolute(filepath.Dir(path)))
	if err == nil {
		p.byDir[dir] = c
	}
	return c, err
}

func (p *plans) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(p.workDir, path)
}

// make makes the plan of inputs with the same settings.
func (p *plans) make(s *config.Settings) (*plan, error) {
	selection, err := p.catalogue.Resolve(s.Layers(p.flags.layer())...)
	if err != nil {
		return nil, selectorError(p.catalogue, err)
	}
	conf := p.flags.config(s)
	if err := p.vocabulary(s.Config, &conf); err != nil {
		return nil, err
	}
	known, err := p.baselineOf(s.Text("baseline"))
	if err != nil {
		return nil, err
	}
	options := append(slices.Clone(p.options), lint.WithSource(p.flags.source(s)), lint.WithSelection(selection))
	if known != nil {
		options = append(options, lint.WithProcessor(p.processor(known)))
	}
	linter, err := lint.New(rules.All(), append(options, lint.WithConfig(conf))...)
	if err != nil {
		return nil, err
	}
	discovered := conf
	discovered.Discovered = true
	searching, err := lint.New(rules.All(), append(options, lint.WithConfig(discovered))...)
	if err != nil {
		return nil, err
	}
	return &plan{
		plans:      p,
		baseline:   known,
		settings:   s,
		selection:  selection,
		failOn:     failOnSeverity(p.flags.failOn.or(s.Text("fail-on"))),
		allowEmpty: conf.AllowEmpty,
		linter:     linter,
		searching:  searching,
	}, nil
}

// vocabulary adds the dialects of a configuration file, and checks whether the
// one that is asked for is there.
func (p *plans) vocabulary(c *config.Config, conf *lint.Config) error {
	dialects := p.dialects[c]
	if dialects == nil {
		var err error
		if dialects, err = c.Vocabulary(); err != nil {
			return err
		}
		p.dialects[c] = dialects
	}
	if dialects != nil {
		conf.Vocabulary = dialects
	}
	if known := append([]string{auto}, dialects.Names()...); conf.Dialect != "" {
		if _, ok := dialects.Lookup(conf.Dialect); !ok {
			return invalidValue("dialect", conf.Dialect, invalidChoice(conf.Dialect, known))
		}
	}
	return nil
}

// all returns the plans of inputs, in their order. Nothing is checked if one of
// them is wrong: the error says all that is.
func (p *plans) all(inputs []walk.Input) ([]*plan, error) {
	made := make([]*plan, len(inputs))
	var wrong []error
	told := map[string]bool{}
	for i, in := range inputs {
		var err error
		if made[i], err = p.of(in); err != nil && !told[err.Error()] {
			told[err.Error()] = true
			wrong = append(wrong, err)
		}
	}
	return made, errors.Join(wrong...)
}
