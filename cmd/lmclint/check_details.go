package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/config"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// details says with --verbose what is done with each input, and why. Without
// it, it is silent.
type details struct {
	command *Command
	on      bool
	used    map[lint.Selector]bool // selectors that ignore rules: whether they ignored anything
}

func (c *Command) details(on bool) *details {
	return &details{command: c, on: on, used: map[lint.Selector]bool{}}
}

// left says why an input or a directory was left out.
func (d *details) left(path, why string) {
	if d.on {
		d.command.say(report.Visible(path+": "+why) + "\n")
	}
}

// input says what an input is and what holds for it.
func (d *details) input(p *plan, r lint.Result) {
	if !d.on {
		return
	}
	line := fmt.Sprintf("%s: %s %s, %s, dialect %s, %s", r.Path, cmp.Or(r.Protocol, "?"), cmp.Or(r.Kind, "input"),
		cmp.Or(string(r.Form), "?"), cmp.Or(r.Dialect, "?"), report.Quantity(r.Records, "record"))
	if p.settings != nil {
		line += configured(p.settings)
	}
	d.command.say(report.Visible(line) + "\n")
	d.note(p, r)
}

// configured names the configuration of an input, if it has one.
func configured(s *config.Settings) string {
	if s.Config.Path == "" {
		return ""
	}
	text := "; configured by " + s.Config.Path
	for _, o := range s.Overrides {
		text += ", " + o.String()
	}
	return text
}

// note remembers which ignores were of use.
func (d *details) note(p *plan, r lint.Result) {
	if p.selection == nil {
		return
	}
	for _, by := range p.selection.Ignores() {
		if !d.used[by] {
			d.used[by] = false // it is there, and not of use yet
		}
	}
	for _, rule := range r.Ignored {
		if by, ok := p.selection.IgnoredBy(rule); ok {
			d.used[by] = true
		}
	}
}

// unused names the ignores that ignored nothing, and the overrides that were
// about none of the inputs.
func (d *details) unused(plans []*plan) {
	if !d.on {
		return
	}
	var idle []lint.Selector
	for by, used := range d.used {
		if !used {
			idle = append(idle, by)
		}
	}
	slices.SortFunc(idle, func(a, b lint.Selector) int {
		return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.Word, b.Word))
	})
	for _, by := range idle {
		d.command.say(report.Visible(fmt.Sprintf("%s: ignoring %s left out no finding", by.Origin, by.Word)) + "\n")
	}
	for _, o := range idleOverrides(plans) {
		d.command.say(report.Visible(o.String()+": this override is about none of the inputs") + "\n")
	}
}

func idleOverrides(plans []*plan) []*config.Override {
	holding := map[*config.Override]bool{}
	known := map[*config.Config]bool{}
	var idle []*config.Override
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
				idle = append(idle, &c.Overrides[i])
			}
		}
	}
	return idle
}
