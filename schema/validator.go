package schema

import (
	"errors"
	"fmt"
	"sync"

	"github.com/lmclint/lmclint/source"
)

// Validator judges records by the schemas of one dialect. It is safe for
// concurrent use; a schema is compiled when the first record needs it, so one
// validator should serve as many conversations as possible.
type Validator struct {
	dialect        *Dialect
	message, chunk func() *compiled
}

// NewValidator makes a validator for a dialect, which must not change any
// more.
func NewValidator(d *Dialect) *Validator {
	return &Validator{dialect: d, message: d.compiled(Message), chunk: d.compiled(Chunk)}
}

func (d *Dialect) compiled(part Part) func() *compiled {
	return sync.OnceValue(func() *compiled {
		return newCompiled(d.ID(part.String()), d.recordSchema(part).text())
	})
}

func (v *Validator) compiled(part Part) (*compiled, error) {
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
	if root == nil || root.Kind != source.Object {
		return nil, errors.New("schema: the record is no object")
	}
	schemas, err := v.compiled(part)
	if err != nil {
		return nil, err
	}
	t, definition := v.dialect.definitionOf(root, part)
	record := root.Value()
	reduceContent(record)
	failed, err := schemas.validate(definition, record)
	if err != nil || failed == nil {
		return nil, err
	}
	return v.translate(root, part, t, schemas, failed)
}
