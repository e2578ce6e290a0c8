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
	dialect *Dialect
	parts   func() map[Part]*compiled
}

// NewValidator makes a validator for a dialect, which must not change any
// more.
func NewValidator(d *Dialect) *Validator {
	return &Validator{dialect: d, parts: sync.OnceValue(func() map[Part]*compiled {
		texts := d.Schemas()
		return map[Part]*compiled{
			Message: newCompiled(d.ID(Message.String()), texts[Message.String()]),
			Chunk:   newCompiled(d.ID(Chunk.String()), texts[Chunk.String()]),
		}
	})}
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
	schemas, ok := v.parts()[part]
	if !ok {
		return nil, fmt.Errorf("schema: no part %d", part)
	}
	t, definition := v.dialect.definitionOf(root, part)
	failed, err := schemas.validate(definition, root.Value())
	if err != nil || failed == nil {
		return nil, err
	}
	return v.translate(root, part, t, schemas, failed)
}
