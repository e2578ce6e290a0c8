package report

import (
	"hash/maphash"
	"slices"

	"github.com/lmclint/lmclint/lint"
)

// maxMessages is how many different messages of an input are counted. Findings with
// others are all shown, so that memory is bounded.
const maxMessages = 10_000

// repeats counts the findings of an input by rule and message.
type repeats struct {
	seed   maphash.Seed
	counts map[uint64]int     // findings that were shown
	hidden map[uint64]*repeat // those that were not
	order  []*repeat
}

// repeat is the findings with one message that are not shown.
type repeat struct {
	first lint.Finding
	more  int
}

// add counts a finding. It reports whether as many with its message were shown
// before as may be.
func (r *repeats) add(f *lint.Finding, most int) bool {
	if r.counts == nil {
		r.seed, r.counts, r.hidden = maphash.MakeSeed(), map[uint64]int{}, map[uint64]*repeat{}
	}
	key := maphash.Comparable(r.seed, [3]string{f.Rule.ID, f.Severity.String(), f.Message})
	shown := r.counts[key]
	switch {
	case shown == 0 && len(r.counts) >= maxMessages:
		return false
	case shown < most:
		r.counts[key]++
		return false
	}
	of := r.hidden[key]
	if of == nil {
		first := *f
		first.Place.Excerpt, first.Place.Below, first.Related, first.Fix = lint.Finding{}.Place.Excerpt, nil, nil, nil
		of = &repeat{first: first}
		r.hidden[key] = of
		r.order = append(r.order, of)
	}
	of.more++
	return true
}

// take returns what was not shown, and begins another input.
func (r *repeats) take() []*repeat {
	all := slices.Clone(r.order)
	clear(r.counts)
	clear(r.hidden)
	r.order = r.order[:0]
	return all
}
