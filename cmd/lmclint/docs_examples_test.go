//go:build unix

package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
)

// notRun are the examples of the documents that a test cannot run, by how they
// begin, and why.
var notRun = map[string]string{
	"lmclint proxy ":          "runs until a signal ends it; see proxy_test.go",
	"lmclint watch ":          "runs until a signal ends it; see watch_test.go",
	"go test ./...":           "is what runs this test",
	"web/build":               "builds the playground; see .ci/browser",
	"python3 -m http.server ": "runs until a signal ends it",
	"npx lmclint ":            "needs the package; .ci/npm runs it",
	"cd beam ":                "compiles Apache Beam; .ci/beam runs it",
}

// documentedExample is a command that the documents or the help show.
type documentedExample struct{ from, command string }

func documentedExamples(t *testing.T) []documentedExample {
	t.Helper()
	var all []documentedExample
	add := func(from, text string) {
		for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
			line, _, _ = strings.Cut(line, " #")
			line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
			if line != "" && !strings.HasPrefix(line, "#") {
				all = append(all, documentedExample{from, line})
			}
		}
	}
	for _, file := range manuals(t) {
		for _, block := range fencedBlocks(t, file, "sh", "shell", "bash", "console") {
			add(file, block)
		}
	}
	for _, args := range helpOfEach() {
		_, help := run(args...)
		_, examples, _ := strings.Cut(help, "\nExamples:\n") // completion, which is cobra's, has none
		examples, _, _ = strings.Cut(examples, "\n\n")
		add(strings.Join(args, " "), examples)
	}
	return all
}

// Every command that the documents and the help show runs as printed. Each is at
// least one process, so that only the exhaustive tests run them all.
func TestDocumentedExamplesRun(t *testing.T) {
	left := map[string]string{}
	for begin, why := range notRun {
		left[begin] = why
	}
	examples := documentedExamples(t)
	require.Greater(t, len(examples), 20)
	bin := newStandIns(t)
	examples = slices.DeleteFunc(examples, func(example documentedExample) bool {
		begin := exceptionOf(example.command)
		delete(left, begin)
		return begin != ""
	})
	for _, example := range exhaustive.Sample(examples, 12) {
		t.Run(example.command, func(t *testing.T) {
			t.Parallel()
			runExample(t, bin, example)
		})
	}
	assert.Empty(t, left, "no document has these examples any more")
}

func exceptionOf(command string) string {
	for begin := range notRun {
		if strings.HasPrefix(command, begin) {
			return begin
		}
	}
	return ""
}

// runExample runs a command where there is what it names. The program must have
// run, with a result that can be trusted.
func runExample(t *testing.T, bin string, example documentedExample) {
	t.Helper()
	scene := newScene(t, bin)
	command := strings.ReplaceAll(example.command, "go run ./cmd/lmclint", "lmclint")
	command = strings.ReplaceAll(command, "/usr/local/", "usr/local/") // nothing is written outside
	c := exec.Command("sh", "-c", command)
	c.Dir = scene.root
	c.Env = append(os.Environ(), "HOME="+scene.root, "PATH="+scene.bin+":"+os.Getenv("PATH"), "LMCLINT="+scene.program, "STATUSES="+scene.statuses)
	out, err := c.CombinedOutput()
	if err != nil {
		assert.Equal(t, exitFindings, c.ProcessState.ExitCode(), "%s: %s\n%s", example.from, example.command, out)
	}
	statuses, err := os.ReadFile(scene.statuses)
	require.NoError(t, err, "%s: %s does not run lmclint: say in notRun why not\n%s", example.from, example.command, out)
	for status := range strings.FieldsSeq(string(statuses)) {
		assert.Contains(t, []string{"0", "1"}, status, "%s: %s\n%s", example.from, example.command, out)
	}
}
