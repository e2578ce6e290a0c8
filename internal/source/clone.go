package source

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Clone returns a copy of the record that stays valid.
func (r *Record) Clone() *Record {
	c := *r
	c.Data = bytes.Clone(r.Data)
	c.Problems = slices.Clone(r.Problems)
	if r.Root != nil {
		c.Root = &value.Node{}
		r.Root.CloneTo(c.Root, c.Data)
	}
	return &c
}
