package report

import (
	"math"

	"github.com/lmclint/lmclint/lint"
)

// lineOrder gives the findings of an input in the order of its lines. Some are
// decided long after their line: that a block has no end, for instance. The
// findings after it wait for that, or for the end of the input.
type lineOrder struct {
	byLine  func(path string) bool // Options.ByLine
	kept    spool
	other   spool // for what still waits when others were written
	settled int64 // Finding.Settled of the last finding
	next    int   // how many findings wait before it is worth to write some
}

// applies reports whether the findings of an input wait.
func (o *lineOrder) applies(path string) bool { return o.byLine != nil && o.byLine(path) }

// add keeps the text of a finding. Those before it that are settled are written
// with release.
func (o *lineOrder) add(f *lint.Finding, text []byte, write func(rule string, text []byte) error) error {
	if f.Settled > o.settled && o.kept.len() >= o.next {
		if err := o.releaseBefore(f.Settled, write); err != nil {
			return err
		}
	}
	o.settled = max(o.settled, f.Settled)
	return o.kept.add(f, text)
}

// release calls write with the id of the rule and the text of each finding that
// waits, by path, offset and rule. The text is valid during the call. The next
// finding is one of another input.
func (o *lineOrder) release(write func(rule string, text []byte) error) error {
	err := o.releaseBefore(math.MaxInt64, write)
	o.settled, o.next = 0, 0
	return err
}

// releaseBefore is release for the findings at places before an offset. The
// others wait on, and twice as many must before the next call, so that each
// finding is moved a few times only.
func (o *lineOrder) releaseBefore(offset int64, write func(rule string, text []byte) error) error {
	o.kept.sort()
	for i := range o.kept.len() {
		e := &o.kept.entries[i]
		text, err := o.kept.text(i)
		if err != nil {
			return err
		}
		if e.offset < offset {
			err = write(o.kept.rule(i), text)
		} else {
			err = o.other.put(o.kept.path(i), o.kept.rule(i), e.offset, text)
		}
		if err != nil {
			return err
		}
	}
	o.kept.clear()
	o.kept, o.other = o.other, o.kept
	o.next = 2 * o.kept.len()
	return nil
}
