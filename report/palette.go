package report

import (
	"github.com/fatih/color"

	"github.com/lmclint/lmclint/lint"
)

// palette holds the colours of one writer. The colours are bound to the
// palette: the switch that the library keeps for the whole program is left
// alone, since another writer may be no terminal.
type palette struct {
	path, gutter, related, help, faint *color.Color
	severities                         map[lint.Severity]*color.Color
}

func newPalette(on bool) *palette {
	paint := func(attributes ...color.Attribute) *color.Color {
		c := color.New(attributes...)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c
	}
	return &palette{
		path:    paint(color.Bold),
		gutter:  paint(color.FgBlue),
		related: paint(color.FgBlue, color.Bold),
		help:    paint(color.FgGreen),
		faint:   paint(color.Faint),
		severities: map[lint.Severity]*color.Color{
			lint.SeverityError:   paint(color.FgRed, color.Bold),
			lint.SeverityWarning: paint(color.FgYellow, color.Bold),
			lint.SeverityNote:    paint(color.FgCyan, color.Bold),
		},
	}
}

func (p *palette) severity(s lint.Severity) *color.Color {
	if c, ok := p.severities[s]; ok {
		return c
	}
	return p.faint
}
