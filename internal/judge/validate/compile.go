package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// schemaDocument is one JSON Schema with its definitions, each compiled when it is
// first used. It is safe for concurrent use.
type schemaDocument struct {
	load        func() (loaded, error)
	tree        func() (any, error) // its value, to look up what a validation error refers to
	definitions sync.Map            // name to func() (*compiled, error)
}

// compiled is a compiled definition, and what it can see of a value.
type compiled struct {
	*jsonschema.Schema
	visible visible
}

// loaded is the text of a schema and its parts.
type loaded struct {
	text  []byte
	parts parts
}

// parts is a schema whose definitions are texts: a decoded number may be another
// one.
type parts struct {
	Schema      string                     `json:"$schema"`
	ID          string                     `json:"$id"`
	Definitions map[string]json.RawMessage `json:"$defs"`
}

// newDocument returns the document of a schema, whose text is read when it is
// first needed.
func newDocument(text func() ([]byte, error)) *schemaDocument {
	load := sync.OnceValues(func() (l loaded, err error) {
		if l.text, err = text(); err == nil {
			err = json.Unmarshal(l.text, &l.parts)
		}
		return l, err
	})
	return &schemaDocument{load: load, tree: sync.OnceValues(func() (tree any, err error) {
		l, err := load()
		if err == nil {
			err = json.Unmarshal(l.text, &tree)
		}
		return tree, err
	})}
}

// validate returns what violates a definition in a value, or nothing. The empty
// name is the whole schema. A panic of the validator is returned as an error.
func (d *schemaDocument) validate(name string, value any) (_ []leaf, err error) {
	definition, err := d.definition(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("validate with %s: panic: %v", definition.Location, cause)
		}
	}()
	verdict := definition.Validate(value)
	if verdict == nil {
		return nil, nil
	}
	var failed *jsonschema.ValidationError
	if !errors.As(verdict, &failed) {
		return nil, fmt.Errorf("validate with %s: %w", definition.Location, verdict)
	}
	tree, err := d.tree()
	if err != nil {
		return nil, err
	}
	return leavesOf(tree, failed), nil
}

// definition returns a compiled definition.
func (d *schemaDocument) definition(name string) (*compiled, error) {
	compile, ok := d.definitions.Load(name)
	if !ok {
		once := sync.OnceValues(func() (*compiled, error) { return d.compile(name) })
		compile, _ = d.definitions.LoadOrStore(name, once)
	}
	return compile.(func() (*compiled, error))()
}

func (d *schemaDocument) compile(name string) (_ *compiled, err error) {
	l, err := d.load()
	if err != nil {
		return nil, fmt.Errorf("load the schema of %q: %w", name, err)
	}
	id := l.parts.ID
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("compile %q of schema %s: panic: %v", name, id, cause)
		}
	}()
	text, seen, err := l.textOf(name)
	if err != nil {
		return nil, fmt.Errorf("read %q of schema %s: %w", name, id, err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.LoadURL = func(location string) (io.ReadCloser, error) { // neither from the network nor from disk
		return nil, fmt.Errorf("%s is not loaded: a schema has no references to others", location)
	}
	if err := compiler.AddResource(id, bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("add schema %s: %w", id, err)
	}
	location := id
	if name != "" {
		location += "#/$defs/" + url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	definition, err := compiler.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("compile %q of schema %s: %w", name, id, err)
	}
	return &compiled{definition, seen}, nil
}

// textOf returns a schema of one definition and those it refers to, at the same places as
// in the whole schema, and what it sees. The compiler would compile all of the whole one.
// The empty name is the whole schema.
func (l *loaded) textOf(name string) ([]byte, visible, error) {
	part := parts{l.parts.Schema, l.parts.ID, map[string]json.RawMessage{}}
	seen := visible{names: map[string]bool{}, texts: map[string]bool{}}
	for pending := []string{name}; len(pending) > 0; {
		name, pending = pending[0], pending[1:]
		if name == "" {
			return l.text, visible{exact: true}, nil
		}
		if part.Definitions[name] != nil || l.parts.Definitions[name] == nil {
			continue
		}
		decoder := json.NewDecoder(bytes.NewReader(l.parts.Definitions[name]))
		decoder.UseNumber()
		var definition any
		if err := decoder.Decode(&definition); err != nil {
			return nil, seen, err
		}
		pending = append(pending, seen.read(definition)...)
		text, err := json.Marshal(definition)
		if err != nil {
			return nil, seen, err
		}
		part.Definitions[name] = text
	}
	text, err := json.Marshal(part)
	return text, seen, err
}

// definitionName returns the name of the definition that is at a location, or
// "" if none is.
func definitionName(location string) string {
	fragment, ok := strings.CutPrefix(location, "#")
	if tokens := pointerTokens(fragment); ok && len(tokens) == 2 && tokens[0] == "$defs" {
		return tokens[1]
	}
	return ""
}

// leaf is one keyword that a value violates.
type leaf struct {
	keyword string   // "" for the schema false
	names   []string // the strings in the keyword's value in the schema
	at      []string // the place in the value, as names of members and indexes

	properties []string // the sorted keys that the schema has properties for
}

// leavesOf returns the leaves of a tree of validation errors. It does not enter
// the branches of an anyOf: they say why each of them failed, not what is wrong.
func leavesOf(tree any, failed *jsonschema.ValidationError) []leaf {
	var found []leaf
	pending := []*jsonschema.ValidationError{failed}
	for len(pending) > 0 {
		last := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if len(last.Causes) > 0 && !strings.HasSuffix(last.AbsoluteKeywordLocation, "/anyOf") {
			pending = append(pending, last.Causes...)
			continue
		}
		found = append(found, newLeaf(tree, last))
	}
	return found
}

func newLeaf(tree any, failed *jsonschema.ValidationError) leaf {
	_, fragment, _ := strings.Cut(failed.AbsoluteKeywordLocation, "#")
	place := pointerTokens(fragment)
	wanted := lookup(tree, place)
	l := leaf{names: namesIn(wanted), at: pointerTokens(failed.InstanceLocation)}
	if wanted == false && !strings.HasSuffix(fragment, "/additionalProperties") || len(place) == 0 {
		return l
	}
	l.keyword = place[len(place)-1]
	properties, _ := lookup(tree, append(place[:len(place)-1:len(place)-1], "properties")).(map[string]any)
	l.properties = slices.Sorted(maps.Keys(properties))
	return l
}

// namesIn returns the strings in the value of a keyword.
func namesIn(wanted any) (names []string) {
	list, ok := wanted.([]any)
	if !ok {
		list = []any{wanted}
	}
	for _, value := range list {
		if name, ok := value.(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// allows reports whether the leaf's schema has a property of that name.
func (l *leaf) allows(name string) bool { return slices.Contains(l.properties, name) }

// pointerTokens splits a JSON Pointer as jsonschema/v5 writes it:
// percent-encoded.
func pointerTokens(pointer string) []string {
	pointer = strings.TrimPrefix(pointer, "/")
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(pointer, "/")
	for i, token := range tokens {
		if name, err := url.PathUnescape(token); err == nil {
			token = name
		}
		tokens[i] = unescapeToken.Replace(token)
	}
	return tokens
}

// unescapeToken turns the escapes of a token of a JSON Pointer into characters.
var unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")

// lookup returns the value at a place, or nil if there is none.
func lookup(value any, tokens []string) any {
	for _, token := range tokens {
		switch container := value.(type) {
		case map[string]any:
			value = container[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(container) {
				return nil
			}
			value = container[i]
		default:
			return nil
		}
	}
	return value
}

// longNumber is the length, in bytes, above which numbers are shortened, as are
// those with an exponent: jsonschema/v5 computes with them exactly, in time that
// is not linear.
const longNumber = 64

// maxDigits is the number of digits of the largest bound in a schema, 1.8e308.
const maxDigits = 309

// shortenNumbers shortens the long numbers in a value, and returns the value.
func shortenNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if len(v) > longNumber || strings.ContainsAny(string(v), "eE") {
			return shortenNumber(v)
		}
	case map[string]any:
		for key, member := range v {
			v[key] = shortenNumbers(member)
		}
	case []any:
		for i := range v {
			v[i] = shortenNumbers(v[i])
		}
	}
	return value
}

// shortenNumber returns a short number that the schemas do not distinguish from
// a long one: the same integer up to maxDigits digits, one with more digits for
// a larger one, and 0.5 for a fraction, each with its sign.
func shortenNumber(number json.Number) json.Number {
	text, negative := strings.CutPrefix(string(number), "-")
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, _ = strconv.Atoi(text[i+1:]) // the nearest int if out of range
		exponent = min(max(exponent, -1<<40), 1<<40)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	zeros := exponent - len(fraction) + len(digits) - len(significant) // that follow the significant digits
	var short string
	switch {
	case significant == "":
		short = "0"
	case zeros < 0:
		short = "0.5"
	case zeros > maxDigits || len(significant)+zeros > maxDigits:
		short = "1" + strings.Repeat("0", maxDigits)
	default:
		short = significant + strings.Repeat("0", zeros)
	}
	if negative {
		short = "-" + short
	}
	return json.Number(short)
}
