package embedded

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// prefixes compares what stands before the objects of a log. Two prefixes are
// the same if they differ in nothing but numbers, as those of times do.
type prefixes struct {
	last []byte // before the last record
	next []byte // before the object at hand
	some bool   // there was a record
}

// known reports whether the object at hand has the prefix of the last record.
func (p *prefixes) known() bool { return p.some && bytes.Equal(p.last, p.next) }

// keep says that the object at hand is a record.
func (p *prefixes) keep() {
	p.last, p.next, p.some = p.next, p.last, true
}

// see takes note of a prefix. Each number counts as a single digit.
func (p *prefixes) see(prefix []byte) {
	p.next = p.next[:0]
	for i, c := range prefix {
		if !value.IsDigit(c) {
			p.next = append(p.next, c)
		} else if i == 0 || !value.IsDigit(prefix[i-1]) {
			p.next = append(p.next, '0')
		}
	}
}
