// Package validate checks values by the JSON Schemas of package schema. It is
// the only package that uses jsonschema/v5, and answers in causes that belong
// to no validator and no rule: which value is wrong, and what was expected.
package validate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// Definitions of an LMC schema that are not types.
const (
	defOther        = "record.other" // a record whose type is missing or unknown
	defAuth         = "frame.auth"
	defAck          = "frame.ack"
	defTypeless     = "frame.typeless" // a user's flag without a type
	defConfirmation = "confirmation.content"
	defLegacy       = "confirmation.legacy"
	defEdit         = "confirmation.edit"
)

// Validator validates LMC records by the schemas of one dialect. It is safe for
// concurrent use, and compiles each definition when it is first needed, so one
// Validator should be shared by as many conversations as possible. It caches
// verdicts, at most 4,096 for each part.
type Validator struct {
	dialect *schema.Dialect
	parts   map[schema.Part]*partValidator
}

// NewValidator returns a validator for a dialect, which must not change any
// more.
func NewValidator(d *schema.Dialect) *Validator {
	return &Validator{d, map[schema.Part]*partValidator{
		schema.Message: newPartValidator(d, schema.Message), schema.Chunk: newPartValidator(d, schema.Chunk),
	}}
}

// Dialect returns the dialect of the validator.
func (v *Validator) Dialect() *schema.Dialect { return v.dialect }

// Check returns the violations of a record in source order, none if it is
// valid. Root must be an object without duplicate keys. An error means that the
// record could not be validated, and says nothing about the record. The field Expected
// of violations is shared and must not be changed.
func (v *Validator) Check(root *source.Node, part schema.Part) ([]Violation, error) {
	if root == nil || root.Kind != source.Object {
		return nil, errors.New("the record is not an object")
	}
	p := v.parts[part]
	if p == nil {
		return nil, fmt.Errorf("unknown part %d", part)
	}
	name, t := p.definitionOf(root)
	leaves, err := p.memo.check(name, root)
	if err != nil || len(leaves) == 0 {
		return nil, err
	}
	return p.translate(root, t, leaves)
}

// partValidator validates the records of one part.
type partValidator struct {
	dialect *schema.Dialect
	part    schema.Part
	types   []string // that the part allows
	keys    []string // that its records may have
	memo    *memo
}

func newPartValidator(d *schema.Dialect, part schema.Part) *partValidator {
	document := newDocument(func() ([]byte, error) { return d.Schema(part) })
	return &partValidator{dialect: d, part: part, types: d.TypeNames(part), keys: d.KnownKeys(part), memo: newMemo(document)}
}

// definitionOf returns the definition of a record and its type, which is nil if it
// is missing or unknown. It decides as the root of the published schema does.
func (p *partValidator) definitionOf(root *source.Node) (string, *schema.Type) {
	typ := root.Member("type")
	if typ == nil && p.part == schema.Chunk && p.dialect.ServerFrames {
		return p.frameOf(root), nil
	}
	if typ != nil && typ.Kind == source.String {
		text := typ.Bytes()
		i := slices.IndexFunc(p.dialect.Types, func(t schema.Type) bool { return t.Name == string(text) })
		if i >= 0 && p.dialect.Types[i].In(p.part) {
			return p.dialect.Types[i].Name, &p.dialect.Types[i]
		}
	}
	return defOther, nil
}

// frameOf returns the definition of a record without a type.
func (p *partValidator) frameOf(root *source.Node) string {
	role, auth, ack := root.Member("role"), root.Member("auth"), root.Member("ack")
	switch {
	case role == nil && auth != nil:
		return defAuth
	case role == nil && ack != nil:
		return defAck
	case auth != nil || ack != nil || root.Member("content") != nil:
		return defOther
	case role != nil && p.needsType(role):
		return defOther
	}
	if slices.ContainsFunc(root.Children, func(n source.Node) bool { return p.dialect.IsFlag(n.Name) }) {
		return defTypeless
	}
	return defOther
}

// needsType reports whether the flags of a role always have a type.
func (p *partValidator) needsType(role *source.Node) bool {
	return role.Kind == source.String && role.Text() != "user" && slices.Contains(p.dialect.Roles, role.Text())
}
