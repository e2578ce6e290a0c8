package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// ignores remembers which ignores were of use. One that was not is named at
// the end of a run, if that is certain: who ignores a rule may have read other
// inputs than this run did.
type ignoreUsage struct {
	used map[lint.Selector]bool // those that there are: whether they left out anything
	tell map[lint.Selector]bool // those that this run can judge
	seen map[*plan]bool
}

func newIgnores() ignoreUsage {
	return ignoreUsage{used: map[lint.Selector]bool{}, tell: map[lint.Selector]bool{}, seen: map[*plan]bool{}}
}

// note takes over what an input says about the ignores that hold for it.
func (i *ignoreUsage) note(r *checkRun, p *plan, result lint.Result) {
	if !i.seen[p] {
		i.seen[p] = true
		for _, by := range p.selection.Ignores() {
			i.used[by] = i.used[by] || false
			i.tell[by] = r.judges(p, by)
		}
	}
	for _, rule := range result.Ignored {
		if by, ok := p.selection.IgnoredBy(rule); ok {
			i.used[by] = true
		}
	}
}

// idle returns the ignores that left out nothing, by their places.
func (i *ignoreUsage) idle() []lint.Selector {
	var idle []lint.Selector
	for by, used := range i.used {
		if !used {
			idle = append(idle, by)
		}
	}
	slices.SortFunc(idle, func(a, b lint.Selector) int {
		return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.Text, b.Text))
	})
	return idle
}

// judges reports whether the inputs of this run are those that an ignore is
// about. Of a flag they are, unless another program names the files; of a
// configuration if all that it is about was searched.
func (r *checkRun) judges(p *plan, by lint.Selector) bool {
	s := p.settings
	if !s.Bool("report-unused-ignores", true) || s.Bool("force-exclude", false) {
		return false
	}
	if r.flags.against == "" && p.plans.compares(by.Text) {
		return false
	}
	if strings.HasPrefix(by.Origin, "--") {
		return true
	}
	return strings.HasPrefix(by.Origin, s.Config.Path+":") && r.searched(s.Config)
}

// compares reports whether the rules that a word names only ever find
// something where a stream is compared with a conversation.
func (p *plans) compares(word string) bool {
	named := p.catalog.Select(word)
	alone := func(e lint.Example) bool { return e.Against == "" }
	return len(named) > 0 && !slices.ContainsFunc(named, func(r *lint.Rule) bool { return slices.ContainsFunc(r.Bad, alone) })
}

// narrowing are flags with which a run is about other inputs than usual, or
// takes them for what they usually are not.
var inputFlags = []string{"exclude", "dialect", "kind", "form", "protocol", "auto-run", "partial"}

// searched reports whether all inputs that a configuration is about were
// searched.
func (r *checkRun) searched(c *config.Config) bool {
	if c.Path == "" || slices.ContainsFunc(inputFlags, r.flags.flags.Changed) {
		return false
	}
	for root := range r.roots {
		below, err := filepath.Rel(r.plans[0].plans.absolute(root), c.Dir)
		if err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// unused names the ignores that left out nothing, and the overrides that were
// about none of the inputs. With --verbose it also names those that other
// inputs may need.
func (r *checkRun) unused() {
	if r.flags.quiet && !r.flags.verbose || !r.complete() {
		return
	}
	told := false
	tell := func(judged bool, line string) {
		if judged || r.flags.verbose {
			r.command.printStderr(report.EscapeControls(line) + "\n")
			told = told || judged
		}
	}
	for _, by := range r.ignores.idle() {
		tell(r.ignores.tell[by], fmt.Sprintf("%s: unused ignore %s: it suppressed no finding", by.Origin, by.Text))
	}
	for _, o := range idleOverrides(r.plans) {
		tell(r.judges(o.plan, lint.Selector{Origin: o.String()}), o.String()+": unused override: no input matches its paths")
	}
	if told {
		r.command.printStderr("Set report-unused-ignores: false to disable these messages.\n")
	}
}

// complete reports whether every input was read to its end.
func (r *checkRun) complete() bool { return !r.summary.Incomplete && !r.trouble && !r.broken }

// idleOverride is an override that was about no input, with the plan of one
// that has its configuration.
type idleOverride struct {
	*config.Override
	plan *plan
}

func idleOverrides(plans []*plan) []idleOverride {
	holding := map[*config.Override]bool{}
	known := map[*config.Config]bool{}
	var idle []idleOverride
	for _, p := range plans {
		for _, o := range p.settings.Overrides {
			holding[o] = true
		}
	}
	for _, p := range plans {
		c := p.settings.Config
		if known[c] {
			continue
		}
		known[c] = true
		for i := range c.Overrides {
			if !holding[&c.Overrides[i]] {
				idle = append(idle, idleOverride{&c.Overrides[i], p})
			}
		}
	}
	return idle
}
