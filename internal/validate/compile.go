package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// compiled is one published schema and those of its definitions that records
// have asked for.
type compiled struct {
	text func() []byte // written when it is asked for the first time

	mu          sync.Mutex // the compiler is not safe for concurrent use
	compiler    *jsonschema.Compiler
	definitions sync.Map // name to func() (*jsonschema.Schema, error)

	tree func() (any, error) // the schema as a value, to look up what an error is about
}

func newCompiled(write func() []byte) *compiled {
	text := sync.OnceValue(write)
	return &compiled{text: text, tree: sync.OnceValues(func() (any, error) {
		var tree any
		err := json.Unmarshal(text(), &tree)
		return tree, err
	})}
}

// validate returns what is wrong with a value by a definition, or nil. The
// empty name is the whole schema.
func (c *compiled) validate(definition string, value any) (failed *jsonschema.ValidationError, err error) {
	schema, err := c.definition(definition)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cause := recover(); cause != nil {
			failed, err = nil, fmt.Errorf("schema: validating by %s: %v", schema.Location, cause)
		}
	}()
	verdict := schema.Validate(value)
	if verdict == nil || errors.As(verdict, &failed) {
		return failed, nil
	}
	return nil, fmt.Errorf("schema: validating by %s: %w", schema.Location, verdict)
}

// definition compiles a definition when it is asked for the first time.
func (c *compiled) definition(name string) (*jsonschema.Schema, error) {
	compile, ok := c.definitions.Load(name)
	if !ok {
		once := sync.OnceValues(func() (*jsonschema.Schema, error) { return c.compile(name) })
		compile, _ = c.definitions.LoadOrStore(name, once)
	}
	return compile.(func() (*jsonschema.Schema, error))()
}

func (c *compiled) compile(name string) (schema *jsonschema.Schema, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		if cause := recover(); cause != nil {
			schema, err = nil, fmt.Errorf("schema: compiling %s: %v", name, cause)
		}
	}()
	tree, err := c.tree()
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	id, _ := lookup(tree, []string{"$id"}).(string)
	if c.compiler == nil {
		if c.compiler, err = newCompiler(id, c.text()); err != nil {
			return nil, err
		}
	}
	location := id
	if name != "" {
		location += "#/$defs/" + pointerToken(name)
	}
	if schema, err = c.compiler.Compile(location); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return schema, nil
}

// newCompiler makes a compiler that knows one schema and can load no other.
func newCompiler(id string, text []byte) (*jsonschema.Compiler, error) {
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.LoadURL = func(location string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("%s is not loaded: schemas stand by themselves", location)
	}
	if err := compiler.AddResource(id, bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return compiler, nil
}

// leaf is one thing that a value does not satisfy.
type leaf struct {
	keyword string   // the keyword, "" for a schema that is false
	wanted  any      // the keyword's value in the schema
	scope   any      // the schema that the keyword stands in
	at      []string // the place in the value, as names of members
	ofName  bool     // the name of the member at that place is meant, and not its value
}

// leaves returns what a validation error comes down to. The branches of an
// anyOf are not entered: they say why each failed, not what is wrong.
func (c *compiled) leaves(failed *jsonschema.ValidationError) ([]leaf, error) {
	tree, err := c.tree()
	if err != nil {
		return nil, err
	}
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
	return found, nil
}

func newLeaf(tree any, failed *jsonschema.ValidationError) leaf {
	_, fragment, _ := strings.Cut(failed.AbsoluteKeywordLocation, "#")
	place := pointerTokens(fragment)
	l := leaf{wanted: lookup(tree, place), at: pointerTokens(failed.InstanceLocation)}
	l.ofName = strings.Contains(failed.KeywordLocation, "/propertyNames/")
	if l.wanted == false && !strings.HasSuffix(fragment, "/additionalProperties") || len(place) == 0 {
		return l
	}
	l.keyword = place[len(place)-1]
	l.scope = lookup(tree, place[:len(place)-1])
	return l
}

// names returns the keyword's value as a list of names.
func (l *leaf) names() []string {
	list, ok := l.wanted.([]any)
	if !ok {
		list = []any{l.wanted}
	}
	var names []string
	for _, value := range list {
		if name, ok := value.(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// allows reports whether the leaf's schema has a property of that name.
func (l *leaf) allows(name string) bool {
	properties, ok := lookup(l.scope, []string{"properties"}).(map[string]any)
	if !ok {
		return false
	}
	_, ok = properties[name]
	return ok
}

// How RFC 6901 writes a name in a pointer, and back.
var (
	pointerEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)

// pointerToken writes a name as a token of a JSON Pointer in a URL.
func pointerToken(name string) string {
	return url.PathEscape(pointerEscapes.Replace(name))
}

// pointerTokens reads the names in a JSON Pointer as jsonschema/v5 writes it:
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
		tokens[i] = pointerUnescapes.Replace(token)
	}
	return tokens
}

// lookup walks from a value along the names of members and the numbers of
// elements; nil if there is no such place.
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

// longNumber is the length, in bytes, from which a number is reduced before
// jsonschema/v5 computes with it: digits cost more than their share.
const longNumber = 64

// reduced returns a short number that is an integer exactly when the long one
// is, and has its sign. The schemas ask no more of a number.
func shortenNumber(number json.Number) json.Number {
	text, negative := strings.CutPrefix(string(number), "-")
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, _ = strconv.Atoi(text[i+1:]) // out of range is the largest or smallest int
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	zeros := len(digits) - len(strings.TrimRight(digits, "0"))
	short := "1"
	switch {
	case digits == "":
		short = "0"
	case exponent < len(fraction)-zeros:
		short = "0.5"
	}
	if negative {
		short = "-" + short
	}
	return json.Number(short)
}

// reduceContent puts a reduced number in the place of a long one in a record's
// content.
func reduceContent(record any) {
	members, ok := record.(map[string]any)
	if !ok {
		return
	}
	if number, ok := members["content"].(json.Number); ok && len(number) > longNumber {
		members["content"] = shortenNumber(number)
	}
}
