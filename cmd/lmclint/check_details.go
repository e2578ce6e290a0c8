package main

import (
	"cmp"
	"fmt"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// details says with --verbose what is done with each input, and why. Without
// it, it is silent.
type details struct {
	command *Command
	on      bool
}

func (c *Command) details(on bool) *details {
	return &details{command: c, on: on}
}

// left says why an input or a directory was left out.
func (d *details) left(path, why string) {
	if d.on {
		d.command.printStderr(report.EscapeControls(path+": "+why) + "\n")
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
	d.command.printStderr(report.EscapeControls(line) + "\n")
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
