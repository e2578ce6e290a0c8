package coverage_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/show/coverage"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// The table has the requirements of the document in their order, and says of those
// that rules check what exercises them.
func TestRequirementsAreThoseOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/protocol.md")
	require.NoError(t, err)
	documented, err := suite.ParseRequirements(string(text))
	require.NoError(t, err)
	listed := coverage.Requirements()
	var documentedIDs, listedIDs []string
	for _, r := range documented {
		documentedIDs = append(documentedIDs, r.ID)
	}
	for _, r := range listed {
		listedIDs = append(listedIDs, r.ID)
	}
	require.Equal(t, strings.Join(documentedIDs, "\n"), strings.Join(listedIDs, "\n"), "write the requirements of docs/protocol.md in requirements.txt, in their order")
	for i, r := range documented {
		assert.Equal(t, r.NoRule == "", listed[i].HasRule, "%s: a requirement that rules check has words in requirements.txt, and no other has", r.ID)
		assert.Equal(t, listed[i].HasRule, listed[i].Says != "", r.ID)
	}
}

// look returns the table of one input.
func look(t *testing.T, config lint.Config, name, text string, options ...lint.Option) *coverage.Table {
	t.Helper()
	config.Coverage = true
	linter, err := lint.New(rules.All(), append(options, lint.WithConfig(config))...)
	require.NoError(t, err)
	result, err := linter.Run(context.Background(), name, strings.NewReader(text), func(lint.Finding) error { return nil })
	require.NoError(t, err)
	b := coverage.New(rules.All())
	b.Add(result.Coverage, nil)
	return b.Table()
}

// The good examples of rules exercise what the rules check, without a finding.
func TestGoodExamplesExercise(t *testing.T) {
	exercised := map[string]bool{}
	for _, r := range rules.All() {
		for _, e := range r.Good {
			if config, err := protocol.ExampleConfig(e); assert.NoError(t, err) && r.ProtocolName() != "workbench" {
				for _, id := range look(t, config, "example", e.Text()).Exercised {
					exercised[id] = exercised[id] || slices.Contains(r.Requirements, id)
				}
			}
		}
	}
	for _, r := range coverage.Requirements() {
		isShownByBad := slices.Contains([]string{"LMC-SES-2", "LMC-SES-12", "LMC-SES-13"}, r.ID)
		if r.HasRule && !r.OnlyFinding && !isShownByBad {
			assert.True(t, exercised[r.ID], "no good example of a rule about %s has what its line in requirements.txt names", r.ID)
		}
	}
}

// The fast path counts what the slow path counts.
func TestBothPathsCountTheSame(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/recorded/*/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files[:min(len(files), 40)] {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		long := strings.Repeat(string(text), 3)
		assert.Equal(t, look(t, lint.Config{}, file, long, lint.WithoutFastPath()), look(t, lint.Config{}, file, long), file)
	}
}

const (
	stored = `[{"role": "user", "type": "message", "content": "Hi"}, {"role": "assistant", "type": "message", "content": "Hello."}]`
	chunks = `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "README\n"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`
)

func TestStream(t *testing.T) {
	table := look(t, lint.Config{}, "a.jsonl", chunks)
	assert.Equal(t, map[string]int{"blocks": 2, "confirmations": 1, "executions confirmed": 1, "executions refused": 0, "executions not confirmed": 0}, table.Events)
	assert.Subset(t, table.Exercised, []string{"LMC-STR-1", "LMC-STR-9", "LMC-EXE-1", "LMC-EXE-5"})
	assert.Contains(t, table.NeverExercised, "LMC-TRN-1")
	assert.Contains(t, strings.Join(table.Lines(), "\n"), "What happened: blocks 2, confirmations 1, executions confirmed 1, executions not confirmed 0, executions refused 0\n")
}

// A requirement whose rules are off is not judged, whatever occurred.
func TestIgnoredIsNotJudged(t *testing.T) {
	ignored := lint.Layer{Ignore: []lint.Selector{{Text: "LMC205"}}}
	selection, err := rules.Catalog().Resolve(ignored)
	require.NoError(t, err)
	linter, err := lint.New(rules.All(), lint.WithSelection(selection), lint.WithConfig(lint.Config{Coverage: true}))
	require.NoError(t, err)
	result, err := linter.Run(context.Background(), "a.jsonl", strings.NewReader(chunks), func(lint.Finding) error { return nil })
	require.NoError(t, err)
	b := coverage.New(rules.All())
	b.Add(result.Coverage, selection)
	table := b.Table()
	assert.NotContains(t, table.Exercised, "LMC-STR-5")
	assert.Equal(t, []string{"LMC-STR-5"}, table.NotJudged["ignored by the configuration"])
}

// Records without end of different kinds need bounded memory.
func TestKindsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(`{"role": "assistant", "type": "message", "format": "` + strings.Repeat("x", i) + `", "content": "Hi."}` + "\n")
	}
	table := look(t, lint.Config{Kind: "transcript"}, "a.jsonl", b.String())
	assert.LessOrEqual(t, len(table.Records), 513)
	sum := 0
	for _, r := range table.Records {
		assert.LessOrEqual(t, len(r.Format), 43)
		sum += r.Count
	}
	assert.Equal(t, 1000, sum)
}
