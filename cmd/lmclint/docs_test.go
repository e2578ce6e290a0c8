package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/generated"
	"github.com/lmclint/lmclint/rules"
)

const docs = "../../docs"

// The rule pages and the command reference match the output of the program.
func TestGeneratedDocs(t *testing.T) {
	pages := map[string]string{
		"rules/README.md": rulesIndex(t),
		"cli.md":          cliReference(t),
	}
	for _, r := range rules.All() {
		drawn, err := drawExample(r)
		require.NoError(t, err)
		if drawn != nil {
			pages["rules/"+r.ID+".svg"] = string(drawn.svg)
		}
		page, err := rulePage(r, drawn)
		require.NoError(t, err)
		pages["rules/"+r.ID+".md"] = page
	}
	var rulePages []string
	for name, page := range pages {
		generated.File(t, filepath.Join(docs, name), []byte(page))
		if strings.HasPrefix(name, "rules/") {
			rulePages = append(rulePages, filepath.Base(name))
		}
	}
	generated.OnlyFiles(t, filepath.Join(docs, "rules"), rulePages)
}

// rulesIndex lists the rules with links to their pages.
func rulesIndex(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Rules\n\nGenerated from the rules themselves; `lmclint explain ID` says the same. A page shows the first wrong example that has more than one record as a timeline.\n\n")
	b.WriteString("| id | name | severity | in | fix | finds |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range rules.All() {
		fmt.Fprintf(&b, "| [%[1]s](%[1]s.md) | %s | %s | %s | %s | %s |\n", r.ID, r.Name, r.SeverityText(),
			strings.Join(r.Inputs.Names(), ", "), strings.Join(r.Fixes.Names(), ", "), inlineMarkdown(r.Summary))
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
	for _, command := range commandsForTest() {
		status, out := run("help", "--all", command)
		require.Equal(t, exitClean, status)
		fmt.Fprintf(&b, "\n## lmclint %s\n\n%s", command, fenced("text", out))
	}
	return b.String()
}
