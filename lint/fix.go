package lint

import (
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
)

// Fix is a change of the input that fixes a finding.
type Fix = fix.Fix

// Edit is one change of a fix.
type Edit = fix.Edit

// Fixes is a set of kinds of fixes.
type Fixes uint8

// The kinds of fixes.
const (
	SafeFixes   Fixes = 1 << iota // fixes after which each consumer gets the same, or what was plainly meant
	UnsafeFixes                   // fixes that may guess wrong or lose something
)

// Has reports whether the set contains fixes of a kind.
func (f Fixes) Has(other Fixes) bool { return f&other != 0 }

// Names returns the kinds in words: "safe", "unsafe", both or none.
func (f Fixes) Names() []string {
	var names []string
	if f.Has(SafeFixes) {
		names = append(names, "safe")
	}
	if f.Has(UnsafeFixes) {
		names = append(names, "unsafe")
	}
	return names
}

// String returns the names, as in "safe or unsafe", or "none".
func (f Fixes) String() string {
	if f == 0 {
		return "none"
	}
	return strings.Join(f.Names(), " or ")
}
