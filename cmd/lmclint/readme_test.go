package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/schema"
)

// updateReadme refreshes what the README takes from the program:
// go test ./cmd/lmclint -run TestReadme -update-readme
var updateReadme = flag.Bool("update-readme", false, "rewrite the README's generated parts")

// What the README says that the program prints is what the program prints.
func TestReadme(t *testing.T) {
	t.Chdir("../..") // the commands of the README are for the checkout's root
	old, err := os.ReadFile("README.md")
	require.NoError(t, err)
	text := replaceBetween(t, string(old), "<!-- rules:begin -->\n", "<!-- rules:end -->", rulesTable(t))
	text = replaceBetween(t, text, "<!-- first run output -->\n```text\n", "```", firstRun(t, text))
	if *updateReadme {
		require.NoError(t, os.WriteFile("README.md", []byte(text), 0o644))
		return
	}
	assert.Equal(t, text, string(old), "the README is stale; refresh it with: go test ./cmd/lmclint -run TestReadme -update-readme")
}

func rulesTable(t *testing.T) string {
	t.Helper()
	status, out := run("rules", "--format", "markdown")
	require.Equal(t, exitClean, status)
	return out
}

// firstRun runs the README's first command and returns all that it prints.
func firstRun(t *testing.T, text string) string {
	t.Helper()
	command := regexp.MustCompile(`(?m)^go run \./cmd/lmclint (\S+)$`).FindStringSubmatch(text)
	require.NotNil(t, command, "the README has no first run")
	var both bytes.Buffer
	c := Command{Stdin: strings.NewReader(""), Stdout: &both, Stderr: &both}
	require.Equal(t, exitFindings, c.Main(command[1:]))
	return both.String()
}

func replaceBetween(t *testing.T, text, begin, end, with string) string {
	t.Helper()
	head, rest, found := strings.Cut(text, begin)
	require.True(t, found, "no %q in the README", begin)
	i := strings.Index(rest, end)
	require.GreaterOrEqual(t, i, 0, "no %q in the README", end)
	return head + begin + with + rest[i:]
}

// A format that nobody can read of is not there.
func TestFormatsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/reports.md")
	require.NoError(t, err)
	_, help := run("help", "check")
	for _, format := range report.Formats() {
		assert.Regexp(t, "(?m)^\\| `"+string(format)+"`", string(page))
		assert.Regexp(t, `\b`+string(format)+`\b`, help)
	}
}

// A form that nobody can read of is not there.
func TestFormsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/inputs.md")
	require.NoError(t, err)
	for _, form := range source.Forms() {
		assert.Regexp(t, "(?m)^\\| `"+string(form)+"`", string(page))
	}
}

// A dialect that nobody can read of is not there.
func TestDialectsAreDocumented(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	for _, dialect := range schema.Names() {
		assert.Regexp(t, "(?m)^\\| `"+dialect+"`", string(readme))
	}
}

// The documents lead to pages that are there.
func TestLinks(t *testing.T) {
	t.Chdir("../..")
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, page := range append(pages, "README.md", "CHANGELOG.md", "SECURITY.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(page), m[1]))
			assert.NoError(t, err, page)
		}
	}
}

// No change is listed twice.
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
