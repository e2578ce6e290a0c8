package main

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/show/page"
	"github.com/lmclint/lmclint/internal/show/timeline"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// leastDrawn is how many records an example has at least that is drawn: one
// record has no order.
const leastDrawn = 2

// drawExample draws the first bad example of a rule that has several records. It
// returns nil if none has.
func drawExample(r *lint.Rule) (*examplePicture, error) {
	for i, e := range r.Bad {
		var findings []lint.Finding
		keep := func(f *lint.Finding) error {
			findings = append(findings, *f)
			return nil
		}
		result, err := lintExample(e, keep, lint.WithObserver(timeline.Observe))
		if err != nil {
			return nil, fmt.Errorf("lint the example %q of %s: %w", e.Name, r.ID, err)
		}
		recording := timeline.Of(result)
		if recording == nil {
			continue
		}
		for j := range findings {
			if c, _ := recording.Add(&findings[j]); c != nil {
				place(c, &findings[j])
			}
		}
		for _, c := range recording.Conversations {
			if c.Records >= leastDrawn && len(c.Bars)+len(c.Marks) > 0 && len(c.Pins) > 0 {
				look := page.SVG{Title: fmt.Sprintf("%s %s: %s", r.ID, r.Name, e.Name), Escape: report.EscapeControls}
				return &examplePicture{i, look.Draw(c), page.Describe(c)}, nil
			}
		}
	}
	return nil, nil
}
