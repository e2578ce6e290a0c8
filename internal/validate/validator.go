package validate

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// The names of the definitions that are no type's, as the published schemas
// have them.
const (
	defOther        = "record.other" // a record whose type is missing or unknown
	defAuth         = "frame.auth"
	defAck          = "frame.ack"
	defTypeless     = "frame.typeless" // a user's flag without a type
	defConfirmation = "confirmation.content"
	defLegacy       = "confirmation.legacy"
)

// Validator judges records by the schemas of one dialect. It is safe for
// concurrent use; a schema is compiled when the first record needs it, so one
// validator should serve as many conversations as possible. It remembers its
// verdicts on up to 4,096 shapes of records for each part. Of our own dialects
// it knows common shapes of valid records, and compiles nothing for them.
type Validator struct {
	dialect        *schema.Dialect
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
func NewValidator(d *schema.Dialect, options ...Option) *Validator {
	v := &Validator{
		dialect: d,
		message: sync.OnceValue(func() *recordValidator { return newAuthority(d, schema.Message) }),
		chunk:   sync.OnceValue(func() *recordValidator { return newAuthority(d, schema.Chunk) }),
	}
	for _, option := range options {
		option(v)
	}
	return v
}

func (v *Validator) authority(part schema.Part) (*recordValidator, error) {
	switch part {
	case schema.Message:
		return v.message(), nil
	case schema.Chunk:
		return v.chunk(), nil
	}
	return nil, fmt.Errorf("schema: no part %d", part)
}

// Dialect returns the dialect whose schemas the validator has.
func (v *Validator) Dialect() *schema.Dialect { return v.dialect }

// Check returns the violations of a record, in source order; none if it is
// valid. Root must be an object without duplicate keys. An error says that
// the record could not be judged; it is no fault of the record.
func (v *Validator) Check(root *source.Node, part schema.Part) ([]Violation, error) {
	found, err := v.Append(nil, root, part)
	for i := range found {
		found[i].Expected = slices.Clone(found[i].Expected)
	}
	return found, err
}

// Append is Check for who judges many records, one after another: it appends
// the violations to those of a list. What they expect is not to be changed.
func (v *Validator) Append(list []Violation, root *source.Node, part schema.Part) ([]Violation, error) {
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

// authority judges the records of one part by asking jsonschema/v5, and
// remembers the verdicts. Some are known before.
type recordValidator struct {
	dialect *schema.Dialect
	part    schema.Part
	schemas *compiled

	types                      []*definition // in the order of the dialect's types
	other, auth, ack, typeless *definition

	healthy func() []byte // published records that are valid
	memo    *memo
}

func newAuthority(d *schema.Dialect, part schema.Part) *recordValidator {
	a := &recordValidator{
		dialect: d,
		part:    part,
		schemas: newCompiled(func() []byte { return d.Schema(part) }),
		healthy: sync.OnceValue(func() []byte { return validSamples(d, part) }),
		memo:    newMemo(),
	}
	for i := range d.Types {
		a.types = append(a.types, a.definition(d.Types[i].Name, &d.Types[i]))
	}
	a.other = a.definition(defOther, nil)
	a.auth = a.definition(defAuth, nil)
	a.ack = a.definition(defAck, nil)
	a.typeless = a.definition(defTypeless, nil)
	return a
}

// judge has the schemas' verdict on a record.
func (a *recordValidator) judge(root *source.Node, by *definition) ([]Violation, error) {
	record := root.Value()
	reduceContent(record)
	failed, err := a.schemas.validate(by.name, record)
	if err != nil || failed == nil {
		return nil, err
	}
	return a.translate(root, by.typ, failed)
}

// recall appends the same verdict to a list, from memory where a record of that
// shape was judged before or is known to be valid.
func (a *recordValidator) cachedVerdict(list []Violation, root *source.Node, by *definition) ([]Violation, error) {
	var form shape
	known := by.known()
	shaped := form.add(known.relevance, root)
	if shaped {
		if remembered := a.memo.find(by, form.bytes()); remembered != nil {
			return remembered.append(list, root), nil
		}
		if known.isValid(form.bytes()) || known.isValidSorted(root) {
			a.memo.add(by, form.bytes(), root, nil)
			return list, nil
		}
	}
	found, err := a.judge(root, by)
	if shaped && err == nil {
		a.memo.add(by, form.bytes(), root, found)
	}
	return append(list, found...), err
}

// definition is one of the definitions that records are judged by.
type definition struct {
	name  string
	typ   *schema.Type        // the record's type, nil where it is missing or unknown
	known func() *precompiled // what is known of it without a record
}

func (a *recordValidator) definition(name string, t *schema.Type) *definition {
	by := &definition{name: name, typ: t}
	by.known = sync.OnceValue(func() *precompiled { return a.knowledgeOf(by) })
	return by
}

// definitionOf returns the definition that judges a record. It decides as the
// published schema's root does.
func (a *recordValidator) definitionOf(root *source.Node) *definition {
	typ := root.Member("type")
	if typ == nil && a.part == schema.Chunk && a.dialect.ServerFrames {
		return a.frameOf(root)
	}
	if typ == nil || typ.Kind != source.String {
		return a.other
	}
	text := textOf(typ)
	for _, by := range a.types {
		if by.typ.Name != string(text) {
			continue
		}
		if by.typ.In(a.part) {
			return by
		}
		break
	}
	return a.other
}

// frameOf returns the definition of a record without a type.
func (a *recordValidator) frameOf(root *source.Node) *definition {
	role, auth, ack := root.Member("role"), root.Member("auth"), root.Member("ack")
	switch {
	case role == nil && auth != nil:
		return a.auth
	case role == nil && ack != nil:
		return a.ack
	case auth != nil || ack != nil || root.Member("content") != nil:
		return a.other
	case role != nil && a.hasType(role):
		return a.other
	}
	for i := range root.Children {
		if a.dialect.IsFlag(root.Children[i].Name) {
			return a.typeless
		}
	}
	return a.other
}

// hasType reports whether the flags of a role always have a type.
func (a *recordValidator) hasType(role *source.Node) bool {
	if role.Kind != source.String {
		return false
	}
	text := textOf(role)
	for _, known := range a.dialect.Roles {
		if known == string(text) {
			return known != "user"
		}
	}
	return false
}

// textOf returns the decoded text of a string, without a copy where it has no
// escapes.
func textOf(n *source.Node) []byte {
	if n.Escaped() {
		return []byte(n.Text())
	}
	raw := n.Raw()
	return raw[1 : len(raw)-1]
}
