package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/base/gitignore"
)

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
