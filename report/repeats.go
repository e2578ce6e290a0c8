package report

import "github.com/lmclint/lmclint/lint"

// maxMessages is how many different messages of an input are counted. Findings with
// others are all shown, so that memory is bounded.
const maxMessages = 10_000

// repeats counts the findings of an input by rule, severity and message.
type repeats struct {
	counts map[[3]string]*repeat
	order  []*repeat // those with findings that are not shown
}

// repeat is the findings with one message.
type repeat struct {
	shown int
	more  int          // that are not shown
	first lint.Finding // of these
}

// add counts a finding. It reports whether as many with its message were shown
// before as may be.
func (r *repeats) add(f *lint.Finding, most int) bool {
	key := [3]string{f.Rule.ID, f.Severity.String(), f.Message}
	of := r.counts[key]
	switch {
	case of == nil && len(r.counts) >= maxMessages:
		return false
	case of == nil:
		of = &repeat{}
		if r.counts == nil {
			r.counts = map[[3]string]*repeat{}
		}
		r.counts[key] = of
	}
	if of.shown < most {
		of.shown++
		return false
	}
	if of.more++; of.more == 1 {
		of.first = *f
		of.first.Place.Excerpt.Text, of.first.Place.Below, of.first.Related, of.first.Fix = "", nil, nil, nil
		r.order = append(r.order, of)
	}
	return true
}
