package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/rules"
)

// updateDocs writes the generated documents:
// go test ./cmd/lmclint -run TestDocs -update-docs
var updateDocs = flag.Bool("update-docs", false, "rewrite the generated documents")

const docs = "../../docs"

// The documents say what the program says.
func TestDocs(t *testing.T) {
	pages := map[string]string{
		"rules/README.md": rulesIndex(t),
		"cli.md":          cliReference(t),
	}
	for _, r := range rules.All() {
		page, err := rulePage(r)
		require.NoError(t, err)
		pages["rules/"+r.ID+".md"] = page
	}
	if *updateDocs {
		require.NoError(t, os.RemoveAll(filepath.Join(docs, "rules")))
		require.NoError(t, os.MkdirAll(filepath.Join(docs, "rules"), 0o755))
		for name, page := range pages {
			require.NoError(t, os.WriteFile(filepath.Join(docs, name), []byte(page), 0o644))
		}
	}
	for name, page := range pages {
		old, err := os.ReadFile(filepath.Join(docs, name))
		require.NoError(t, err)
		assert.Equal(t, page, string(old), "%s is stale; refresh it with: go test ./cmd/lmclint -run TestDocs -update-docs", name)
	}
	there, err := filepath.Glob(filepath.Join(docs, "rules", "*"))
	require.NoError(t, err)
	assert.Len(t, there, len(rules.All())+1, "a page of a rule that is gone")
}

// rulesIndex lists the rules with links to their pages.
func rulesIndex(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Rules\n\nGenerated from the rules themselves; `lmclint explain ID` says the same.\n\n")
	b.WriteString("| id | name | severity | in | finds |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range rules.All() {
		fmt.Fprintf(&b, "| [%[1]s](%[1]s.md) | %s | %s | %s | %s |\n", r.ID, r.Name, severityText(r),
			strings.Join(inputNames(r.Inputs), ", "), inlineMarkdown(r.Summary))
	}
	return b.String()
}

// cliReference is the whole help of each command.
func cliReference(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# The command line\n\nGenerated from the program's help.\n\n")
	status, out := run("help")
	require.Equal(t, exitClean, status)
	b.WriteString(fenced("text", out))
	for _, command := range commandNames() {
		status, out := run("help", "--all", command)
		require.Equal(t, exitClean, status)
		fmt.Fprintf(&b, "\n## lmclint %s\n\n%s", command, fenced("text", out))
	}
	return b.String()
}
