package suite_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/verify/suite"
)

const manifest = `{
  "$schema": "https://lmclint.github.io/lmclint/schema/suite.schema.json",
  "version": "2.0",
  "requirements": [
    {"id":"LMC-STR-2","level":"must","title":"Streams","text":"A block ends.","rules":["LMC202"]}
  ],
  "cases": [
    {"id":"core/a.jsonl","file":"core/a.jsonl","origin":"lmclint","profile":"core","level":"must","requirements":["LMC-STR-2"],"features":["form:jsonl"],"options":{"against":"b.json"},"detected":{"protocol":"lmc","kind":"stream","form":"jsonl","dialect":"interpreter"},"findings":[{"rule":"LMC207","level":"should","severity":"warning","line":1,"column":1,"record":0},{"rule":"LMC202","level":"must","severity":"error","line":3,"column":1,"record":2,"pointer":"/end"}]},
    {"id":"json/n.json","file":"json/n.json","origin":"lmclint","profile":"core","level":"must","requirements":["LMC-STR-2"],"features":["json"],"options":{"form":"json"},"json":"invalid","findings":[]}
  ]
}
`

func TestManifestIsReadAndWritten(t *testing.T) {
	m, err := suite.Read(strings.NewReader(manifest))
	require.NoError(t, err)
	require.Len(t, m.Cases, 2)
	assert.Equal(t, "core/b.json", m.Cases[0].Against())
	assert.Empty(t, m.Cases[1].Against())
	assert.Equal(t, suite.InvalidJSON, m.Cases[1].JSON)
	text, err := plainjson.MarshalIndent(m)
	require.NoError(t, err)
	assert.JSONEq(t, manifest, string(text))

	text, err = plainjson.MarshalIndent(&suite.Manifest{})
	require.NoError(t, err)
	m, err = suite.Read(bytes.NewReader(text))
	require.NoError(t, err)
	assert.Empty(t, m.Cases)
}

// A case with a wrong entry is an error that names it, not a case that nothing
// can pass.
func TestReadRejects(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"another key", `"features":["json"]`, `"feature":["json"]`, `unknown field "feature"`},
		{"text after it", "]\n}\n", "]\n}\n7", "unexpected text after it"},
		{"a cut", "\n  ]\n}\n", "", "unexpected EOF"},
		{"a level", `"level":"should","severity":"warning"`, `"level":"must","severity":"warning"`, "case core/a.jsonl: invalid manifest: LMC207 is a finding of severity warning, and cannot be of level must"},
		{"the level of the case", `"level":"must","requirements":["LMC-STR-2"],"features":["form:jsonl"]`, `"level":"may","requirements":["LMC-STR-2"],"features":["form:jsonl"]`, "its level is may, but that of its findings is must"},
		{"an unknown requirement", `"level":"must","requirements":["LMC-STR-2"]`, `"level":"must","requirements":["LMC-STR-9"]`, `unknown requirement "LMC-STR-9"`},
		{"no requirement", `"level":"must","requirements":["LMC-STR-2"],"features":["json"]`, `"level":"must","requirements":[],"features":["json"]`, "case json/n.json: invalid manifest: it shows no requirement"},
		{"a file elsewhere", `"file":"json/n.json"`, `"file":"../n.json"`, `"../n.json" is outside the suite`},
		{"a conversation elsewhere", `"b.json"`, `"../../b.json"`, "is outside the suite"},
		{"the order of findings", `"line":3`, `"line":0`, "findings are sorted"},
		{"the order of cases", `"id":"json/n.json"`, `"id":"a.json"`, "cases are sorted"},
		{"a case twice", `"id":"json/n.json"`, `"id":"core/a.jsonl"`, "cases are sorted"},
		{"nothing detected", `"json":"invalid",`, ``, "what was detected is missing"},
		{"findings about JSON", `"options":{"against":"b.json"}`, `"options":{},"json":"valid"`, "a case about JSON has no findings of its own"},
		{"a foreign input with findings", `"options":{"against":"b.json"}`, `"options":{},"foreign":true`, "foreign input has neither"},
		{"a requirement of no level", `"level":"must","title"`, `"level":"MUST","title"`, `unknown level "MUST"`},
	} {
		text := strings.Replace(manifest, c.old, c.new, 1)
		_, err := suite.Read(strings.NewReader(text))
		require.NotEqual(t, manifest, text, c.name)
		assert.ErrorContains(t, err, c.want, c.name)
	}
}

func TestLevels(t *testing.T) {
	for severity, want := range map[string]suite.Level{"error": suite.Must, "warning": suite.Should, "note": suite.May} {
		assert.Equal(t, want, suite.LevelOf(severity))
	}
	var included []string
	for _, l := range suite.Levels() {
		for _, other := range suite.Levels() {
			if l.Includes(other) {
				included = append(included, string(l)+" "+string(other))
			}
		}
	}
	assert.Equal(t, []string{"must must", "one must", "one one", "should must", "should one", "should should", "may must", "may one", "may should", "may may"}, included)
}

// Equal sets become equal lists, whatever the order in which a checker decided.
func TestCompareIsTotal(t *testing.T) {
	record := 1
	sorted := []suite.Finding{
		{Rule: "LMC202", Line: 1, Column: 1},
		{Rule: "LMC203", Line: 1, Column: 1},
		{Rule: "LMC203", Line: 1, Column: 1, Pointer: "/a"},
		{Rule: "LMC101", Line: 1, Column: 2, Record: &record},
		{Rule: "LMC101", Line: 2, Column: 1},
		{Rule: "LMC701", Line: 1, Column: 1, Path: "x.json"},
	}
	mixed := slices.Clone(sorted)
	slices.Reverse(mixed)
	slices.SortFunc(mixed, suite.Compare)
	assert.Equal(t, sorted, mixed)
}
