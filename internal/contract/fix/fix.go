// Package fix has the changes of an input that fix findings: a [Fix] consists of edits,
// which the functions of the package make of a record. Package apply applies them, and
// package offer has those that several rules make.
package fix

// Fix is a change of the input that fixes a finding.
type Fix struct {
	Message string // what it does: one line, as in `rename "stop" to "end"`
	Safe    bool   // each consumer gets the same, or what was plainly meant

	// Edits are the changes, in the decompressed input; they do not overlap.
	// They are all to be made, or none.
	Edits []Edit

	// Partial says that the fix changes later records of the input, too, or has more
	// than MaxListed edits. Edits has all of these only lint.WithFixes.
	Partial bool

	// Alone says that it probably guesses wrong where the fix of another finding has to be
	// applied with it.
	Alone bool
}

// MaxListed is how many edits of a fix a report lists.
const MaxListed = 100

// Extend adds the fix of a finding that repeats the one of f, so that f fixes both.
func (f *Fix) Extend(repeated *Fix) {
	if f == nil || repeated == nil {
		return
	}
	f.Partial, f.Safe = true, f.Safe && repeated.Safe
	f.Edits = append(f.Edits, repeated.Edits...)
}

// ByteEdits returns the edits if they are all that the fix changes, and are
// changes of bytes. Else it returns nil: package apply computes the others.
func (f *Fix) ByteEdits() []Edit {
	if f == nil || f.Partial {
		return nil
	}
	for i := range f.Edits {
		if f.Edits[i].Change != ReplaceBytes {
			return nil
		}
	}
	return f.Edits
}

// Safe returns a safe fix, or nil if edits is empty.
func Safe(message string, edits []Edit) *Fix { return newFix(message, true, edits) }

// Unsafe returns an unsafe fix, or nil if edits is empty.
func Unsafe(message string, edits []Edit) *Fix { return newFix(message, false, edits) }

func newFix(message string, safe bool, edits []Edit) *Fix {
	if len(edits) == 0 {
		return nil
	}
	return &Fix{Message: message, Safe: safe, Edits: edits}
}
