package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// madeManifest returns the expected manifest, which is made once for all tests.
var madeManifest = sync.OnceValues(func() (*suite.Manifest, error) { return suiteAuthor.Manifest(context.Background()) })

// manifestFailed is set once a test has said why there is no manifest.
var manifestFailed atomic.Bool

func manifestOf(t *testing.T) (*suite.Manifest, []byte) {
	t.Helper()
	m, err := madeManifest()
	if err != nil && manifestFailed.Swap(true) {
		t.Skip("there is no manifest, as another test says")
	}
	require.NoError(t, err, "the manifest of the suite cannot be made")
	text, err := plainjson.MarshalIndent(m)
	require.NoError(t, err)
	return m, text
}

// The manifest says what the expectations, the inputs, the rules and the
// documents say, and can be read. It is not kept in the repository, so that two
// changes that add a case do not conflict.
func TestGeneratedManifest(t *testing.T) {
	_, text := manifestOf(t)
	folder := t.TempDir()
	if generated.Writing() {
		folder = suiteRoot
		require.NoError(t, suiteAuthor.WriteManifest(t.Context()))
	} else {
		require.NoError(t, os.WriteFile(filepath.Join(folder, suite.ManifestName), text, 0o644))
	}
	read, err := suite.ReadDir(os.DirFS(folder))
	require.NoError(t, err)
	again, err := plainjson.MarshalIndent(read)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(text, again), "reading the manifest changes it")
}

// The suite has the version of the protocol that it is about.
func TestVersionIsThatOfTheProtocol(t *testing.T) {
	m, _ := manifestOf(t)
	protocol, err := os.ReadFile("../docs/protocol.md")
	require.NoError(t, err)
	assert.Contains(t, string(protocol), "This page, version "+m.Version+", defines")
}

// testdata/README.md shows a case as the manifest has it.
func TestReadmeShowsACase(t *testing.T) {
	m, _ := manifestOf(t)
	page, err := os.ReadFile(filepath.Join(suiteRoot, "README.md"))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "```json\n")
	shown, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	var example suite.Case
	require.NoError(t, json.Unmarshal([]byte(shown), &example))
	i := slices.IndexFunc(m.Cases, func(c suite.Case) bool { return c.ID == example.ID })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, m.Cases[i], example)
}

// A note says what its case is about: a person who reads why a program fails has only that.
func TestCasesHaveNotes(t *testing.T) {
	m, _ := manifestOf(t)
	for _, c := range m.Cases {
		assert.Greater(t, len(strings.Fields(c.Note)), 1, "%s: the note is %q: pass -note to addcase", c.ID, c.Note)
	}
}

// The cases of a recording are in the table of testdata/recorded/SOURCES.md, with
// the release.
func TestRecordingsHaveASource(t *testing.T) {
	m, _ := manifestOf(t)
	page, err := os.ReadFile(filepath.Join(suiteRoot, "recorded", "SOURCES.md"))
	require.NoError(t, err)
	for _, c := range m.Cases {
		release, isRecording := strings.CutPrefix(c.Origin, "Open Interpreter ")
		if !isRecording {
			continue
		}
		name, _, _ := strings.Cut(filepath.Base(c.File), ".")
		_, row, found := strings.Cut(string(page), "| `"+name+"` | ")
		require.True(t, found, "no row for %s", c.File)
		releases, _, _ := strings.Cut(row, " |")
		assert.Contains(t, strings.Split(releases, ", "), release, c.File)
	}
}

// compiledManifestSchema compiles the published schema.
func compiledManifestSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	source, err := schema.Source("suite", "")
	require.NoError(t, err)
	require.NoError(t, compiler.AddResource("suite.schema.json", bytes.NewReader(source)))
	compiled, err := compiler.Compile("suite.schema.json")
	require.NoError(t, err)
	return compiled
}

func TestManifestKeepsItsSchema(t *testing.T) {
	_, text := manifestOf(t)
	var document any
	require.NoError(t, json.Unmarshal(text, &document))
	require.NoError(t, compiledManifestSchema(t).Validate(document))
}

// A case that contradicts itself does not pass the schema.
func TestManifestSchemaRejects(t *testing.T) {
	compiled := compiledManifestSchema(t)
	const (
		found = `{"rule": "LMC202", "level": "must", "severity": "error", "line": 3, "column": 1, "record": 2, "pointer": "/end"}`
		sound = `{"$schema": "https://lmclint.github.io/lmclint/schema/suite.schema.json", "version": "2.0",
			"requirements": [{"id": "LMC-STR-2", "level": "must", "title": "Streams", "text": "A block MUST end.", "rules": ["LMC202"]}],
			"cases": [{"id": "core/bad/a.jsonl", "file": "core/bad/a.jsonl", "origin": "lmclint", "level": "must", "requirements": ["LMC-STR-2"],
				"features": ["form:jsonl"], "options": {"autoRun": true}, "detected": {"protocol": "lmc", "kind": "stream", "form": "jsonl"}, "findings": [` + found + `]}]}`
	)
	valid := func(text string) error {
		var document any
		require.NoError(t, json.Unmarshal([]byte(text), &document), text)
		return compiled.Validate(document)
	}
	require.NoError(t, valid(sound))
	for old, wrong := range map[string]string{
		`"rule": "LMC202"`:                                `"rule": "unclosed-block"`,
		`"level": "must", "severity"`:                     `"level": "may", "severity"`,
		`"severity": "error"`:                             `"severity": "fatal"`,
		`"line": 3`:                                       `"line": 0`,
		`"column": 1`:                                     `"column": "1"`,
		`"record": 2`:                                     `"record": -1`,
		`"pointer": "/end"`:                               `"pointer": "end"`,
		`"file": "core/bad/a.jsonl"`:                      `"file": "core/../../a.jsonl"`,
		`"origin": "lmclint"`:                             `"origin": ""`,
		`"requirements": ["LMC-STR-2"]`:                   `"requirements": []`,
		`"features": ["form:jsonl"]`:                      `"features": ["jsonl"]`,
		`{"autoRun": true}`:                               `{"auto-run": true}`,
		`"kind": "stream"`:                                `"kind": "chunks"`,
		`"findings": [` + found:                           `"foreign": true, "findings": [` + found,
		`"detected": {"protocol": "lmc"`:                  `"json": "valid", "detected": {"protocol": "lmc"`,
		`"text": "A block MUST end."`:                     `"text": "A block ends."`,
		`"rules": ["LMC202"]`:                             `"rules": []`,
		`"version": "2.0"`:                                `"version": "two"`,
		`"level": "must", "requirements"`:                 `"level": "MUST", "requirements"`,
		`"column": 1, "record": 2`:                        `"column": 1, "recorded": 2`,
		`"title": "Streams", "text"`:                      `"title": "", "text"`,
		`"id": "LMC-STR-2"`:                               `"id": "LMC-STR-02"`,
		`"kind": "stream", "form": "jsonl"`:               `"form": "jsonl"`,
		`"https://lmclint.github.io/lmclint/schema/suite`: `"https://lmclint.github.io/lmclint/schema/report`,
	} {
		text := strings.Replace(sound, old, wrong, 1)
		require.NotEqual(t, sound, text, old)
		assert.Error(t, valid(text), wrong)
	}
}

// Every rule checks a requirement, no weaker than its findings are severe, and
// every requirement has a rule or a reason why none, and a case or a reason why
// none.
func TestRequirementsAreComplete(t *testing.T) {
	m, _ := manifestOf(t)
	level := map[string]suite.Level{}
	for _, r := range m.Requirements {
		level[r.ID] = r.Level
		if len(r.Rules) == 0 {
			assert.NotEmpty(t, r.NoRule, "%s has neither a rule nor a reason why none", r.ID)
		} else {
			assert.Empty(t, r.NoRule, "%s has rules and a reason why none", r.ID)
		}
	}
	for _, r := range rules.All() {
		require.NotEmpty(t, r.Requirements, "%s names no requirement", r.ID)
		strongest := suite.May
		for _, id := range r.Requirements {
			if strongest.Includes(level[id]) {
				strongest = level[id]
			}
		}
		assert.True(t, suite.LevelOf(r.Severity.String()).Includes(strongest), "%s is of severity %s, and its requirements of level %s", r.ID, r.Severity, strongest)
	}
	shown := casesByRequirement(m)
	for _, r := range m.Requirements {
		if shown[r.ID] == 0 {
			assert.NotEmpty(t, r.NoCases, "no case shows %s", r.ID)
		} else {
			assert.Empty(t, r.NoCases, "%s has cases and a reason why none", r.ID)
		}
	}
}

func casesByRequirement(m *suite.Manifest) map[string]int {
	shown := map[string]int{}
	for _, c := range m.Cases {
		for _, id := range c.Requirements {
			shown[id]++
		}
	}
	return shown
}

// Ids of requirements are permanent, like those of rules.
func TestGeneratedRequirementIDsArePermanent(t *testing.T) {
	const file = "testdata/requirements.txt"
	m, _ := manifestOf(t)
	added := map[string]bool{}
	for _, r := range m.Requirements {
		added[r.ID] = true
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		id, isRetired := strings.CutSuffix(line, " retired")
		if !strings.HasPrefix(line, "#") && !isRetired {
			assert.True(t, added[id], "%s was used: mark it as retired, and do not use it again", id)
		}
		assert.False(t, isRetired && added[id], "%s is used again", id)
		delete(added, id)
		lines = append(lines, line)
	}
	lines = append(lines, slices.Sorted(maps.Keys(added))...)
	generated.File(t, file, []byte(strings.Join(lines, "\n")+"\n"))
}

// The table of the requirements, with their rules. It does not count their cases,
// so that a new case changes no page.
func TestGeneratedRequirements(t *testing.T) {
	m, _ := manifestOf(t)
	var b strings.Builder
	b.WriteString("# Requirements\n\n" +
		"Each requirement of [protocol.md](protocol.md) and of [workbench.md](workbench.md#requirements), the rules that check it, and whether a case of the\n" +
		"[conformance suite](../testdata/README.md) shows it. This page is generated.\n")
	title := ""
	for _, r := range m.Requirements {
		page := "protocol.md"
		if strings.HasPrefix(r.ID, "WB") {
			page = "workbench.md"
		}
		if r.Title != title {
			title = r.Title
			fmt.Fprintf(&b, "\n## %s\n\n| id | level | rules | case |\n| --- | --- | --- | --- |\n", title)
		}
		checked := r.NoRule
		if len(r.Rules) > 0 {
			checked = strings.Join(links(r.Rules), ", ")
		}
		cases := "yes"
		if r.NoCases != "" {
			cases = r.NoCases
		}
		fmt.Fprintf(&b, "| [%s](%s#%s) | %s | %s | %s |\n", r.ID, page, strings.ToLower(r.ID), r.Level, checked, cases)
	}
	generated.File(t, "../docs/requirements.md", []byte(b.String()))
}

// links are links to the pages of rules.
func links(ids []string) []string {
	var list []string
	for _, id := range ids {
		list = append(list, fmt.Sprintf("[%s](rules/%s.md)", id, id))
	}
	return list
}

// A rule about reading applies to every protocol; any other is in the document of
// its own.
func TestRequirementsAreOfTheProtocol(t *testing.T) {
	for _, r := range rules.All() {
		want := "LMC-"
		if r.ProtocolName() == schema.WorkbenchProtocol {
			want = "WB-"
		}
		isOther := func(id string) bool { return !strings.HasPrefix(id, want) }
		assert.False(t, slices.ContainsFunc(r.Requirements, isOther), "%s: %v", r.ID, r.Requirements)
	}
}

// Each schema names requirements that exist.
func TestSchemasNameRequirements(t *testing.T) {
	m, _ := manifestOf(t)
	known := map[string]bool{}
	for _, r := range m.Requirements {
		known[r.ID] = true
	}
	published, err := schema.Published()
	require.NoError(t, err)
	for _, p := range published {
		text, err := schema.Source(p.Name, p.Folder())
		require.NoError(t, err)
		var document any
		require.NoError(t, json.Unmarshal(text, &document))
		named := comments(document)
		assert.NotEmpty(t, named, p.ID)
		for _, comment := range named {
			for id := range strings.SplitSeq(comment, ", ") {
				assert.True(t, known[id], "%s names %s", p.ID, id)
			}
		}
	}
}

// comments are the values of $comment anywhere in a schema.
func comments(value any) (list []string) {
	switch value := value.(type) {
	case map[string]any:
		if comment, ok := value["$comment"].(string); ok {
			list = append(list, comment)
		}
		for _, member := range value {
			list = append(list, comments(member)...)
		}
	case []any:
		for _, element := range value {
			list = append(list, comments(element)...)
		}
	}
	return list
}
