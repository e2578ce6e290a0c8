package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/lint"
)

// baseline is a baseline in use.
type baseline struct {
	*config.Baseline
	name string // for messages

	checked map[string]bool // inputs of this run that were checked to the end, by their names in the baseline
}

// baselineOf returns the baseline of inputs with those settings, nil if they have none. It is read
// once.
func (p *plans) baselineOf(s *config.Settings) (*baseline, error) {
	path := s.Text("baseline") // absolute
	if path == "" {
		switch {
		case !p.flags.writeBaseline && !p.flags.pruneBaseline:
			return nil, nil
		case s.Config.Path != "": // that of other inputs may set one
			return nil, usagef("no baseline file: %s does not set one; pass --baseline FILE or set baseline there", s.Config.Path)
		}
		return nil, usagef("no baseline file: pass --baseline FILE or set baseline in the configuration")
	}
	if known := p.baselines[path]; known != nil {
		return known, nil
	}
	b := &baseline{checked: map[string]bool{}, name: strings.TrimPrefix(path, p.workDir+string(filepath.Separator))}
	if p.flags.baseline != "" {
		b.name = p.flags.baseline
	}
	known, err := config.ReadBaseline(path, config.Options{})
	_, isOld := errors.AsType[*lint.BaselineVersionError](err)
	switch {
	case isOld && p.flags.writeBaseline:
		known = &config.Baseline{Baseline: lint.NewBaseline(nil), Path: path}
		p.command.printError(fmt.Errorf("baseline %s: it was of another version, and a new one is written: reasons in it are not kept", b.name))
	case errors.Is(err, fs.ErrNotExist) && p.flags.writeBaseline:
		known = &config.Baseline{Baseline: lint.NewBaseline(nil), Path: path}
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("baseline %s: no such file; create it with --write-baseline", b.name)
	case err != nil:
		return nil, fmt.Errorf("baseline %s: %w", b.name, trimPathError(err))
	}
	if p.flags.writeBaseline {
		known.Record()
	}
	b.Baseline = known
	p.baselines[path] = b
	return b, nil
}

// settleBaseline updates the baseline after an input was checked to its end.
func (r *checkRun) settleBaseline(p *plan, result lint.Result) {
	if p.baseline == nil {
		return
	}
	path := p.baseline.NameOf(p.plans.absolute(result.Path))
	p.baseline.checked[path] = true
	applied := func(id string) bool { // an unknown rule finds nothing any more
		return p.applies(id) || p.plans.catalog.Rule(id) == nil
	}
	if r.flags.writeBaseline {
		p.baseline.Reset(path, applied)
		return
	}
	r.countStale(p.baseline, p.baseline.Stale(path, applied))
}

// countStale counts entries without a finding and removes them if asked to.
func (r *checkRun) countStale(b *baseline, gone []lint.BaselineEntry) {
	for _, k := range gone {
		r.stale[b]++
		r.explain(b.name, fmt.Sprintf("stale: %s %s in %s", k.Rule, k.Fingerprint, k.Path))
	}
	if r.flags.pruneBaseline {
		b.Remove(gone)
	}
}

// concludeBaselines writes baselines, or reports stale ones. An incomplete run
// does neither.
func (r *checkRun) concludeBaselines(complete bool) error {
	seen := map[*baseline]bool{nil: true}
	for _, p := range r.plans {
		b := p.baseline
		if seen[b] {
			continue
		}
		seen[b] = true
		if err := r.concludeBaseline(b, complete); err != nil {
			return fmt.Errorf("baseline %s: %w", b.name, trimPathError(err))
		}
	}
	return nil
}

func (r *checkRun) concludeBaseline(b *baseline, complete bool) error {
	writes := r.flags.writeBaseline || r.flags.pruneBaseline
	if !complete {
		if writes {
			r.command.printError(fmt.Errorf("baseline %s: not written, the run is incomplete", b.name))
		}
		return nil
	}
	if !r.flags.writeBaseline {
		gone := slices.DeleteFunc(b.Missing(), func(k lint.BaselineEntry) bool { return b.checked[k.Path] })
		r.countStale(b, gone)
		for _, k := range gone {
			b.checked[k.Path] = true
		}
	}
	count := len(b.Entries())
	var line string
	switch stale := r.stale[b]; {
	case r.flags.writeBaseline:
		line = english.Plural(count, "finding", "") + " written"
	case stale == 0:
		return nil
	case r.flags.pruneBaseline:
		line = fmt.Sprintf("removed %s, %d %s", english.Plural(stale, "finding", ""), count, english.PluralWord(count, "remains", "remain"))
	default:
		line = english.Plural(stale, "stale finding", "") + "; remove " + english.PluralWord(stale, "it", "them") + " with --prune-baseline"
	}
	if writes {
		if err := b.Save(b.checked); err != nil {
			return err
		}
	}
	if !r.flags.quiet {
		r.command.printLine("baseline %s: %s", b.name, line)
	}
	return nil
}
