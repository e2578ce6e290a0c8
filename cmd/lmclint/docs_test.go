package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/rules"
)

const docs = "../../docs"

// The rule pages and the command reference match the output of the program.
func TestGeneratedDocs(t *testing.T) {
	pages := map[string]string{
		"rules/README.md": rulesIndex(t),
		"cli.md":          cliReference(t),
	}
	questions := questionsByRule(t)
	for _, r := range rules.All() {
		drawn, err := drawExample(r)
		require.NoError(t, err)
		if drawn != nil {
			pages["rules/"+r.ID+".svg"] = string(drawn.svg)
		}
		page, err := rulePage(r, drawn, questions[r.ID])
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

// question is an entry of docs/questions.md.
type question struct {
	title, anchor string
	rules         []string // ids; none if there is no rule about it
}

var (
	questionHead = regexp.MustCompile(`(?m)^## (.+)\n<a id="([a-z0-9-]+)"></a>$`)
	questionRule = regexp.MustCompile(`\[((?:LMC|WB)\d+)\]\(rules/((?:LMC|WB)\d+)\.md\)`)
)

func readQuestions(t *testing.T) (list []question) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(docs, "questions.md"))
	require.NoError(t, err)
	heads := questionHead.FindAllStringSubmatchIndex(string(text), -1)
	require.Len(t, heads, strings.Count(string(text), "\n## "), "each question has an anchor")
	for i, head := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		q := question{title: string(text[head[2]:head[3]]), anchor: string(text[head[4]:head[5]])}
		for _, link := range questionRule.FindAllSubmatch(text[head[1]:end], -1) {
			require.Equal(t, string(link[1]), string(link[2]))
			q.rules = append(q.rules, string(link[1]))
		}
		require.True(t, len(q.rules) > 0 || strings.Contains(string(text[head[1]:end]), "Rules: none."), q.title)
		list = append(list, q)
	}
	return list
}

// questionsByRule returns links to the questions about each rule.
func questionsByRule(t *testing.T) map[string][]string {
	t.Helper()
	links := map[string][]string{}
	for _, q := range readQuestions(t) {
		for _, id := range q.rules {
			require.NotNil(t, rules.Catalog().Rule(id), id)
			links[id] = append(links[id], fmt.Sprintf("[%s](../questions.md#%s)", q.title, q.anchor))
		}
	}
	return links
}

// The text of the protocols links to each question.
func TestQuestionsAreLinked(t *testing.T) {
	var text strings.Builder
	for _, name := range []string{"protocol.md", "workbench.md"} {
		page, err := os.ReadFile(filepath.Join(docs, name))
		require.NoError(t, err)
		text.Write(page)
	}
	for _, q := range readQuestions(t) {
		assert.Contains(t, text.String(), "(questions.md#"+q.anchor+")", q.title)
	}
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
