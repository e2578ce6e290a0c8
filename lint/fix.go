package lint

import (
	"strings"

	"github.com/lmclint/lmclint/internal/source"
)

// Fix is a change of the input that fixes a finding.
type Fix struct {
	Message string // what it does: one line, as in `rename "stop" to "end"`
	Safe    bool   // each consumer gets the same, or what was plainly meant

	// Edits are the changes, in the decompressed input; they do not overlap.
	// They are all to be made, or none.
	Edits []Edit

	// Partial says that the fix changes later records of the input, too. Edits
	// has these changes only WithFixes.
	Partial bool
}

// Edit is one change of a fix.
type Edit = source.Edit

// Extend adds the fixes of findings that would repeat the one of f, so that f fixes
// all of them.
func (f *Fix) Extend(repeated []Finding) {
	for _, r := range repeated {
		if f == nil || r.Fix == nil {
			continue
		}
		f.Partial, f.Safe = true, f.Safe && r.Fix.Safe
		f.Edits = append(f.Edits, r.Fix.Edits...)
	}
}

// ByteEdits returns the edits if they are all that the fix changes, and are
// changes of bytes. Else it returns nil: package fix computes the others.
func (f *Fix) ByteEdits() []Edit {
	if f == nil || f.Partial {
		return nil
	}
	for i := range f.Edits {
		if f.Edits[i].Change != source.ReplaceBytes {
			return nil
		}
	}
	return f.Edits
}

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

// SafeFix returns a safe fix, or nil if there are no edits.
func SafeFix(message string, edits []Edit) *Fix { return newFix(message, true, edits) }

// UnsafeFix returns an unsafe fix, or nil if there are no edits.
func UnsafeFix(message string, edits []Edit) *Fix { return newFix(message, false, edits) }

func newFix(message string, safe bool, edits []Edit) *Fix {
	if len(edits) == 0 {
		return nil
	}
	return &Fix{Message: message, Safe: safe, Edits: edits}
}
