// Package validate checks values by the JSON Schemas of package schema. It is
// the only package that uses jsonschema/v5, and answers in causes that belong
// to no validator and no rule: which value is wrong, and what was expected.
package validate

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

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

// maxVerdicts is the number of verdicts in a memo. Most inputs need few.
const maxVerdicts = 4096

// maxKey is the size in bytes that the key of a value may have.
const maxKey = 512

// memo caches the verdicts of a document's definitions. Programs repeat
// themselves, in their mistakes as well, and a cached verdict costs about a
// hundredth of one by jsonschema/v5. Its invariants:
//
//   - The key of a verdict is the definition and all that its schema can see of
//     the value ([visible.appendKey]), so equal keys have equal verdicts.
//   - A verdict is what jsonschema/v5 answered, before it is translated: what a
//     violation says of the value is never cached.
//   - A verdict never changes once it is stored, so readers share it.
//
// A memo is safe for concurrent use.
type memo struct {
	document *schemaDocument
	mu       sync.RWMutex // guards verdicts
	verdicts map[memoKey][]leaf
}

type memoKey struct{ definition, value string }

func newMemo(d *schemaDocument) *memo { return &memo{document: d, verdicts: map[memoKey][]leaf{}} }

// check returns what violates a definition in a value, or nothing. The result
// is shared and must not be changed.
func (m *memo) check(definition string, value *source.Node) ([]leaf, error) {
	compiled, err := m.document.definition(definition)
	if err != nil {
		return nil, err
	}
	var space [maxKey]byte
	key := compiled.visible.appendKey(space[:0], value)
	if len(key) > maxKey {
		return m.document.validate(definition, compiled.visible.valueOf(value))
	}
	m.mu.RLock()
	leaves, ok := m.verdicts[memoKey{definition, string(key)}]
	m.mu.RUnlock()
	if ok {
		return leaves, nil
	}
	leaves, err = m.document.validate(definition, compiled.visible.valueOf(value))
	if err == nil {
		m.add(memoKey{definition, string(key)}, leaves)
	}
	return leaves, err
}

// add stores a verdict. A full memo forgets another one for it.
func (m *memo) add(key memoKey, leaves []leaf) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.verdicts) >= maxVerdicts {
		for other := range m.verdicts {
			delete(m.verdicts, other)
			break
		}
	}
	m.verdicts[key] = leaves
}

// appendKey appends all that the schema can see of a value: kinds and booleans
// always, of names, strings and numbers what [visible] says. Anything of
// variable length is preceded by its length, so different keys never look
// alike. A key that becomes longer than maxKey is cut somewhere.
func (v *visible) appendKey(key []byte, n *source.Node) []byte {
	key = append(key, byte(n.Kind))
	switch n.Kind {
	case source.Object, source.Array:
		key = binary.AppendUvarint(key, uint64(len(n.Children)))
		for i := 0; i < len(n.Children) && len(key) <= maxKey; i++ {
			child := &n.Children[i]
			if n.Kind == source.Object {
				key = v.appendName(key, child.Name)
			}
			key = v.appendKey(key, child)
		}
	case source.String:
		if v.isLongOther(n) {
			return append(key, textOther)
		}
		text := n.Bytes()
		if v.exact || v.texts[string(text)] {
			return appendExact(key, text)
		}
		return append(key, classOf(text))
	case source.Number:
		return v.appendNumber(key, n)
	case source.Bool:
		return append(key, n.Raw()[0]|0x20) // True in Python
	}
	return key
}

// appendName appends a name, or for one that the schema does not know that there is one.
func (v *visible) appendName(key []byte, name string) []byte {
	if !v.exact && !v.names[name] {
		return append(key, 0)
	}
	return append(binary.AppendUvarint(key, 1+uint64(len(name))), name...)
}

// What a key contains instead of a string or number that the schema sees only in part.
const (
	textEmpty = iota
	textZeros
	textDigits
	textOther
	isFraction
	isInteger
	isExact // its text follows
)

// appendExact appends a text with its length.
func appendExact(key, text []byte) []byte {
	key = binary.AppendUvarint(append(key, isExact), uint64(len(text)))
	return append(key, text[:min(len(text), maxKey)]...)
}

func classOf(text []byte) byte {
	class := byte(min(len(text), textZeros))
	for _, c := range text {
		switch {
		case c < '0' || c > '9':
			return textOther
		case c != '0':
			class = textDigits
		}
	}
	return class
}

// visible is what a schema can see of names, strings and numbers. It is read from the
// text that is compiled, so no constraint can be forgotten: a keyword that is not known
// here makes everything visible.
type visible struct {
	exact    bool            // all of them, verbatim
	names    map[string]bool // whether a key is one of these; of others only their number
	texts    map[string]bool // whether a string is one of these, of enum and const
	longest  int             // bytes of the longest of texts
	integers bool            // whether a number is an integer
	bounds   []*big.Rat      // how a number compares with each of these
}

// digits is the pattern of the strings that every key tells apart.
const digits = "^0*[1-9][0-9]*$"

// read adds what a schema can see, wherever it applies its subschemas, and removes its
// annotations: the compiler checks each by the schema of schemas. It returns the names of
// the definitions that the schema refers to, for a reference to anything else the empty
// name.
func (v *visible) read(schema any) (references []string) {
	keywords, _ := schema.(map[string]any) // else true or false
	for keyword, value := range keywords {
		var subschemas []any
		text, _ := value.(string)
		list, _ := value.([]any)
		members, _ := value.(map[string]any)
		switch keyword {
		case "title", "description", "$comment", "examples":
			delete(keywords, keyword)
		case "minItems", "maxItems", "minContains", "maxContains": // the number of elements is in every key
		case "$ref":
			references = append(references, definitionName(text))
		case "required":
			for _, name := range list {
				if name, ok := name.(string); ok {
					v.names[name] = true
				}
			}
		case "type":
			for _, kind := range append(list, value) {
				v.integers = v.integers || kind == "integer"
			}
		case "enum":
			v.addValues(list)
		case "const":
			v.addValues([]any{value})
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
			v.addBound(value)
		case "minLength": // whether a string is empty is in every key
			v.exact = v.exact || value != json.Number("1")
		case "pattern":
			v.exact = v.exact || text != digits
		case "additionalProperties":
			_, isBool := value.(bool)
			v.exact = v.exact || !isBool
		case "properties", "dependentSchemas":
			for name, member := range members {
				v.names[name] = true
				subschemas = append(subschemas, member)
			}
		case "allOf", "anyOf", "oneOf", "prefixItems":
			subschemas = list
		case "if", "then", "else", "not", "items", "contains":
			subschemas = []any{value}
		default:
			v.exact = true
		}
		for _, one := range subschemas {
			references = append(references, v.read(one)...)
		}
	}
	return references
}

// addValues adds the values of enum or const, or those inside of them.
func (v *visible) addValues(values []any) {
	for _, value := range values {
		switch value := value.(type) {
		case string:
			v.texts[value], v.longest = true, max(v.longest, len(value))
		case json.Number:
			v.addBound(value)
		case nil, bool:
		default:
			v.exact = true
		}
	}
}

// addBound adds a number.
func (v *visible) addBound(value any) {
	number, _ := value.(json.Number)
	bound, ok := new(big.Rat).SetString(number.String())
	if !ok {
		v.exact = true
		return
	}
	v.bounds = append(v.bounds, bound)
}

// maxEscape is the size in bytes of the longest escape, \U0001F600 of Python.
const maxEscape = 10

// isLongOther reports of a long string that the schema does not name it, and that it is
// not digits, from its source: it need not be decoded.
func (v *visible) isLongOther(n *source.Node) bool {
	raw := n.RawContent()
	return !v.exact && len(raw) > maxEscape*v.longest && !n.IsJoined() && len(raw) > 0 && raw[0] != '\\' && classOf(raw[:1]) == textOther
}

// valueOf returns the value that jsonschema/v5 is to validate for an object. The schema
// does not distinguish it from the object: long strings and numbers in it are short ones.
func (v *visible) valueOf(n *source.Node) any {
	if n.Kind == source.String && v.isLongOther(n) {
		return strings.Repeat("-", v.longest+1)
	}
	if n.Kind != source.Object {
		return shortenNumbers(n.Value())
	}
	object := make(map[string]any, len(n.Children))
	for i := range n.Children {
		object[n.Children[i].Name] = v.valueOf(&n.Children[i])
	}
	return object
}

// appendNumber appends what the schema can see of a number, all of one that is not
// finite.
func (v *visible) appendNumber(key []byte, n *source.Node) []byte {
	if !v.exact && !v.integers && len(v.bounds) == 0 {
		return key
	}
	short, _ := shortenNumbers(n.Value()).(json.Number)
	number, ok := new(big.Rat).SetString(short.String())
	switch {
	case v.exact || !ok:
		return appendExact(key, n.Raw())
	case number.IsInt():
		key = append(key, isInteger)
	default:
		key = append(key, isFraction)
	}
	for _, bound := range v.bounds {
		key = append(key, byte(1+number.Cmp(bound)))
	}
	return key
}
