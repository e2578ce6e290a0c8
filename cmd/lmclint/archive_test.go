package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const exportZip = "../../testdata/workbench/export/semantic_workbench_conversation_export_20250303200900.zip"

// runOn runs the program with something on its standard input.
func runOn(stdin []byte, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	c := Command{Stdin: bytes.NewReader(stdin), Stdout: &out, Stderr: &errs}
	status = c.Main(args)
	return status, out.String(), errs.String()
}

func zipOf(t *testing.T, files ...string) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		require.NoError(t, err)
		_, err = f.Write([]byte(files[i+1]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return packed.Bytes()
}

// An export is read in place, from a file and through a pipe.
func TestExportIsReadInPlace(t *testing.T) {
	status, out, _ := runOn(nil, "--format", "json", exportZip)
	assert.Equal(t, exitClean, status)
	assert.Contains(t, out, `.zip!workbench.jsonl","protocol":"workbench","kind":"transcript","form":"jsonl","records":22,`)
	packed, err := os.ReadFile(exportZip)
	require.NoError(t, err)
	status, out, _ = runOn(packed, "--format", "json", "-")
	assert.Equal(t, exitClean, status)
	assert.Contains(t, out, `"path":"<stdin>!workbench.jsonl","protocol":"workbench"`)
}

// Findings name the file inside the archive and the line there.
func TestFindingsInAnExport(t *testing.T) {
	broken := zipOf(t, "../evil.jsonl", "{}", "workbench.jsonl", `{"type": "Conversation", "data": {"conversation_id": "24a23094-4245-4c3b-8fbe-d6de3f88465b"}}
{"type": "Message", "data": {}}
`)
	for _, name := range []string{"export.zip", "export.json"} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, broken, 0o644))
		status, out, _ := runOn(nil, path)
		assert.Equal(t, exitFindings, status)
		assert.Contains(t, out, `error[WB301]: unknown table "Message"`+"\n --> "+path+"!workbench.jsonl:2:10\n")
	}
}

func TestArchivesThatAreNoExport(t *testing.T) {
	whole := zipOf(t, "workbench.jsonl", "{}")
	for name, c := range map[string]struct {
		input []byte
		want  string
	}{
		"no such file": {zipOf(t, "chat.json", "[]"), "a zip archive without workbench.jsonl"},
		"cut off":      {whole[:len(whole)-10], "zip archive is corrupt or cut off"},
		"no zip":       {[]byte("PK is how it begins"), " record"},
		"one letter":   {[]byte("P"), " record"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, errs := runOn(c.input, "-")
			assert.Equal(t, exitTrouble, status)
			assert.Empty(t, out)
			assert.Contains(t, errs, c.want)
			path := filepath.Join(t.TempDir(), "in.zip")
			require.NoError(t, os.WriteFile(path, c.input, 0o644))
			_, _, errs = runOn(nil, path)
			assert.Contains(t, errs, c.want)
		})
	}
}
