package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/verify/suite"
)

// checkout makes the root of a checkout with the documents and a case without an
// expectation.
func checkout(t *testing.T, input, text string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range []string{"docs/protocol.md", "docs/workbench.md", "testdata/VERSION"} {
		data, err := os.ReadFile(filepath.Join("../../..", name))
		require.NoError(t, err)
		write(t, filepath.Join(root, name), string(data))
	}
	write(t, filepath.Join(root, input), text)
	return root
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

const unclosed = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
`

// A case is one file and one command: the expectation and the manifest follow.
func TestAddCase(t *testing.T) {
	const input = "testdata/core/bad/lmc203_new.jsonl"
	root := checkout(t, input, unclosed)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), root, []string{"-note", "a cut", "-dialect", "interpreter", "-requirements", "LMC-CHK-2", input}, &out, io.Discard))
	assert.Equal(t, input+": lmc, stream, jsonl, interpreter\n  2:1 error LMC203\n"+
		"Wrote testdata/manifest.json. Read the findings and the difference before you commit them.\n", out.String())

	m, err := suite.ReadDir(os.DirFS(filepath.Join(root, "testdata")))
	require.NoError(t, err)
	c := m.Cases[0] // those of the grammar of JSON follow
	assert.Equal(t, "core/bad/lmc203_new.jsonl", c.ID)
	assert.Equal(t, []string{"LMC-CHK-2", "LMC-DIA-1", "LMC-STR-3"}, c.Requirements)
	assert.Equal(t, suite.Must, c.Level)
	require.Len(t, c.Findings, 1)

	// Again, with another input: what was said of it stays.
	write(t, filepath.Join(root, input), unclosed+unclosed)
	require.NoError(t, run(t.Context(), root, []string{input}, io.Discard, io.Discard))
	m, err = suite.ReadDir(os.DirFS(filepath.Join(root, "testdata")))
	require.NoError(t, err)
	assert.Equal(t, "a cut", m.Cases[0].Note)
	assert.Equal(t, "interpreter", m.Cases[0].Options.Dialect)
	assert.Len(t, m.Cases[0].Findings, 2)
}

func TestAddCaseRefuses(t *testing.T) {
	for _, c := range []struct{ input, want string }{
		{"testdata/core/ok/lmc203_new.jsonl", "is in a folder of inputs without findings, but has some"},
		{"testdata/core/bad/lmc204_new.jsonl", "is named for LMC204, but has no such finding"},
		{"testdata/README.md", "is not an input of a case"},
		{"testdata/core/bad/x.expect.json", "is not an input of a case"},
		{"docs/x.jsonl", "is not an input of a case"},
	} {
		root := checkout(t, c.input, unclosed)
		assert.ErrorContains(t, run(t.Context(), root, []string{c.input}, io.Discard, io.Discard), c.want)
		assert.NoFileExists(t, filepath.Join(root, c.input+suite.ExpectationExt))
		assert.NoFileExists(t, filepath.Join(root, "testdata", suite.ManifestName))
	}
	root := checkout(t, "testdata/core/ok/empty_stream.jsonl", "")
	err := run(t.Context(), root, []string{"-dialect", "no such", "testdata/core/ok/empty_stream.jsonl"}, io.Discard, io.Discard)
	assert.ErrorContains(t, err, `unknown dialect "no such"`)
	assert.Error(t, run(t.Context(), root, []string{"testdata/core/ok/missing.jsonl"}, io.Discard, io.Discard))
	assert.Error(t, run(t.Context(), root, nil, io.Discard, io.Discard))
}
