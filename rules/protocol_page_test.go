package rules_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/internal/verify/suite/caselint"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

const protocolPage = "../docs/protocol.md"

// protocolExample is an example of the page: the requirement, options, what is reported,
// and the records.
var protocolExample = regexp.MustCompile("(?s)\n\\*\\*(LMC-[A-Z]+-[0-9]+)\\*\\*(?: \\(`([^`]*)`\\))? ([^`]*(?:`[^`]+`[^`]*)*?) Reported: ([^.]*)\\.\n\n```(?:json|text)\n(.*?)```\n")

// Each requirement about executions, sessions and continuing has an example, and what the
// page says of it is what is found.
func TestExamplesOfTheProtocol(t *testing.T) {
	page, err := os.ReadFile(protocolPage)
	require.NoError(t, err)
	shown := map[string]bool{}
	for _, m := range protocolExample.FindAllStringSubmatch(string(page), -1) {
		id, options, want, records := m[1], strings.Fields(m[2]), m[4], m[5]
		shown[id] = true
		var o suite.Options
		for i, option := range options {
			switch option {
			case "--auto-run":
				o.AutoRun = true
			case "--dialect":
				o.Dialect = options[i+1]
			}
		}
		cases := caselint.Suite{Files: fstest.MapFS{"example.jsonl": {Data: []byte(records)}}}
		var found []suite.Finding
		_, err = cases.Run(t.Context(), "example.jsonl", o, func(f lint.Finding) error {
			found = append(found, caselint.FindingOf(&f, "example.jsonl"))
			return nil
		})
		require.NoError(t, err, id)
		slices.SortFunc(found, suite.Compare)
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s at record %d", f.Rule, *f.Record))
		}
		if len(got) == 0 {
			got = []string{"nothing"}
		}
		assert.Equal(t, want, strings.Join(got, ", "), id)
	}
	m, _ := manifestOf(t)
	for _, r := range m.Requirements {
		if slices.ContainsFunc([]string{"LMC-EXE-", "LMC-SYN-", "LMC-SES-"}, func(p string) bool { return strings.HasPrefix(r.ID, p) }) {
			assert.True(t, shown[r.ID], "%s has no example", r.ID)
		}
	}
}

// The rules that the page names by their ids, outside of its examples.
func TestGeneratedRulesOfTheProtocol(t *testing.T) {
	page, err := os.ReadFile(protocolPage)
	require.NoError(t, err)
	text, _, _ := strings.Cut(string(page), "\n## Rules that this page names\n")
	named := regexp.MustCompile(`\bLMC[0-9]{3}\b`).FindAllString(text, -1)
	slices.Sort(named)
	table := "| rule | what it finds | requirements |\n| --- | --- | --- |\n"
	for _, id := range slices.Compact(named) {
		r := rules.Catalog().Rule(id)
		require.NotNil(t, r, id)
		table += fmt.Sprintf("| [%s](rules/%s.md) | %s | %s |\n", id, id, r.Summary, strings.Join(r.Requirements, ", "))
	}
	generated.Section(t, protocolPage, "<!-- rules -->\n", "<!-- rules end -->", table)
}
