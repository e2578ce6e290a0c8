//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scene is a directory in which the examples of the documents find what they
// name.
type scene struct {
	root, bin string
	program   string // path of the program itself
	statuses  string // file of the exit statuses of lmclint, one a line
}

// standIns are programs of the examples that do not belong to lmclint.
var standIns = map[string]string{
	"lmclint":  `"$LMCLINT" "$@"; status=$?; echo $status >> "$STATUSES"; exit $status`,
	"producer": `cat stream.jsonl`,
	"consumer": `cat > consumed.jsonl`,
	"tail":     `cat "$2"`, // -f would not end
}

// sceneFiles are recordings by the names that they have in the examples.
var sceneFiles = map[string]string{
	"stream.jsonl": unclosed, "turn1.jsonl": soundTurn, "turn2.jsonl": soundTurn, "s.jsonl": soundTurn, "frames.jsonl": soundTurn, "healthy.jsonl": soundTurn,
	"recordings/a.jsonl": unclosed, "recordings/b.jsonl": soundTurn, "streams/a.jsonl": soundTurn,
	"expected.jsonl": soundTurn, "actual.jsonl": soundTurn, "tests/weather.expected.jsonl": soundTurn,
	"chat.json":                  `[{"role": "user", "type": "message", "content": "Hi"}, {"role": "assistant", "type": "message", "content": "Hello"}]`,
	"old.json":                   `[{"role": "user", "message": "Hi"}, {"role": "assistant", "message": "Hello"}]`,
	"stream.sse":                 "data: " + strings.ReplaceAll(strings.TrimSpace(soundTurn), "\n", "\n\ndata: ") + "\n\n",
	"server.log":                 "12:00 Sending chunk: " + strings.ReplaceAll(strings.TrimSpace(soundTurn), "\n", "\n12:00 Sending chunk: ") + "\n",
	"conversation.json":          `[{"role": "user", "type": "message", "content": "Hi"}, {"role": "assistant", "type": "message", "content": "Hello"}]`,
	"conversations/one.json":     `[{"role": "user", "type": "message", "content": "Hi"}]`,
	"sessions/a.jsonl":           soundTurn,
	"ci/lmclint.yaml":            "ignore: [LMC407]\n",
	".config/fish/completions/x": "",
	"usr/local/share/man/man1/x": "",
}

// sceneCopies are files of testdata by such names.
var sceneCopies = map[string]string{
	"messages.json": "workbench/ok/wb010_time_order.json",
	"export.zip":    "workbench/export/semantic_workbench_conversation_export_20250303200900.zip",
}

const soundTurn = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello"}
{"role": "assistant", "type": "message", "end": true}
`

func newScene(t *testing.T, bin string) scene {
	t.Helper()
	program, err := exec.LookPath(name)
	require.NoError(t, err)
	s := scene{root: t.TempDir(), bin: bin, program: program, statuses: filepath.Join(t.TempDir(), "statuses")}
	for file, text := range sceneFiles {
		path := filepath.Join(s.root, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for file, original := range sceneCopies {
		text, err := os.ReadFile(filepath.Join("../../testdata", original))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(s.root, file), text, 0o600))
	}
	testdata, err := filepath.Abs("../../testdata")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(testdata, filepath.Join(s.root, "testdata")))
	return s
}

// newStandIns writes the stand-ins into a folder, for all examples at once: a
// program that was written while others start may be busy when it is to start.
func newStandIns(t *testing.T) (bin string) {
	t.Helper()
	bin = t.TempDir()
	for program, script := range standIns {
		require.NoError(t, os.WriteFile(filepath.Join(bin, program), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	// The interpreter itself: pyenv takes a second to find it, at each of a thousand
	// starts.
	python, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err == nil {
		script := fmt.Sprintf("#!/bin/sh\nexec '%s' \"$@\"\n", strings.TrimSpace(string(python)))
		require.NoError(t, os.WriteFile(filepath.Join(bin, "python3"), []byte(script), 0o755))
	}
	return bin
}
