package rules_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lintAll lints an input and returns all findings.
func lintAll(t *testing.T, linter *lint.Linter, name string, data []byte) (findings []lint.Finding) {
	t.Helper()
	for f, err := range linter.Lint(context.Background(), name, bytes.NewReader(data)) {
		require.NoError(t, err)
		findings = append(findings, f)
	}
	return findings
}

// shared are linters by their configuration: making one takes as long as linting
// many small inputs.
var shared sync.Map

// linterFor returns a linter with all rules.
func linterFor(config lint.Config) *lint.Linter {
	key := fmt.Sprintf("%+v", config)
	if linter, ok := shared.Load(key); ok {
		return linter.(*lint.Linter)
	}
	linter := linttest.MustNew(rules.All(), lint.WithConfig(config))
	if config.Against == nil {
		shared.Store(key, linter)
	}
	return linter
}

// found lints an example and writes each finding as "LMC202 3:1".
func found(t *testing.T, e lint.Example) []string {
	t.Helper()
	config, err := protocol.ExampleConfig(e)
	require.NoError(t, err)
	linter := linterFor(config)
	found := []string{}
	for _, f := range lintAll(t, linter, "example", []byte(e.Text())) {
		start := f.Place.Span.Start
		found = append(found, fmt.Sprintf("%s %d:%d", f.Rule.ID, start.Line, start.Column))
		assert.NotContains(t, f.Message, "\n")
		assert.False(t, strings.HasSuffix(f.Message, "."), "message ends in a full stop: %s", f.Message)
	}
	return found
}

// Each bad example yields exactly what it names, and each good one nothing:
// what the documentation shows is what the linter does.
func TestExamples(t *testing.T) {
	for _, rule := range rules.All() {
		t.Run(rule.ID, func(t *testing.T) {
			for _, e := range rule.Bad {
				assert.Equal(t, e.Want, found(t, e), "bad example %q", e.Name)
				assert.Contains(t, strings.Join(e.Want, " "), rule.ID, "bad example %q does not show its rule", e.Name)
			}
			for _, e := range rule.Good {
				assert.Empty(t, found(t, e), "good example %q", e.Name)
			}
		})
	}
}

func TestRulesAreComplete(t *testing.T) {
	previous := ""
	names := map[string]bool{}
	for _, r := range rules.All() {
		assert.Regexp(t, `^(LMC|WB)\d{3}$`, r.ID)
		assert.Greater(t, r.ID, previous, "rules are sorted and ids unique")
		previous = r.ID
		assert.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, r.Name)
		assert.False(t, names[r.Name], "name %s is used twice", r.Name)
		names[r.Name] = true
		assert.NotEmpty(t, r.Summary, r.ID)
		assert.NotContains(t, r.Summary, "\n", r.ID)
		assert.False(t, strings.HasSuffix(r.Summary, "."), r.ID)
		assert.NotEmpty(t, r.Rationale, r.ID)
		assert.NotContains(t, r.Summary+r.Rationale+strings.Join(r.Evidence, ""), "TODO", "%s: fill in what says TODO", r.ID)
		assert.NotEmpty(t, r.Evidence, r.ID)
		assert.NotZero(t, r.Severity, r.ID)
		assert.NotZero(t, r.Inputs, r.ID)
		assert.NotEmpty(t, r.Bad, r.ID)
		assert.NotEmpty(t, r.Good, r.ID)
		assert.NotNil(t, r.New, r.ID)
		assert.Equal(t, protocolOf(r.ID), r.Protocol, r.ID)
	}
}

// Each severity in the suite is the rule's own or that of a declared case, and
// each declared case is shown.
func TestSeveritiesAreDeclared(t *testing.T) {
	type severity struct {
		rule  string
		value string
	}
	shown := map[severity]bool{}
	for _, folder := range []string{"core", "forms", "detect", "recorded", "workbench"} {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", "testdata", folder), func(path string, _ fs.DirEntry, err error) error {
			if !strings.HasSuffix(path, ".expect.json") {
				return err
			}
			for _, f := range readExpectation(t, strings.TrimSuffix(path, ".expect.json")).Findings {
				shown[severity{f.Rule, f.Severity}] = true
			}
			return nil
		}))
	}
	declared := map[severity]bool{}
	for _, r := range rules.All() {
		declared[severity{r.ID, r.Severity.String()}] = true
		for _, c := range r.Severities {
			declared[severity{r.ID, c.Severity.String()}] = true
			if c.When == "too many ids to compare" {
				continue // that needs a large file; see internal/model/workbench
			}
			assert.True(t, shown[severity{r.ID, c.Severity.String()}], "%s: no case in testdata is %s", r.ID, c.Severity)
		}
	}
	for s := range shown {
		assert.True(t, declared[s], "%s does not declare %s", s.rule, s.value)
	}
}

// protocolOf is the protocol of a rule by its id: none for the rules about
// reading, LMC001 to LMC011.
func protocolOf(id string) plugin.Protocol {
	switch {
	case strings.HasPrefix(id, "WB"):
		return protocol.Workbench{}
	case id < "LMC100":
		return nil
	}
	return protocol.LMC{}
}

// A rule file that is not listed would be a check that never runs.
func TestEveryRuleFileIsListed(t *testing.T) {
	files, err := filepath.Glob("*/lmc[0-9]*.go")
	require.NoError(t, err)
	more, err := filepath.Glob("workbench/wb[0-9]*.go")
	require.NoError(t, err)
	files = append(files, more...)
	listed := map[string]bool{}
	for _, r := range rules.All() {
		listed[strings.ToLower(r.ID)+"_"+strings.ReplaceAll(r.Name, "-", "_")+".go"] = true
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.NotRegexp(t, `\n\tNew: .*func\(`, string(text), "%s: the check is a named function below the rule", file)
		file = filepath.Base(file)
		assert.True(t, listed[file], "%s holds no rule of that id and name that All lists", file)
		delete(listed, file)
	}
	assert.Empty(t, listed, "rules without a file of their own")
	_, err = os.Stat("rules.go")
	require.NoError(t, err)
}

func TestEveryRuleHasOneFamily(t *testing.T) {
	of := map[string]int{}
	for _, f := range rules.Catalog().Families {
		found := rules.Catalog().Select(f.Name)
		assert.NotEmpty(t, found, f.Name)
		for _, r := range found {
			of[r.ID]++
		}
	}
	for _, r := range rules.All() {
		assert.Equal(t, 1, of[r.ID], r.ID)
	}
}

// A word that is both a family and a rule would be read as the rule.
func TestFamilyNamesDifferFromRuleNames(t *testing.T) {
	for _, r := range rules.All() {
		for _, f := range rules.Catalog().Families {
			assert.NotEqual(t, f.Name, r.Name)
		}
	}
}

// Configurations and baselines refer to ids and names for years, so that they
// are permanent: docs/versioning.md. The file lists all that were ever used; go
// generate adds those of new rules.
func TestGeneratedIDsArePermanent(t *testing.T) {
	const file = "testdata/ids.txt"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	added, ids := map[string]string{}, map[string]string{}
	for _, r := range rules.All() {
		added[r.ID], ids[r.Name] = r.Name, r.ID
	}
	var header, lines []string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if words[0] == "#" {
			header = append(header, line)
			continue
		}
		lines = append(lines, line)
		id, name := words[0], words[1]
		if len(words) > 2 {
			assert.Equal(t, "retired", words[2], id)
			assert.Empty(t, added[id], "%s is retired; a new rule needs a new id", id)
			assert.Empty(t, ids[name], "%s is retired; a new rule needs a new name", name)
			continue
		}
		assert.Equal(t, name, added[id], "%s: the name of a rule is permanent; for a removed rule, append retired to its line in %s", id, file)
		delete(added, id)
	}
	for id, name := range added {
		lines = append(lines, id+" "+name+"\n")
	}
	slices.Sort(lines)
	generated.File(t, file, []byte(strings.Join(slices.Concat(header, lines), "")))
}

// Compressed data that grow without measure are one finding, where the reading
// ends; the records before are checked.
func TestDecompressionLimit(t *testing.T) {
	wrong := `{"role": "user", "type": "mesage", "content": "Hi"}` + "\n"
	data := compressed(t, []byte(wrong+strings.Repeat(" ", 4<<20)))
	linter := linttest.MustNew(rules.All(),
		lint.WithConfig(lint.Config{Dialect: "interpreter", Kind: "transcript", MaxUnpackedBytes: 64 << 10}))

	found := lintAll(t, linter, "bomb.jsonl.gz", data)
	require.Len(t, found, 2)
	require.Equal(t, "LMC104", found[0].Rule.ID)
	require.Equal(t, "LMC006", found[1].Rule.ID)
	require.Equal(t, 2, found[1].Place.Span.Start.Line)
	require.Contains(t, found[1].Message, "reading stopped here")
	require.Contains(t, found[1].Help, "decompress the file")
}
