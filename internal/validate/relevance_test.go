package validate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/internal/source"
)

func compileText(t testing.TB, text string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.AssertContent, compiler.AssertFormat = true, true
	compiler.RegisterExtension("ours", nil, evenExtension{})
	require.NoError(t, compiler.AddResource("https://example.org/s", strings.NewReader(text)))
	schema, err := compiler.Compile("https://example.org/s")
	require.NoError(t, err, text)
	return schema
}

// evenExtension is a keyword outside the specification.
type evenExtension struct{}

func (evenExtension) Compile(_ jsonschema.CompilerContext, schema map[string]any) (jsonschema.ExtSchema, error) {
	if _, ok := schema["even"]; ok {
		return evenExtension{}, nil
	}
	return nil, nil
}

func (evenExtension) Validate(jsonschema.ValidationContext, any) error { return nil }

// TestRelevance lists the keywords that are analyzed. A value has no shape under
// any other keyword.
func TestRelevance(t *testing.T) {
	tests := map[string]string{
		`true`:                         "",
		`{"type":"string"}`:            "",
		`{"type":"integer"}`:           "integer",
		`{"enum":["a",1,null]}`:        "exact texts",
		`{"enum":["a","b"]}`:           "texts",
		`{"const":"a"}`:                "texts",
		`{"const":null}`:               "exact",
		`{"minimum":1}`:                "bounds",
		`{"exclusiveMinimum":1}`:       "bounds",
		`{"maximum":1}`:                "bounds",
		`{"exclusiveMaximum":1}`:       "bounds",
		`{"pattern":"^a"}`:             "patterns",
		`{"not":{"const":1}}`:          "exact",
		`{"allOf":[{"const":1}]}`:      "exact",
		`{"anyOf":[true,{"const":1}]}`: "exact",
		`{"oneOf":[true,{"const":1}]}`: "exact",
		`{"if":{"const":1}}`:           "exact",
		`{"if":true,"then":{"const":1},"else":{"minimum":1}}`: "bounds exact",
		`{"$ref":"#/$defs/a","$defs":{"a":{"const":1}}}`:      "exact",
		`{"required":["a"]}`:                                            "members",
		`{"properties":{}}`:                                             "",
		`{"properties":{"a":true}}`:                                     "members",
		`{"additionalProperties":false}`:                                "members",
		`{"dependentSchemas":{"a":{"const":1}}}`:                        "exact members",
		`{"title":"a","description":"b","examples":[1],"$comment":"c"}`: "",
		`{"const":[]}`:                                                  "opaque",
		`{"const":{}}`:                                                  "opaque",
		`{"enum":["a",[]]}`:                                             "opaque",
		`{"minimum":1.5}`:                                               "opaque",
		`{"maximum":1e300}`:                                             "integer",
		`{"even":true}`:                                                 "opaque",
		`{"multipleOf":2}`:                                              "opaque",
		`{"minLength":0}`:                                               "opaque",
		`{"maxLength":9}`:                                               "opaque",
		`{"minProperties":0}`:                                           "opaque",
		`{"maxProperties":9}`:                                           "opaque",
		`{"minItems":0}`:                                                "opaque",
		`{"maxItems":9}`:                                                "opaque",
		`{"uniqueItems":true}`:                                          "opaque",
		`{"minContains":2}`:                                             "opaque",
		`{"maxContains":2}`:                                             "opaque",
		`{"contains":true}`:                                             "opaque",
		`{"items":true}`:                                                "items",
		`{"prefixItems":[true]}`:                                        "opaque",
		`{"unevaluatedItems":false}`:                                    "opaque",
		`{"unevaluatedProperties":false}`:                               "opaque",
		`{"patternProperties":{"a":true}}`:                              "opaque",
		`{"propertyNames":true}`:                                        "opaque",
		`{"additionalProperties":{"const":1}}`:                          "opaque",
		`{"dependentRequired":{"a":["b"]}}`:                             "opaque",
		`{"dependencies":{"a":["b"]}}`:                                  "opaque",
		`{"format":"date"}`:                                             "opaque",
		`{"contentEncoding":"base64"}`:                                  "opaque",
		`{"contentMediaType":"text/plain"}`:                             "opaque",
		`{"not":{"$dynamicRef":"#a"},"$defs":{"a":{"$dynamicAnchor":"a"}}}`: "opaque",
		`{"anyOf":[true,{"items":{"const":1}}]}`:                            "items",
		`{"if":{"not":{"uniqueItems":true}}}`:                               "opaque",
	}
	for text, want := range tests {
		at := &relevanceNode{}
		analyze(at, compileText(t, text))
		if at.Opaque {
			at = &relevanceNode{Opaque: true} // whatever else it is
		}
		assert.Equal(t, want, at.words(), text)
	}
}

// words names what matters at a node.
func (l *relevanceNode) words() string {
	var words []string
	for word, matters := range map[string]bool{
		"opaque": l.Opaque, "exact": l.Exact, "texts": l.Texts != nil, "integer": l.Integer,
		"bounds": l.Bounds != nil, "patterns": l.Patterns != nil, "members": l.Members != nil, "items": l.Items != nil,
	} {
		if matters {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

func TestRelevanceOfMembers(t *testing.T) {
	at := &relevanceNode{}
	analyze(at, compileText(t, `{
		"required": ["a"],
		"properties": {"b": {"properties": {"c": {"const": 1}}}, "d": {"items": {"const": 1}}, "e": {"$ref": "#"}},
		"anyOf": [{"properties": {"b": {"minimum": 3}}}]
	}`))
	assert.Equal(t, "members", at.words())
	assert.Empty(t, at.Members["a"].words())
	assert.Equal(t, "bounds members", at.Members["b"].words())
	assert.Equal(t, "exact", at.Members["b"].Members["c"].words())
	assert.Equal(t, "items", at.Members["d"].words())
	assert.Equal(t, "exact", at.Members["d"].Items.words())
	assert.Equal(t, "opaque", at.Members["e"].words(), "a schema within itself has no end")
}

// The number of subschemas doubles with each definition.
func TestRelevanceIsBounded(t *testing.T) {
	var defs []string
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	at := &relevanceNode{}
	analyze(at, compileText(t, `{"$ref":"#/$defs/d0","$defs":{"d40":true,`+strings.Join(defs, ",")+`}}`))
	assert.True(t, at.Opaque)
}

func TestUnknownFieldsAreNotSupported(t *testing.T) {
	assert.True(t, isSupported(compileText(t, `{}`)))
	schema := compileText(t, `{}`)
	schema.UnevaluatedItems = schema
	assert.False(t, isSupported(schema))
	schema = compileText(t, `{}`)
	schema.Extensions = map[string]jsonschema.ExtSchema{"even": evenExtension{}}
	assert.False(t, isSupported(schema))
}

// Values of equal shapes have equal verdicts, under schemas of all keywords that
// are analyzed.
func TestEqualShapesHaveEqualVerdicts(t *testing.T) {
	t.Parallel()
	for i, text := range exhaustive.Sample(append(decidingSchemas(), decidingSchemas()...), 35) {
		schema := compileText(t, text)
		at := &relevanceNode{}
		analyze(at, schema)
		if i%2 == 0 {
			at.likeKeys()
		}
		verdicts, shared := map[string]string{}, 0
		for _, value := range decidedValues() {
			node := nodeOf(t, value)
			var form shape
			if !form.add(at, node) {
				continue
			}
			verdict := failures(schema.Validate(node.Value()))
			if known, ok := verdicts[string(form.bytes())]; ok {
				shared++
				require.Equal(t, known, verdict, "%s %s", text, value)
			}
			verdicts[string(form.bytes())] = verdict
		}
		assert.NotEmpty(t, verdicts, text)
		assert.Positive(t, shared, text)
	}
}

// likeKeys makes only the nearest known key matter of keys that no schema names,
// here and in all members and elements.
func (l *relevanceNode) likeKeys() {
	if l.Members != nil {
		l.Near = []string{"colour", "mood"}
	}
	for _, member := range l.Members {
		member.likeKeys()
	}
	if l.Items != nil {
		l.Items.likeKeys()
	}
}

func decidingSchemas() []string {
	var schemas []string
	for _, s := range []string{
		`{"type":"integer"}`, `{"type":["integer","null"],"minimum":1}`, `{"exclusiveMaximum":2,"minimum":-1}`,
		`{"enum":["a",1,null,true]}`, `{"const":"a"}`, `{"pattern":"^[0-9]+$"}`, `{"not":{"type":"integer"}}`,
		`{"anyOf":[{"type":"integer"},{"pattern":"^[0-9]+$"}]}`, `{"oneOf":[{"type":"integer"},{"minimum":2}]}`,
		`{"if":{"type":"number"},"then":{"minimum":2},"else":{"const":"a"}}`, `true`, `false`,
		`{"properties":{"b":{"const":1}},"additionalProperties":false}`,
	} {
		schemas = append(schemas, s, `{"properties":{"a":`+s+`}}`, `{"properties":{"a":{"required":["b"],"properties":{"b":`+s+`}}}}`,
			`{"dependentSchemas":{"b":{"properties":{"a":`+s+`}}},"required":["a"]}`)
	}
	return schemas
}

func decidedValues() []string {
	values := []string{
		`null`, `true`, `false`, `0`, `-0`, `1`, `1.0`, `2`, `3`, `17`, `-1`, `-5`, `0.5`, `-0.5`, `1.5`, `25e-1`, `20e-1`, `1e2`,
		`9999999999999999999`, `-9999999999999999999`, `123456789012345678`, `"a"`, `"\u0061"`, `"b"`, `"1"`, `"23"`, `"\u0031"`, `""`, `"1"`, `"zz"`, `[]`, `[1]`, `{}`, `{"b":1}`, `{"b":2}`,
		`{"b":1,"c":2}`, `{"b":1,"c":"x"}`, `{"b":1,"d":"x"}`, `{"b":1,"colours":"x"}`, `{"b":1,"color":"x"}`, `{"b":1,"c":2,"d":2}`, `{"d":1}`,
	}
	all := slices.Clone(values)
	for _, value := range values {
		all = append(all, `{"a":`+value+`}`, `{"a":`+value+`,"b":1}`, `{"b":2,"a":`+value+`}`, `{"a":{"b":`+value+`}}`, `{"a":{"c":1,"b":`+value+`}}`)
	}
	return all
}

// failures lists where and by which keywords a value fails.
func failures(err error) string {
	var failed *jsonschema.ValidationError
	if !errors.As(err, &failed) {
		return fmt.Sprint(err)
	}
	var all []string
	pending := []*jsonschema.ValidationError{failed}
	for len(pending) > 0 {
		last := pending[0]
		pending = append(pending[1:], last.Causes...)
		all = append(all, last.AbsoluteKeywordLocation+" "+last.InstanceLocation)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// nodeOf reads one value of any kind.
func nodeOf(t testing.TB, text string) *source.Node {
	t.Helper()
	reader := source.NewReader(strings.NewReader(`{"value":`+text+`}`), source.Options{Form: source.FormJSONL})
	record, err := reader.Next()
	require.NoError(t, err)
	return record.Clone().Root.Member("value")
}
