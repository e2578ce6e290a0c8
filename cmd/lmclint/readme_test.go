package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/schema"
)

// The output shown in the README is what the program prints.
func TestGeneratedReadme(t *testing.T) {
	t.Chdir("../..") // the commands of the README are for the checkout's root
	old, err := os.ReadFile("README.md")
	require.NoError(t, err)
	output := runOf(t, string(old), "first run")
	generated.Section(t, "README.md", "<!-- first run output -->\n```text\n", "```", output)
	generated.Section(t, "docs/reports.md", "<!-- text report -->\n```text\n", "```", output)

	generated.Section(t, "README.md", "<!-- second run output -->\n```text\n", "```", runOf(t, string(old), "second run"))
	generated.Section(t, "docs/timeline.md", "<!-- timeline -->\n```text\n", "```", drawnRun(t))

	generated.Section(t, "docs/diff.md", "<!-- diff -->\n```text\n", "```", comparedRun(t))

	example, err := os.ReadFile("lint/example_test.go")
	require.NoError(t, err)
	function := regexp.MustCompile(`(?ms)^func check\(.*?^}\n`).Find(example)
	require.NotEmpty(t, function)
	generated.Section(t, "docs/install.md", "<!-- go api -->\n```go\n", "```", string(function))
}

// runOf runs the README's command of that name and returns all that it prints.
func runOf(t *testing.T, text, name string) string {
	t.Helper()
	command := regexp.MustCompile(`<!-- ` + name + " -->\n```sh\ngo run \\./cmd/lmclint (.+)\n").FindStringSubmatch(text)
	require.NotNil(t, command, "the README has no %s", name)
	var both bytes.Buffer
	c := Command{Stdin: strings.NewReader(""), Stdout: &both, Stderr: &both}
	require.Equal(t, exitFindings, c.Main(strings.Fields(command[1])))
	return both.String()
}

// drawnRun draws a recording for the documentation.
func drawnRun(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	c := Command{Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard}
	require.Equal(t, exitFindings, c.Main([]string{"timeline", "--width", "100", "testdata/recorded/v0.4.2/close_mid_output.chunks.jsonl"}))
	return out.String()
}

// comparedRun compares two recordings for the documentation.
func comparedRun(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	c := Command{Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard}
	require.Equal(t, exitFindings, c.Main([]string{"diff", "testdata/recorded/v0.2.0/py_plot.chunks.jsonl", "testdata/recorded/v0.4.2/py_plot.chunks.jsonl"}))
	return out.String()
}

// The README's commands run as printed from the root of a checkout.
func TestReadmeCommands(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	blocks := fencedBlocks(t, "README.md", "sh")
	t.Chdir("../..")
	commands := 0
	for _, block := range blocks {
		for line := range strings.Lines(block) {
			if !strings.Contains(line, "lmclint ") || strings.HasPrefix(line, "go ") {
				continue
			}
			commands++
			var stderr bytes.Buffer
			c := exec.Command("bash", "-c", "set -o pipefail; "+line) //nolint:gosec // from the README
			c.Stderr = &stderr
			err := c.Run()
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == exitFindings {
				continue
			}
			assert.NoError(t, err, "%s%s", line, stderr.String())
		}
	}
	assert.Greater(t, commands, 5)
}

func TestFormatsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/reports.md")
	require.NoError(t, err)
	_, help := run("help", "check")
	for _, format := range report.Formats() {
		assertRow(t, "reports.md", string(page), string(format))
		assert.True(t, regexp.MustCompile(`\b`+string(format)+`\b`).MatchString(help), "the help of check in cmd/lmclint/check.go does not list %s", format)
	}
}

func TestFormsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/inputs.md")
	require.NoError(t, err)
	for _, form := range source.Forms() {
		assertRow(t, "inputs.md", string(page), string(form))
	}
}

func TestDialectsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/dialects.md")
	require.NoError(t, err)
	for _, dialect := range schema.Names() {
		assertRow(t, "dialects.md", string(page), dialect)
	}
}

// assertRow checks that a table of a page has a row that starts with a word.
func assertRow(t *testing.T, name, page, word string) {
	t.Helper()
	if !strings.Contains(page, "\n| `"+word+"`") {
		t.Errorf("docs/%s has no row for %s", name, word)
	}
}

// Relative links in the documents resolve.
func TestLinks(t *testing.T) {
	t.Chdir("../..")
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, page := range append(pages, "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "testdata/README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(page), m[1]))
			assert.NoError(t, err, page)
		}
	}
}

// Each page of docs/ is linked from the index of the documentation.
func TestPagesAreLinked(t *testing.T) {
	index, err := os.ReadFile("../../docs/README.md")
	require.NoError(t, err)
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" {
			assert.Contains(t, string(index), "]("+name+")")
		}
	}
}

// The README is short enough to be read.
func TestReadmeSize(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	assert.Less(t, len(text), 8000)
}

// The changelog lists each change once.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "- ") {
			assert.False(t, seen[line], line)
			seen[line] = true
		}
	}
}
