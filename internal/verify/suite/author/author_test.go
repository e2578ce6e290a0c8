package author_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/internal/verify/suite/author"
)

const (
	stream = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`
	transcript = `[{"role": "assistant", "type": "message", "content": "Ho"}]`
)

// checkout makes the root of a checkout with the documents and the given files of
// testdata.
func checkout(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range []string{"docs/protocol.md", "docs/workbench.md", "testdata/VERSION"} {
		text, err := os.ReadFile(filepath.Join("../../../..", name))
		require.NoError(t, err)
		write(t, filepath.Join(root, name), string(text))
	}
	for name, text := range files {
		write(t, filepath.Join(root, "testdata", name), text)
	}
	return root
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// A text of the grammar says what it is in the table, any other case by the folder and the
// expectation.
func TestManifest(t *testing.T) {
	a := author.New(checkout(t, map[string]string{
		"recorded/v0.4/a.jsonl":                stream,
		"recorded/v0.4/a.jsonl.expect.json":    `{"findings": []}`,
		"core/bad/lmc701_b.jsonl":              stream,
		"core/bad/lmc701_b.jsonl.expect.json":  `{"options": {"against": "lmc701_b.jsonl.against.json"}, "findings": [{"rule": "LMC701", "severity": "error", "line": 1, "column": 1}]}`,
		"core/bad/lmc701_b.jsonl.against.json": transcript,
		"forms/bad/c.txt":                      "hello",
		"forms/bad/c.txt.expect.json":          `{"foreign": true, "findings": []}`,
	}))
	m, err := a.Manifest(t.Context())
	require.NoError(t, err)
	cases := map[string]suite.Case{}
	for _, c := range m.Cases {
		cases[c.ID] = c
	}
	assert.Equal(t, suite.ValidJSON, cases["json/array-empty.json"].JSON)
	assert.Equal(t, suite.InvalidJSON, cases["json/array-open.json"].JSON)
	assert.Equal(t, "an array is closed", cases["json/array-open.json"].Note)
	assert.Equal(t, suite.EitherJSON, cases["json/number-huge-exponent.json"].JSON)
	assert.Equal(t, "lmclint", cases["json/number-huge-exponent.json"].Origin)
	assert.Equal(t, "Open Interpreter 0.4", cases["recorded/v0.4/a.jsonl"].Origin)
	assert.Contains(t, cases["core/bad/lmc701_b.jsonl"].Features, "option:against")
	assert.Equal(t, suite.Must, cases["core/bad/lmc701_b.jsonl"].Findings[0].Level)
}

func TestManifestRefuses(t *testing.T) {
	for _, c := range []struct{ change, text, want string }{
		{"testdata/VERSION", "", "VERSION: no such file"},
		{"docs/workbench.md", "", "workbench.md: no such file"},
		{"docs/workbench.md", "# Nothing", "names the requirement WB-"},
		{"docs/protocol.md", `- <a id="lmc-inp-1"></a>**LMC-INP-1** A record is one JSON text.`, "docs/protocol.md: requirement LMC-INP-1 has none of the words"},
		{"testdata/core/ok/a.jsonl.expect.json", "", "a.jsonl.expect.json: no such file"},
		{"testdata/core/ok/a.jsonl.expect.json", "{", "core/ok/a.jsonl: "},
		{"testdata/core/ok/a.jsonl.expect.json", `{"options": {"against": "b.json"}, "findings": []}`, "b.json: no such file"},
		{"testdata/core/ok/a.jsonl.expect.json", `{"findings": [{"rule": "LMC999", "severity": "error", "line": 1, "column": 1}]}`, `unknown rule "LMC999"`},
		{"testdata/core/ok/a.jsonl.expect.json", `{"options": {"dialect": "none"}, "findings": []}`, "unknown dialect"},
	} {
		t.Run(c.change, func(t *testing.T) {
			root := checkout(t, map[string]string{"core/ok/a.jsonl": stream, "core/ok/a.jsonl.expect.json": `{"findings": []}`})
			require.NoError(t, author.New(root).WriteManifest(t.Context()))
			written, err := os.ReadFile(filepath.Join(root, "testdata", suite.ManifestName))
			require.NoError(t, err)

			path := filepath.Join(root, c.change)
			require.NoError(t, os.Remove(path))
			if c.text != "" {
				write(t, path, c.text)
			}
			assert.ErrorContains(t, author.New(root).WriteManifest(t.Context()), c.want)
			kept, err := os.ReadFile(filepath.Join(root, "testdata", suite.ManifestName))
			require.NoError(t, err)
			assert.Equal(t, written, kept, "the manifest before it is kept")
		})
	}
}

func TestCheckName(t *testing.T) {
	found := []suite.Finding{{Rule: "LMC203"}}
	for _, c := range []struct {
		input string
		e     suite.Expectation
		want  string
	}{
		{"core/ok/a.jsonl", suite.Expectation{}, ""},
		{"core/ok/a.jsonl", suite.Expectation{Findings: found}, "without findings, but has some"},
		{"core/ok/a.jsonl", suite.Expectation{Foreign: true}, "without findings, but has some"},
		{"core/bad/a.jsonl", suite.Expectation{Findings: found}, ""},
		{"core/bad/a.jsonl", suite.Expectation{Foreign: true}, ""},
		{"core/bad/a.jsonl", suite.Expectation{}, "with findings, but has none"},
		{"core/bad/lmc203_a.jsonl", suite.Expectation{Findings: found}, ""},
		{"core/bad/lmc204_a.jsonl", suite.Expectation{Findings: found}, "named for LMC204"},
	} {
		err := author.CheckName(c.input, &c.e)
		if c.want == "" {
			assert.NoError(t, err, c.input)
		} else {
			assert.ErrorContains(t, err, c.want)
		}
	}
}

// The error of an input that cannot be read names it.
func TestJudge(t *testing.T) {
	a := author.New(checkout(t, map[string]string{"core/ok/a.jsonl": stream}))
	v, err := a.Judge(t.Context(), "core/ok/a.jsonl", suite.Options{})
	require.NoError(t, err)
	assert.Empty(t, v.Findings)
	assert.Equal(t, suite.Detected{Protocol: "lmc", Kind: "stream", Form: "jsonl", Dialect: "interpreter"}, v.Detected)
	require.NoError(t, os.Remove(a.Path("core/ok/a.jsonl")))
	_, err = a.Judge(t.Context(), "core/ok/a.jsonl", suite.Options{Kind: "stream"})
	assert.True(t, err != nil && strings.HasPrefix(err.Error(), "judge core/ok/a.jsonl: "), "%v", err)
}
