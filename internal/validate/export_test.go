package validate

import "github.com/lmclint/lmclint/schema"

// MaxShapes is how many shapes of records of one part are remembered.
const MaxShapes = maxShapes

// Remembered returns how many shapes of a part's records a validator has in
// its memory.
func (v *Validator) Remembered(part schema.Part) int {
	a, err := v.authority(part)
	if err != nil {
		return 0
	}
	return int(a.memo.count.Load())
}

// Forget empties the memory for a part.
func (v *Validator) Forget(part schema.Part) {
	if a, err := v.authority(part); err == nil {
		a.memo = newMemo()
	}
}

// Compiled reports whether a validator has compiled any of a part's schema.
func (v *Validator) Compiled(part schema.Part) bool {
	a, err := v.authority(part)
	if err != nil {
		return false
	}
	compiled := false
	a.schemas.definitions.Range(func(any, any) bool {
		compiled = true
		return false
	})
	return compiled
}
