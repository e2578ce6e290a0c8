package validate

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

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

// Uncached is a validator that uses neither memo nor samples.
type Uncached struct{ *Validator }

// NewUncached returns an uncached validator.
func NewUncached(d *schema.Dialect) Uncached { return Uncached{NewValidator(d)} }

// Check returns the verdict of the schemas.
func (u Uncached) Check(root *source.Node, part schema.Part) ([]Violation, error) {
	p, err := u.part(part)
	if err != nil {
		return nil, err
	}
	return p.definitionOf(root).validate(root)
}

// CheckUncached returns the verdict of the schemas.
func (v *WorkbenchValidator) CheckUncached(value *source.Node, part WorkbenchPart) ([]Violation, error) {
	by, err := v.definition(workbenchKey{part: part})
	if err != nil {
		return nil, err
	}
	return by.validate(value)
}
