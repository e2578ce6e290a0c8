package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/report"
)

const schemaID = "https://lmclint.github.io/lmclint/schema/report.schema.json"

// compile compiles the published schema, or a part of it.
func compile(t *testing.T, fragment string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../schema/report.schema.json")
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.ExtractAnnotations = true
	require.NoError(t, c.AddResource(schemaID, bytes.NewReader(text)))
	s, err := c.Compile(schemaID + fragment)
	require.NoError(t, err)
	return s
}

func decode(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	return value
}

func TestJSONKeepsItsSchema(t *testing.T) {
	schema := compile(t, "")
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			assert.NoError(t, schema.Validate(decode(t, render(t, s, report.FormatJSON, report.Options{}))))
		})
	}
}

func TestJSONLinesKeepTheirSchema(t *testing.T) {
	line := compile(t, "#/$defs/jsonlLine")
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			lines := bytes.Split(bytes.TrimSpace(render(t, s, report.FormatJSONL, report.Options{})), []byte("\n"))
			failed := 0
			for _, f := range s.files {
				if f.Err != nil {
					failed++
				}
			}
			require.Len(t, lines, len(s.findings)+failed+1)
			for _, l := range lines {
				assert.NoError(t, line.Validate(decode(t, l)), "%s", l)
			}
		})
	}
}

func TestSchemaExamplesAreValid(t *testing.T) {
	schema := compile(t, "")
	require.NotEmpty(t, schema.Examples)
	for _, example := range schema.Examples {
		assert.NoError(t, schema.Validate(example))
	}
}

// A schema that accepts everything would pass the tests above.
func TestSchemaIsStrict(t *testing.T) {
	schema := compile(t, "")
	report := string(render(t, execution(), report.FormatJSON, report.Options{}))
	for _, c := range []struct{ name, old, new string }{
		{"unknown member of a finding", `"rule":`, `"x":1,"rule":`},
		{"missing member", `"pointer":"",`, ``},
		{"severity", `"severity":"error"`, `"severity":"fatal"`},
		{"line from zero", `"line":10`, `"line":0`},
		{"record below zero", `"record":9`, `"record":-1`},
		{"rule id", `"LMC301"`, `"lmc301"`},
		{"version", `"version": 2`, `"version": 3`},
		{"unknown member of the summary", `"skipped":0`, `"skipped":0,"x":0`},
		{"kind", `"kind":"stream"`, `"kind":"list"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := strings.Replace(report, c.old, c.new, 1)
			require.NotEqual(t, report, changed)
			assert.Error(t, schema.Validate(decode(t, []byte(changed))))
		})
	}
}
