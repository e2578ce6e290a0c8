package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// compiled is one published schema and those of its definitions that records
// have asked for.
type compiled struct {
	id   string
	text func() []byte // written when it is asked for the first time

	mu          sync.Mutex // the compiler is not safe for concurrent use
	compiler    *jsonschema.Compiler
	definitions sync.Map // name to func() (*jsonschema.Schema, error)

	tree func() (any, error) // the schema as a value, to look up what an error is about
}

func newCompiled(id string, write func() []byte) *compiled {
	text := sync.OnceValue(write)
	return &compiled{id: id, text: text, tree: sync.OnceValues(func() (any, error) {
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
			schema, err = nil, fmt.Errorf("schema: compiling %s of %s: %v", name, c.id, cause)
		}
	}()
	if c.compiler == nil {
		if c.compiler, err = newCompiler(c.id, c.text()); err != nil {
			return nil, err
		}
	}
	location := c.id
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
