package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// FuzzRelevance adds keywords to schemas, among them one that is not in the
// specification: records of one shape must still have one verdict. Changes are
// pairs of bytes: where, and what.
func FuzzRelevance(f *testing.F) {
	schemas, known := changedSchemas(f), keywords()
	for base := range schemas {
		for change := range known {
			switch followed := base < len(decidingSchemas()); {
			case !exhaustive.Enabled() && (base+change)%5 != 0:
			case followed && base%16 == change%16:
				f.Add(uint16(base), []byte{0, byte(change)}, `"a"`)
			case !followed && base%31 == change%31:
				f.Add(uint16(base), []byte{byte(base), byte(change)}, `"a"`)
			}
		}
	}
	f.Fuzz(func(t *testing.T, number uint16, changes []byte, value string) {
		base := schemas[int(number)%len(schemas)]
		schema, err := base.changed(known, changes)
		if err != nil {
			return // the change makes no schema
		}
		at := &relevanceNode{}
		analyze(at, schema)
		verdicts := map[string]string{}
		for _, node := range slices.Concat(base.values, base.siblings(value)) {
			form := shape{sorted: len(changes)%2 == 1}
			if !form.add(at, node) {
				continue
			}
			verdict := failures(schema.Validate(node.Value()))
			if known, ok := verdicts[string(form.bytes())]; ok {
				require.Equal(t, known, verdict, "%s %v", node.Raw(), changes)
			}
			verdicts[string(form.bytes())] = verdict
		}
	})
}

// changedSchema is a schema that is to be changed, and values to check with it.
type changedSchema struct {
	text       []byte
	definition string // "" for all of it
	values     []*source.Node
}

// changedSchemas are schemas of all keywords that are followed, and the
// definitions that records are checked by.
func changedSchemas(t testing.TB) []changedSchema {
	var all []changedSchema
	var values []*source.Node
	for _, text := range decidedValues() {
		values = append(values, nodeOf(t, text))
	}
	for _, text := range decidingSchemas() {
		all = append(all, changedSchema{text: []byte(text), values: values})
	}
	for _, dialect := range []string{"interpreter", "server", "docs"} {
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			text, err := schema.Source(part.String(), dialect)
			require.NoError(t, err)
			healthy, err := samples.ReadFile("samples/" + dialect + "." + part.String() + ".jsonl")
			require.NoError(t, err)
			all = append(all, definitionsOf(t, text, healthy)...)
		}
	}
	return all
}

// definitionsOf are the definitions of a published schema that there are healthy
// records of.
func definitionsOf(t testing.TB, text, healthy []byte) []changedSchema {
	var all []changedSchema
	for line := range bytes.Lines(healthy) {
		if !bytes.HasPrefix(line, []byte(sectionHead)) {
			last := &all[len(all)-1]
			last.values = append(last.values, nodeOf(t, string(bytes.TrimSpace(line))))
			continue
		}
		var head struct{ Definition string }
		require.NoError(t, json.Unmarshal(line, &head))
		all = append(all, changedSchema{text: text, definition: head.Definition})
	}
	return all
}

// siblings are some of the records with other members.
func (c *changedSchema) siblings(value string) []*source.Node {
	if c.definition == "" {
		return nil
	}
	var all []*source.Node
	for _, root := range c.values[:min(len(c.values), 8)] {
		text := string(root.Raw())
		for i := range root.Children {
			member := &root.Children[i]
			for _, other := range []string{value, `"x"`, `1`, `2.5`, `null`, `{"a": 1}`, `{"b": "x"}`, `[1]`, `[2, 2]`} {
				if sibling := nodeOfText(text[:member.Start-root.Start] + other + text[member.End-root.Start:]); sibling != nil {
					all = append(all, sibling)
				}
			}
		}
	}
	return all
}

// nodeOfText reads one sound value, or returns nil.
func nodeOfText(text string) *source.Node {
	reader := source.NewReader(strings.NewReader(`{"value":`+text+`}`), source.Options{Form: source.FormJSONL})
	record, err := reader.Next()
	if err != nil || record.Root == nil || len(record.Problems) > 0 || len(record.Root.Children) != 1 {
		return nil
	}
	return record.Clone().Root.Member("value")
}

// changed compiles the schema with changes.
func (c *changedSchema) changed(known []keyword, changes []byte) (_ *jsonschema.Schema, err error) {
	defer func() {
		if cause := recover(); cause != nil { // the compiler's, of a schema that makes no sense
			err = fmt.Errorf("%v", cause)
		}
	}()
	var tree any
	if err := json.Unmarshal(c.text, &tree); err != nil {
		return nil, err
	}
	root := tree
	if c.definition != "" {
		root = tree.(map[string]any)["$defs"].(map[string]any)[c.definition]
	}
	for ; len(changes) >= 2; changes = changes[2:] {
		if places := objectsIn(root, nil); len(places) > 0 {
			change := known[int(changes[1])%len(known)]
			places[int(changes[0])%len(places)][change.name] = change.value()
		}
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return nil, err
	}
	return c.compile(text)
}

func (c *changedSchema) compile(text []byte) (*jsonschema.Schema, error) {
	const id = "https://example.org/changed"
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.AssertContent, compiler.AssertFormat = true, true
	compiler.RegisterExtension("ours", nil, shortExtension{})
	text = bytes.ReplaceAll(text, []byte(`"$id"`), []byte(`"$comment"`))
	if err := compiler.AddResource(id, bytes.NewReader(text)); err != nil {
		return nil, err
	}
	if c.definition == "" {
		return compiler.Compile(id)
	}
	return compiler.Compile(id + "#/$defs/" + url.PathEscape(c.definition))
}

// shortExtension is a keyword outside the specification that depends on the
// formatted value.
type shortExtension struct{}

func (shortExtension) Compile(_ jsonschema.CompilerContext, schema map[string]any) (jsonschema.ExtSchema, error) {
	if _, ok := schema["short"]; ok {
		return shortExtension{}, nil
	}
	return nil, nil
}

func (shortExtension) Validate(ctx jsonschema.ValidationContext, v any) error {
	if text := fmt.Sprint(v); len(text)%3 == 1 {
		return ctx.Error("short", "%s is too long", text)
	}
	return nil
}

// objectsIn returns the objects of a schema in a fixed order.
func objectsIn(tree any, found []map[string]any) []map[string]any {
	switch tree := tree.(type) {
	case map[string]any:
		found = append(found, tree)
		for _, key := range slices.Sorted(maps.Keys(tree)) {
			found = objectsIn(tree[key], found)
		}
	case []any:
		for _, element := range tree {
			found = objectsIn(element, found)
		}
	}
	return found
}

// keyword is one to put into a schema.
type keyword struct {
	name  string
	value func() any
}

// keywords returns all keywords of the specification, and one more.
func keywords() []keyword {
	const all = `short true; type "integer"; type ["string", "null"]; enum ["a", 1, null]; enum ["a", []]; const 1; const {"b": 1}; multipleOf 2; minimum 1;
minimum 1.5; maximum 1e300; exclusiveMinimum 1; maximum 2; exclusiveMaximum 2; minLength 2; maxLength 1; pattern "^[0-9]+$"; format "ipv4";
format "uri"; contentEncoding "base64"; contentMediaType "application/json"; minItems 1; maxItems 0; uniqueItems true; items {"const": 1};
items false; prefixItems [{"const": 1}]; contains {"const": 1}; minContains 2; maxContains 0; unevaluatedItems false; minProperties 2;
maxProperties 1; required ["b"]; required ["x"]; properties {"b": {"const": 1}}; patternProperties {"^c": {"type": "integer"}};
additionalProperties {"type": "integer"}; additionalProperties false; propertyNames {"maxLength": 1}; unevaluatedProperties false;
dependentRequired {"a": ["b"]}; dependentSchemas {"b": {"minProperties": 2}}; dependencies {"b": ["a"]}; allOf [{"minimum": 2}];
anyOf [{"const": "a"}, {"maxLength": 1}]; oneOf [{"minimum": 2}, {"pattern": "^a"}]; not {"required": ["c"]}; if {"const": 1}; then false;
else {"pattern": "[a-z]"}; $ref "#"; $dynamicRef "#"; $schema "http://json-schema.org/draft-07/schema#"`
	var keywords []keyword
	for one := range strings.SplitSeq(all, ";") {
		name, text, _ := strings.Cut(strings.TrimSpace(one), " ")
		keywords = append(keywords, keyword{name, func() (value any) {
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				panic(err)
			}
			return value
		}})
	}
	return keywords
}
