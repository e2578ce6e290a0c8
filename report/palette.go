package report

import (
	"strings"

	"github.com/fatih/color"

	"github.com/lmclint/lmclint/lint"
)

// ink is what to write before and behind a text to paint it; both are empty
// where nothing is painted.
type style struct{ on, off string }

func (i style) paint(b []byte, parts ...string) []byte {
	b = append(b, i.on...)
	for _, part := range parts {
		b = append(b, part...)
	}
	return append(b, i.off...)
}

// palette holds the colours of one writer. The switch that the library keeps
// for the whole program is left alone, since another writer may be no
// terminal.
type palette struct {
	path, gutter, related, help, faint style
	severities                         [lint.SeverityError + 1]style
}

func newPalette(on bool) *palette {
	mix := func(attributes ...color.Attribute) style {
		if !on {
			return style{}
		}
		c := color.New(attributes...)
		c.EnableColor()
		before, behind, _ := strings.Cut(c.Sprint("|"), "|")
		return style{before, behind}
	}
	p := &palette{
		path:    mix(color.Bold),
		gutter:  mix(color.FgBlue),
		related: mix(color.FgBlue, color.Bold),
		help:    mix(color.FgGreen),
		faint:   mix(color.Faint),
	}
	p.severities[lint.SeverityError] = mix(color.FgRed, color.Bold)
	p.severities[lint.SeverityWarning] = mix(color.FgYellow, color.Bold)
	p.severities[lint.SeverityNote] = mix(color.FgCyan, color.Bold)
	return p
}

func (p *palette) severity(s lint.Severity) style {
	if s == 0 || int(s) >= len(p.severities) {
		return p.faint
	}
	return p.severities[s]
}
