package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/base/gitignore"
	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// plan is how inputs with the same settings are checked, if they were all named or may all
// be of an unknown protocol.
type plan struct {
	plans     *plans
	settings  *config.Settings // with the flags
	input     lint.Config      // what the settings say of the inputs
	selection *lint.Selection
	baseline  *baseline     // nil if there is none
	failOn    lint.Severity // the minimum severity for exit status 1

	linter  *lint.Linter
	fixing  func() (apply.Linters, error) // made once when they are needed
	options []lint.Option
}

// newLinter returns a new linter for such inputs, with more options.
func (p *plan) newLinter(more ...lint.Option) (*lint.Linter, error) {
	return lint.New(rules.All(), slices.Concat(p.options, more, []lint.Option{lint.WithConfig(p.input)})...)
}

// fixingLinters makes the linters that fix such inputs. Fixes must please all rules,
// whichever are enabled and whatever the baseline suppresses.
func (p *plan) fixingLinters() (made apply.Linters, err error) {
	if made.Fixing, err = p.newLinter(lint.WithFixes()); err != nil {
		return made, err
	}
	isOff := func(r *lint.Rule) bool { return !p.selection.On(r) }
	if p.baseline != nil || slices.ContainsFunc(rules.All(), isOff) {
		all := plan{input: p.input}
		made.Judging, err = all.newLinter(lint.WithFixes())
	}
	return made, err
}

// applies reports whether the rule with that id is enabled.
func (p *plan) applies(id string) bool {
	rule := p.plans.catalog.Rule(id)
	return rule != nil && p.selection.On(rule)
}

// errNoRecords says why an input without records gives status 2.
var errNoRecords = errors.New("no records: nothing in it was checked")

// lacksRecords reports whether an input has no records, and the settings accept no such
// input.
func (p *plan) lacksRecords(r lint.Result) bool {
	if !r.Empty || p.input.AllowEmpty {
		return false
	}
	_, ignored := p.selection.IgnoredBy(p.plans.catalog.Rule("LMC011"))
	return !ignored
}

// plans makes the plan of each input from flags and configuration files.
type plans struct {
	command *Command
	flags   *checkFlags
	catalog lint.Catalog
	options []lint.Option // of the linters of all plans
	finder  *config.Finder
	workDir string // absolute

	made      map[planKey]*plan
	baselines map[string]*baseline // by path
}

// planKey is what inputs with the same plan have in common.
type planKey struct {
	settings *config.Settings
	skips    bool // inputs of unknown protocol are skipped
}

func (c *Command) newPlans(o *checkFlags) (*plans, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	p := &plans{
		command: c, flags: o, catalog: rules.Catalog(), workDir: dir,
		made: map[planKey]*plan{}, baselines: map[string]*baseline{},
	}
	p.finder, err = o.finder()
	return p, err
}

// planInputs returns what makes the plans of the inputs that the operands name, and these
// inputs.
func (c *Command) planInputs(o *checkFlags, operands []string, reports []target) (*plans, []walk.Input, error) {
	p, err := c.newPlans(o)
	if err != nil {
		return p, nil, err
	}
	inputs, err := p.inputs(operands, reports, c.explainer(o.verbose))
	return p, inputs, err
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
	key := planKey{c.For(name), p.flags.skips(in)}
	if known := p.made[key]; known != nil {
		return known, nil
	}
	made, err := p.make(key)
	if err == nil {
		p.made[key] = made
	}
	return made, err
}

// configOf returns the configuration of the input of that name.
func (p *plans) configOf(path string) (*config.Config, error) {
	return p.finder.In(p.absolute(filepath.Dir(path)))
}

// sources returns the files that decide how inputs are checked, those that exist and
// those that would if they existed.
func (p *plans) sources() []string {
	paths := append(p.finder.Sources(), p.flags.file, p.flags.baseline, p.flags.against)
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}

func (p *plans) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(p.workDir, path)
}

// make makes a plan.
func (p *plans) make(key planKey) (*plan, error) {
	s := p.flags.settings(key.settings, p.absolute)
	selection, err := s.Selection()
	if unknown, ok := errors.AsType[*lint.UnknownRuleError](err); ok {
		return nil, fmt.Errorf("%s: %w", unknown.Selector.Origin, unknownWord("rule", unknown.Selector.Text, p.catalog.Words(), "rules"))
	}
	if err != nil {
		return nil, err
	}
	selection = p.flags.minding.minded(selection)
	input := s.Input()
	if known := append([]string{auto}, s.Dialects()...); input.Dialect != "" && !slices.Contains(known, input.Dialect) {
		return nil, invalidValue("dialect", input.Dialect, invalidChoice(input.Dialect, known))
	}
	if p.flags.conversation != nil {
		input.Against = p.flags.conversation
	}
	input.After, input.Discovered = p.flags.after, key.skips
	input.Coverage = p.flags.coverage
	// A program waits for the findings of each record.
	input.Immediate = p.flags.acknowledge || p.flags.tee && p.flags.stopOn.value != never
	known, err := p.baselineOf(s)
	if err != nil {
		return nil, err
	}
	failOn, fails := s.FailOn()
	if !fails {
		failOn = lint.SeverityError + 1
	}
	made := &plan{
		plans: p, settings: s, input: input, selection: selection, baseline: known, failOn: failOn,
		options: append(slices.Clone(p.options), lint.WithSelection(selection)),
	}
	if known != nil {
		made.options = append(made.options, lint.WithBaseline(known.Baseline.Baseline, func(name string) string { return known.NameOf(p.absolute(name)) }))
	}
	made.fixing = sync.OnceValues(made.fixingLinters)
	made.linter, err = made.newLinter()
	return made, err
}

// all returns the plans of inputs, in order. Nothing is checked if one of them
// fails; the error has all that is wrong.
func (p *plans) all(inputs []walk.Input) ([]*plan, error) {
	made := make([]*plan, len(inputs))
	var wrong []error
	reported := map[string]bool{}
	for i, in := range inputs {
		var err error
		if made[i], err = p.of(in); err != nil && !reported[err.Error()] {
			reported[err.Error()] = true
			wrong = append(wrong, err)
		}
	}
	return made, errors.Join(wrong...)
}

// scope returns the patterns of --exclude.
func (o *checkFlags) scope(dir string) (config.Scope, error) {
	s := config.Scope{Dir: dir}
	for _, glob := range o.exclude {
		why := "" // it matches nothing
		switch {
		case slices.Contains(strings.Split(filepath.ToSlash(glob), "/"), ".."):
			why = "a glob is relative to the working directory, and cannot leave it"
		case filepath.IsAbs(glob) && exists(glob) && !exists(filepath.Join(dir, glob)):
			why = "a glob is relative to the working directory, and / is that directory"
		case strings.Contains(glob, ",") && !strings.Contains(glob, "{") && !exists(glob):
			why = "a glob may contain a comma only in braces: repeat --exclude, or write {a,b}"
		}
		if why != "" {
			return s, usagef("--exclude %s: %s", glob, why)
		}
		p, err := gitignore.ParseGlob(glob, "--exclude")
		if err != nil {
			return s, &usageError{err.Error()}
		}
		s.Patterns = append(s.Patterns, p)
	}
	return s, nil
}

// pathFilter decides which paths are excluded.
type pathFilter struct {
	plans   *plans
	scope   config.Scope
	ignored *gitignore.Tree
	report  func(path, why string) // called for each excluded path
	faults  []error                // of configurations and .gitignore files
}

// skip implements [walk.Skip].
func (s *pathFilter) skip(path string, dir bool) bool {
	c, err := s.plans.configOf(path)
	if err != nil {
		return s.fault(err)
	}
	absolute := s.plans.absolute(path)
	configured, _ := c.Values["baseline"].Value.(string)
	for _, baseline := range []string{configured, s.plans.flags.baseline} {
		if baseline != "" && sameFile(path, baseline) {
			return true // it is not a recording
		}
	}
	if s.isExcluded(c, path, dir, false) {
		return true
	}
	if honored, set := c.Values["gitignore"].Value.(bool); s.plans.flags.noGitignore || set && !honored {
		return false
	}
	p, err := s.ignored.Ignored(absolute, dir)
	if err != nil {
		return s.fault(fmt.Errorf("cannot read .gitignore: %w", err))
	}
	return p != nil && s.exclude(path, p)
}

// fault records, once, an error that prevents the check.
func (s *pathFilter) fault(err error) bool {
	known := func(other error) bool { return other.Error() == err.Error() }
	if !slices.ContainsFunc(s.faults, known) {
		s.faults = append(s.faults, err)
	}
	return true
}

func (s *pathFilter) exclude(path string, by *gitignore.Pattern) bool {
	origin := strings.TrimPrefix(by.Origin, s.plans.workDir+string(filepath.Separator))
	s.report(path, fmt.Sprintf("excluded by %s: %s", origin, by.Text))
	return true
}

// inputs returns the inputs that the operands name, without excluded ones and
// reports. With --max-findings, those of documents are sorted by path, as the
// documents are.
func (p *plans) inputs(operands []string, reports []target, explain func(path, why string)) ([]walk.Input, error) {
	scope, err := p.flags.scope(p.workDir)
	skipper := &pathFilter{plans: p, scope: scope, ignored: gitignore.NewTree(), report: explain}
	if err != nil {
		return nil, err
	}
	inputs, err := p.command.withoutOutputs(walk.Expand(operands, skipper.skip), filesOf(reports))
	if err != nil {
		return nil, err
	}
	isUnsorted := func(t target) bool { return !t.format.Sorted() }
	if p.flags.maxFindings.value > 0 && !slices.ContainsFunc(reports, isUnsorted) {
		slices.SortStableFunc(inputs, func(a, b walk.Input) int { return strings.Compare(a.Path, b.Path) })
	}
	inputs = slices.DeleteFunc(inputs, func(in walk.Input) bool { return in.Named && skipper.excludes(in) })
	return inputs, errors.Join(skipper.faults...)
}

// excludes reports whether a named input is excluded, if exclusions apply to named
// inputs.
func (s *pathFilter) excludes(in walk.Input) bool {
	name := s.plans.flags.nameOf(in)
	c, err := s.plans.configOf(name)
	if err != nil {
		return false // the plan of the input reports it
	}
	forced, _ := c.Values["force-exclude"].Value.(bool)
	if s.plans.flags.flags.Changed("force-exclude") {
		forced = s.plans.flags.forceExclude
	}
	if !forced {
		return false
	}
	return s.isExcluded(c, name, false, true)
}

// isExcluded reports whether --exclude or a configuration excludes a path, or, within, a
// directory above it. Globs of --exclude take precedence.
func (s *pathFilter) isExcluded(c *config.Config, path string, dir, within bool) bool {
	absolute := s.plans.absolute(path)
	p := s.scope.Match(absolute, dir, within)
	if p == nil {
		p = c.Excluded(absolute, dir, within)
	}
	return p != nil && !p.Negated && s.exclude(path, p)
}
