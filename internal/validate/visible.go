package validate

import (
	"encoding/json"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/lmclint/lmclint/internal/source"
)

// visible is what a compiled schema can see of names, strings and numbers. It is
// read from the schema, so no constraint can be forgotten: a keyword that is not
// known here makes everything visible.
type visible struct {
	exact    bool            // all of them, verbatim
	names    map[string]bool // whether a key is one of these; of others only their number
	texts    map[string]bool // whether a string is one of these, of enum and const
	longest  int             // bytes of the longest of texts
	integers bool            // whether a number is an integer
	bounds   []*big.Rat      // how a number compares with each of these
}

// digits is the pattern of the strings that every key tells apart.
const digits = "^[0-9]+$"

// visibleOf returns what a schema can see, wherever it applies its subschemas.
func visibleOf(schema *jsonschema.Schema) visible {
	v := visible{names: map[string]bool{}, texts: map[string]bool{}}
	v.add(schema, map[*jsonschema.Schema]bool{})
	return v
}

func (v *visible) add(schema *jsonschema.Schema, seen map[*jsonschema.Schema]bool) {
	if schema == nil || seen[schema] {
		return
	}
	seen[schema] = true
	fields := reflect.ValueOf(schema).Elem()
	for i := range fields.NumField() {
		name, field := fields.Type().Field(i).Name, fields.Field(i)
		switch {
		case isStructure(name), isAbsent(name, field):
		case fields.Type().Field(i).IsExported():
			v.addKeyword(name, field.Interface(), seen)
		default:
			v.exact = true
		}
	}
}

// addKeyword adds the value of a keyword.
func (v *visible) addKeyword(name string, value any, seen map[*jsonschema.Schema]bool) {
	switch value := value.(type) {
	case *jsonschema.Schema:
		v.exact = v.exact || name == "AdditionalProperties" || name == "UnevaluatedProperties" || name == "PropertyNames"
		v.add(value, seen)
	case []*jsonschema.Schema:
		for _, one := range value {
			v.add(one, seen)
		}
	case map[string]*jsonschema.Schema:
		for key, one := range value {
			v.names[key] = true
			v.add(one, seen)
		}
	case *regexp.Regexp:
		v.exact = v.exact || value.String() != digits
	case *big.Rat:
		v.exact = v.exact || name == "MultipleOf"
		v.bounds = append(v.bounds, value)
	case map[string][]string: // DependentRequired
		for key, required := range value {
			v.names[key] = true
			v.addKeyword("Required", required, seen)
		}
	case []string:
		v.integers = v.integers || name == "Types" && slices.Contains(value, "integer")
		for _, key := range value {
			v.names[key] = v.names[key] || name == "Required"
		}
	case []any:
		v.addValues(value)
	default:
		v.exact = v.exact || name != "AdditionalProperties" || reflect.TypeOf(value).Kind() != reflect.Bool
	}
}

// addValues adds the values of enum or const, or those inside of them.
func (v *visible) addValues(values []any) {
	for _, value := range values {
		switch value := value.(type) {
		case string:
			v.texts[value], v.longest = true, max(v.longest, len(value))
		case json.Number:
			bound, ok := new(big.Rat).SetString(value.String())
			v.exact = v.exact || !ok
			v.bounds = append(v.bounds, bound)
		case nil, bool:
		default:
			v.exact = true
		}
	}
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

// isStructure reports whether a field of a compiled schema is about the
// compilation, or a keyword whose verdict only depends on the kinds, numbers of
// elements and booleans in a value.
func isStructure(field string) bool {
	switch field {
	case "Location", "Draft", "meta", "vocab", "enumError", "ContainsEval":
		return true
	case "Title", "Description", "Default", "Comment", "ReadOnly", "WriteOnly", "Examples", "Deprecated":
		return true
	case "Always", "MinItems", "MaxItems", "MinContains", "MaxContains":
		return true
	}
	return false
}

// isAbsent reports whether a field has the value that it has without a keyword,
// or one that means the same here.
func isAbsent(name string, field reflect.Value) bool {
	switch name {
	case "MinLength": // whether a string is empty is in every key
		return field.Int() <= 1
	case "MaxLength", "MinProperties", "MaxProperties":
		return field.Int() == -1
	}
	return field.IsZero()
}
