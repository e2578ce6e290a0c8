package schema

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
)

// Validator judges records by the schemas of one dialect. It is safe for
// concurrent use; a schema is compiled when the first record needs it, so one
// validator should serve as many conversations as possible. It remembers its
// verdicts on up to 4,096 shapes of records for each part. Of our own dialects
// it knows common shapes of valid records, and compiles nothing for them.
type Validator struct {
	dialect        *Dialect
	message, chunk func() *recordValidator
	noMemo         bool
}

// Option changes how a validator works.
type Option func(*Validator)

// WithoutMemo makes a validator ask the schemas about every record, healthy
// ones too. Its answers are the same, at many times the cost.
func WithoutMemo() Option { return func(v *Validator) { v.noMemo = true } }

// NewValidator makes a validator for a dialect, which must not change any
// more.
func NewValidator(d *Dialect, options ...Option) *Validator {
	v := &Validator{
		dialect: d,
		message: sync.OnceValue(func() *recordValidator { return newAuthority(d, Message) }),
		chunk:   sync.OnceValue(func() *recordValidator { return newAuthority(d, Chunk) }),
	}
	for _, option := range options {
		option(v)
	}
	return v
}

func (v *Validator) authority(part Part) (*recordValidator, error) {
	switch part {
	case Message:
		return v.message(), nil
	case Chunk:
		return v.chunk(), nil
	}
	return nil, fmt.Errorf("schema: no part %d", part)
}

// Dialect returns the dialect whose schemas the validator has.
func (v *Validator) Dialect() *Dialect { return v.dialect }

// Check returns the violations of a record, in source order; none if it is
// valid. Root must be an object without duplicate keys. An error says that
// the record could not be judged; it is no fault of the record.
func (v *Validator) Check(root *source.Node, part Part) ([]Violation, error) {
	found, err := v.Append(nil, root, part)
	for i := range found {
		found[i].Expected = slices.Clone(found[i].Expected)
	}
	return found, err
}

// Append is Check for who judges many records, one after another: it appends
// the violations to those of a list. What they expect is not to be changed.
func (v *Validator) Append(list []Violation, root *source.Node, part Part) ([]Violation, error) {
	if root == nil || root.Kind != source.Object {
		return list, errors.New("schema: the record is no object")
	}
	a, err := v.authority(part)
	if err != nil {
		return list, err
	}
	definition := a.definitionOf(root)
	if !v.noMemo {
		return a.cachedVerdict(list, root, definition)
	}
	found, err := a.judge(root, definition)
	return append(list, found...), err
}
