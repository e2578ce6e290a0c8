package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/lint"
)

// ignoreUsage records which ignores suppressed a finding. An unused one is
// reported at the end of a run if that is certain: other inputs, not checked in
// this run, may need it.
type ignoreUsage struct {
	used      map[lint.Selector]bool // whether each suppressed a finding
	decidable map[lint.Selector]bool // whether this run can decide it
	seen      map[*plan]bool
}

func newIgnores() ignoreUsage {
	return ignoreUsage{used: map[lint.Selector]bool{}, decidable: map[lint.Selector]bool{}, seen: map[*plan]bool{}}
}

// note adds the result of an input.
func (i *ignoreUsage) note(r *checkRun, p *plan, result lint.Result) {
	if !i.seen[p] {
		i.seen[p] = true
		for _, by := range p.selection.Ignores() {
			i.used[by] = i.used[by] || false
			i.decidable[by] = r.canDecide(p, by)
		}
	}
	for _, rule := range result.Ignored {
		if by, ok := p.selection.IgnoredBy(rule); ok {
			i.used[by] = true
		}
	}
}

// idle returns the ignores that suppressed nothing, by place.
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

// canDecide reports whether this run can decide that an ignore is unused: one of a
// flag, unless another program names the files; one of a configuration, if all
// its inputs were searched.
func (r *checkRun) canDecide(p *plan, by lint.Selector) bool {
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

// compares reports whether the rules of a selector only apply when a stream is
// compared with a conversation.
func (p *plans) compares(word string) bool {
	named := p.catalog.Select(word)
	alone := func(e lint.Example) bool { return e.Against == "" }
	return len(named) > 0 && !slices.ContainsFunc(named, func(r *lint.Rule) bool { return slices.ContainsFunc(r.Bad, alone) })
}

// inputFlags are flags that restrict a run to some inputs or override their
// detection.
var inputFlags = []string{"exclude", "dialect", "kind", "form", "protocol", "auto-run", "partial"}

// searched reports whether all inputs of a configuration were searched.
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

// unused reports ignores that suppressed nothing, and overrides that match no
// input; with --verbose also those that other inputs may need.
func (r *checkRun) unused() {
	if r.flags.quiet && !r.flags.verbose || !r.complete() {
		return
	}
	printed := false
	note := func(decided bool, line string) {
		if decided || r.flags.verbose {
			r.command.printLine("%s", line)
			printed = printed || decided
		}
	}
	for _, by := range r.ignores.idle() {
		note(r.ignores.decidable[by], fmt.Sprintf("%s: unused ignore %s: it suppressed no finding", by.Origin, by.Text))
	}
	for _, o := range idleOverrides(r.plans) {
		note(r.canDecide(o.plan, lint.Selector{Origin: o.String()}), o.String()+": unused override: no input matches its paths")
	}
	if printed {
		r.command.printStderr("Set report-unused-ignores: false to disable these messages.\n")
	}
}

// complete reports whether every input was read to its end.
func (r *checkRun) complete() bool { return !r.summary.Incomplete && !r.trouble && !r.unreadInput }

// idleOverride is an override that matched no input, with the plan of an input
// that has its configuration.
type idleOverride struct {
	*config.Override
	plan *plan
}

func idleOverrides(plans []*plan) (idle []idleOverride) {
	known := map[*config.Override]bool{} // applied to an input, or listed
	for _, p := range plans {
		for _, o := range p.settings.Overrides {
			known[o] = true
		}
	}
	for _, p := range plans {
		for i := range p.settings.Config.Overrides {
			if o := &p.settings.Config.Overrides[i]; !known[o] {
				known[o] = true
				idle = append(idle, idleOverride{o, p})
			}
		}
	}
	return idle
}
