package validate

import "github.com/lmclint/lmclint/schema"

// MaxVerdicts is the number of verdicts in a memo.
const MaxVerdicts = maxVerdicts

// Cached returns the number of verdicts that a validator caches for a part.
func (v *Validator) Cached(part schema.Part) int {
	p, err := v.part(part)
	if err != nil {
		return 0
	}
	return len(p.cache.verdicts)
}

// ClearCache removes the cached verdicts for a part.
func (v *Validator) ClearCache(part schema.Part) {
	if p, err := v.part(part); err == nil {
		clear(p.cache.verdicts)
	}
}

// HasCompiled reports whether a validator has compiled a definition of a part.
func (v *Validator) HasCompiled(part schema.Part) bool {
	p, err := v.part(part)
	if err != nil {
		return false
	}
	compiled := false
	p.schemas.definitions.Range(func(any, any) bool {
		compiled = true
		return false
	})
	return compiled
}
