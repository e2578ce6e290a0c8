package validate

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
)

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
