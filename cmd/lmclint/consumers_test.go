package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/show/consumers"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// The help of check names the clients of the table, which is not read for it at each start.
func TestHelpNamesClients(t *testing.T) {
	long := new(Command).checkCommand().Long
	assert.Contains(t, strings.ReplaceAll(long, "\n", " "), "CLIENTS: "+strings.Join(consumers.Load().Names(), ", ")+". ")
}

// docs/consumers.md is the table.
func TestGeneratedConsumers(t *testing.T) {
	table := consumers.Load()
	var b strings.Builder
	b.WriteString("# Does my client mind?\n\n" +
		"A finding says what the protocol minds. This page says what real programs do with each mistake: they were given the wrong examples of the rules, and\n" +
		"variants of them, and what they did was compared with what they do with a sound input.\n\n" +
		"```sh\nlmclint check --for terminal stream.jsonl   # what Open Interpreter's terminal minds\n" +
		"lmclint explain LMC209                      # who minds one mistake\n```\n\n" +
		"With `--for`, a mistake is an error if one of the named clients crashes, hangs or loses data, a warning if one shows something wrongly, and is not reported\n" +
		"if none minds. Where one of them was not run, or the runs say nothing of it, and it might mind more, the mistake keeps its own severity; `-v` lists these.\n" +
		"Rules that a configuration or `--ignore` turns off stay off; severities that a configuration sets are replaced.\n" +
		"A result is the worst of its cases; the help of each finding says in which case a client does what. The outcomes are\n\n")
	for _, line := range []string{
		"crashes: an exception, an error instead of an answer, or an aborted response",
		"loses: content is not shown, stored, sent or run",
		"hangs: what it waits for never comes",
		"shows wrongly: it shows, stores, sends or runs something else",
		"nothing: as with a sound input",
	} {
		b.WriteString("- " + line + "\n")
	}
	b.WriteString("\nThis page is generated from `internal/show/consumers/consumers.json`.\n\n## Clients\n\n| client | what it is | versions | how it was run |\n| --- | --- | --- | --- |\n")
	for _, c := range table.Consumers {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Name, inlineMarkdown(c.What), inlineMarkdown(c.Versions), inlineMarkdown(c.Run))
	}
	b.WriteString("\nOpen Interpreter v0.4.2 has the same files as main for all of these.\n\n## Results\n\n| rule | client | what happens | in which case |\n| --- | --- | --- | --- |\n")
	for _, r := range table.Results {
		what := r.What
		if r.Versions != "" {
			what += "; " + r.Versions
		}
		if r.From != "" {
			what += "; the runs have it under " + r.From
		}
		fmt.Fprintf(&b, "| [%s](rules/%[1]s.md) | %s | %s | %s |\n", r.Rule, strings.Join(r.Consumers, ", "), r.Outcome, inlineMarkdown(what))
	}
	for _, section := range []struct {
		title string
		items []string
	}{{"What fails with a sound input, too", table.Controls}, {"What was not run", table.NotRun}} {
		fmt.Fprintf(&b, "\n## %s\n\n", section.title)
		for _, item := range section.items {
			b.WriteString("- " + inlineMarkdown(item) + "\n")
		}
	}
	var without []string
	for _, r := range rules.All() {
		if r.ProtocolName() != "workbench" && len(table.Of(r.ID)) == 0 {
			without = append(without, fmt.Sprintf("[%s](rules/%s.md)", r.ID, r.ID))
		}
	}
	fmt.Fprintf(&b, "- No result: %s, and the rules of Semantic Workbench.\n", strings.Join(without, ", "))
	generated.File(t, filepath.Join(docs, "consumers.md"), []byte(b.String()))
}

// --for gives the examples of every rule the severities that the table says. Of the
// consumers that do the same with a rule, one is tried.
func TestForGivesWhatTheTableSays(t *testing.T) {
	table := consumers.Load()
	selections := map[string]*lint.Selection{}
	for _, consumer := range table.Names() {
		everyRule, err := rules.Catalog().Resolve()
		require.NoError(t, err)
		selections[consumer] = (&mindingClients{list: []string{consumer}}).minded(everyRule)
	}
	for _, r := range rules.All() {
		tried := map[string]bool{}
		for _, consumer := range table.Names() {
			outcome, wasRun := "", false
			if result := table.Result(r.ID, consumer); result != nil && !result.Cases {
				outcome, wasRun = result.Outcome, true
			}
			if tried[outcome] {
				continue
			}
			tried[outcome] = true
			for i, e := range r.Bad {
				if i > 0 && !exhaustive.Enabled() {
					break
				}
				severity := map[string]lint.Severity{"nothing": 0, "shows wrongly": lint.SeverityWarning, "crashes": lint.SeverityError, "loses": lint.SeverityError, "hangs": lint.SeverityError}[outcome]
				want, got := severitiesOf(t, r, e, nil), severitiesOf(t, r, e, selections[consumer])
				switch {
				case wasRun && severity == 0:
					want = nil
				case wasRun:
					want = slices.Repeat([]lint.Severity{severity}, len(want))
				}
				assert.Equal(t, want, got, "%s %s", r.ID, consumer)
			}
		}
	}
}

// severitiesOf returns the severities of the findings of a rule in an example.
func severitiesOf(t *testing.T, rule *lint.Rule, e lint.Example, selection *lint.Selection) []lint.Severity {
	t.Helper()
	config, err := protocol.ExampleConfig(e)
	require.NoError(t, err)
	linter, err := lint.New(rules.All(), lint.WithConfig(config), lint.WithSelection(selection), lint.WithEach())
	require.NoError(t, err)
	var list []lint.Severity
	_, err = linter.Run(context.Background(), "example", strings.NewReader(e.Text()), func(f lint.Finding) error {
		if f.Rule == rule {
			list = append(list, f.Severity)
		}
		return nil
	})
	require.NoError(t, err)
	return list
}
