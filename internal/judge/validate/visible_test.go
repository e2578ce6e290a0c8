package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Values with equal keys have equal verdicts, whatever keyword the schema has.
func TestEqualKeysHaveEqualVerdicts(t *testing.T) {
	t.Parallel()
	for _, text := range decidingSchemas() {
		schema := compileText(t, text)
		seen := visibleIn(t, text)
		verdicts := map[string]string{}
		values := decidedValues()
		for _, value := range values {
			node := nodeOf(t, value)
			key := seen.appendKey(nil, node)
			require.LessOrEqual(t, len(key), maxKey, value)
			verdict := failures(schema.Validate(shortenNumbers(node.Value())))
			require.Equal(t, verdict, failures(schema.Validate(seen.valueOf(node))), "%s %s", text, value)
			if known, ok := verdicts[string(key)]; ok {
				require.Equal(t, known, verdict, "%s %s", text, value)
			}
			verdicts[string(key)] = verdict
		}
		if !seen.exact {
			assert.Less(t, len(verdicts), len(values)-5, "%s: hardly any value shares its key", text)
		}
	}
}

// visibleIn returns what a schema with one definition at most sees.
func visibleIn(t *testing.T, text string) visible {
	t.Helper()
	var inner parts
	if strings.HasPrefix(text, "{") {
		require.NoError(t, json.Unmarshal([]byte(text), &inner))
	}
	l := loaded{parts: parts{Definitions: map[string]json.RawMessage{"whole": json.RawMessage(text)}}}
	if s, ok := inner.Definitions["s"]; ok {
		l.parts.Definitions = map[string]json.RawMessage{"whole": json.RawMessage(`{"$ref":"#/$defs/s"}`), "s": s}
	}
	_, seen, err := l.textOf("whole")
	require.NoError(t, err)
	return seen
}

func decidingSchemas() []string {
	var schemas []string
	for _, s := range []string{
		`{"type":"integer"}`, `{"type":["integer","null"],"minimum":1}`, `{"exclusiveMaximum":2,"minimum":-1}`, `{"maximum":0.5}`, `{"exclusiveMinimum":1}`,
		`{"enum":["a",1,null,true]}`, `{"const":"a"}`, `{"const":[1]}`, `{"enum":[{"b":1}]}`, `{"pattern":"^0*[1-9][0-9]*$"}`, `{"pattern":"z"}`, `{"not":{"type":"integer"}}`,
		`{"anyOf":[{"type":"integer"},{"pattern":"^0*[1-9][0-9]*$"}]}`, `{"oneOf":[{"type":"integer"},{"minimum":2}]}`, `{"allOf":[{"const":1}]}`,
		`{"if":{"type":"number"},"then":{"minimum":2},"else":{"const":"a"}}`, `true`, `false`,
		`{"properties":{"b":{"const":1}},"additionalProperties":false}`, `{"additionalProperties":{"const":"x"}}`, `{"patternProperties":{"^b":{"const":2}}}`,
		`{"propertyNames":{"const":"b"}}`, `{"dependentRequired":{"b":["c"]}}`, `{"required":["e"]}`, `{"additionalProperties":false,"required":["d"]}`, `{"minProperties":2}`, `{"maxProperties":1}`, `{"unevaluatedProperties":{"const":1}}`,
		`{"items":{"const":1}}`, `{"prefixItems":[{"const":1}]}`, `{"contains":{"const":1},"minContains":1}`, `{"uniqueItems":true}`, `{"minItems":1}`,
		`{"unevaluatedItems":{"const":1}}`, `{"multipleOf":2}`, `{"minLength":1}`, `{"minLength":2}`, `{"maxLength":1}`, `{"format":"ipv4"}`, `{"contentEncoding":"base64"}`, `{"even":1}`,
	} {
		schemas = append(schemas, s, `{"properties":{"a":`+s+`}}`, `{"properties":{"a":{"required":["b"],"properties":{"b":`+s+`}}}}`,
			`{"dependentSchemas":{"b":{"properties":{"a":`+s+`}}},"required":["a"]}`, `{"$ref":"#/$defs/s","$defs":{"s":`+s+`}}`)
	}
	return schemas
}

func decidedValues() []string {
	values := []string{
		`null`, `true`, `false`, `0`, `-0`, `1`, `1.0`, `2`, `3`, `17`, `-1`, `-5`, `0.5`, `-0.5`, `1.5`, `25e-1`, `20e-1`, `1e2`,
		`9999999999999999999`, `-9999999999999999999`, `123456789012345678`,
		`"a"`, `"\u0061"`, `"b"`, `"1"`, `"23"`, `"\u0031"`, `""`, `"zz"`, `"xyz"`, `"x y"`, `"YQ=="`, `"1.2.3.4"`, `"ab\u0061b\u0061b\u0061b\u0061b\u0061b\u0061b"`, `"\u0031\u0031\u0031"`,
		`[]`, `[1]`, `[2]`, `[1,1]`, `[1,2]`, `["x","x"]`, `["x","y"]`, `{}`, `{"b":1}`, `{"b":2}`,
		`{"b":1,"c":2}`, `{"b":1,"c":"x"}`, `{"b":1,"d":"x"}`, `{"b":"x","c":"x"}`, `{"b":"x","c":"y"}`, `{"b":1,"c":2,"d":2}`, `{"d":1}`, `{"e":1}`, `{"b":1,"e":"x"}`, `{"d":1,"e":1}`,
	}
	all := slices.Clone(values)
	for _, value := range values {
		all = append(all, `{"a":`+value+`}`, `{"a":`+value+`,"b":1}`, `{"b":2,"a":`+value+`}`, `{"a":{"b":`+value+`}}`, `{"a":{"c":1,"b":`+value+`}}`)
	}
	return all
}

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

// evenExtension is a keyword outside the specification, for texts of even length.
type evenExtension struct{}

func (evenExtension) Compile(_ jsonschema.CompilerContext, schema map[string]any) (jsonschema.ExtSchema, error) {
	if _, ok := schema["even"]; ok {
		return evenExtension{}, nil
	}
	return nil, nil
}

func (evenExtension) Validate(ctx jsonschema.ValidationContext, v any) error {
	if text, ok := v.(string); ok && len(text)%2 != 0 {
		return ctx.Error("even", "odd")
	}
	return nil
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
	v := (&value.Scanner{MaxDepth: value.MaxDepth}).Scan([]byte(text), true)
	require.Nil(t, v.Stop)
	return v.Root
}
