package lint

import "slices"

// WithSettled sets [Finding.Settled], anew when that many findings came since the
// last time at least: it takes as long as the check of a few records. It has no
// effect for a session log, nor for an input that is compared with a stored
// conversation, nor with [WithStopOn].
func WithSettled(every int) Option { return func(l *Linter) { l.settleEvery = every } }

// settler knows up to where the findings of an input are complete.
type settler struct {
	found   int     // findings since the last look
	ends    []int64 // of records up to which everything was checked when they were looked at, in order
	settled int64   // the last of them before which no finding is missing
}

// settle looks, now and then, up to where the findings are complete. A rule that
// may report at an earlier record holds that back. Like a [Gate], which the
// guarantee is that of, it knows no place within a JSON document.
func (r *run) settle() {
	s := &r.settler
	if every := r.linter.settleEvery; every == 0 || s.found < every || len(r.pending) > 0 || r.gate != nil || r.linter.config.Against != nil {
		return
	}
	s.found = 0
	if r.conv.kind&Sessions != 0 {
		return // what interrupts a block of the server may be known only later
	}
	x := r.reader.Extent()
	if x.Amid || x.InDocument {
		return
	}
	s.ends = append(s.ends, x.End)
	undecided := r.undecided(0, x.Skipped)
	i := len(s.ends)
	for i > 0 && s.ends[i-1] > undecided {
		i--
	}
	if i > 0 {
		s.settled = s.ends[i-1]
		s.ends = slices.Delete(s.ends, 0, i-1)
	}
}
