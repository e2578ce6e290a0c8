package report

import (
	"strings"

	"github.com/fatih/color"

	"github.com/lmclint/lmclint/lint"
)

// palette is the colors of one writer. It does not use the global switch of the
// library, which knows nothing of the writer.
type palette struct {
	path, message, gutter, related, help, faint style
	removed, added                              style
	severities                                  [lint.SeverityError + 1]style
}

func newPalette(on bool) *palette {
	mix := func(attributes ...color.Attribute) style {
		if !on {
			return style{}
		}
		c := color.New(attributes...)
		c.EnableColor()
		before, after, _ := strings.Cut(c.Sprint("|"), "|")
		return style{before, after}
	}
	p := &palette{
		path:    mix(color.Bold),
		message: mix(color.Bold),
		gutter:  mix(color.FgBlue),
		related: mix(color.FgBlue, color.Bold),
		help:    mix(color.FgGreen),
		faint:   mix(color.Faint),
		removed: mix(color.FgRed),
		added:   mix(color.FgGreen),
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

// style is what to write before and after a text to color it. Both are empty
// without colors.
type style struct{ on, off string }

func (s style) paint(b []byte, parts ...string) []byte {
	b = append(b, s.on...)
	for _, part := range parts {
		b = append(b, part...)
	}
	return append(b, s.off...)
}
