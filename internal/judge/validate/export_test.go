package validate

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// MaxVerdicts is the number of verdicts in a memo.
const MaxVerdicts = maxVerdicts

// ShortenNumbers shortens the long numbers in a value, which the library that validates
// cannot compute.
var ShortenNumbers = shortenNumbers

// Cached returns the number of verdicts that a validator caches for a part.
func (v *Validator) Cached(part schema.Part) int {
	return len(v.parts[part].memo.verdicts)
}

// HasCached reports whether a validator caches the verdict on a record.
func (v *Validator) HasCached(root *source.Node, part schema.Part) bool {
	p := v.parts[part]
	name, _ := p.definitionOf(root)
	compiled, err := p.memo.document.definition(name)
	if err != nil {
		return false
	}
	key := compiled.visible.appendKey(nil, root)
	_, ok := p.memo.verdicts[memoKey{name, string(key)}]
	return ok
}

// Uncached is a validator without a memo.
type Uncached struct{ *Validator }

// NewUncached returns an uncached validator.
func NewUncached(d *schema.Dialect) Uncached { return Uncached{NewValidator(d)} }

// Check returns the verdict of the schemas, asked anew.
func (u Uncached) Check(root *source.Node, part schema.Part) ([]Violation, error) {
	clear(u.parts[part].memo.verdicts)
	return u.Validator.Check(root, part)
}
