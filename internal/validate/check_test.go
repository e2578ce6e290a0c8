package validate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

// verdict is a record and the rules that it breaks in a dialect.
type verdict struct {
	record string
	rules  string // separated by spaces, in source order
}

func TestCheckChunk(t *testing.T) {
	for dialect, verdicts := range chunkVerdicts() {
		t.Run(dialect, func(t *testing.T) { checkAll(t, dialect, schema.Chunk, verdicts) })
	}
}

func TestCheckMessage(t *testing.T) {
	for dialect, verdicts := range messageVerdicts() {
		t.Run(dialect, func(t *testing.T) { checkAll(t, dialect, schema.Message, verdicts) })
	}
}

// TestCheckLongNumbers holds for numbers that take long to compute with.
func TestCheckLongNumbers(t *testing.T) {
	const line = `{"role":"computer","type":"console","format":"active_line","content":`
	checkAll(t, "interpreter", schema.Chunk, []verdict{
		{line + strings.Repeat("7", 1<<20) + "}", ""},
		{line + "-" + strings.Repeat("7", 1<<20) + "}", "LMC307"},
		{line + "7" + strings.Repeat("0", 100) + "e-100}", ""},
		{line + "7" + strings.Repeat("0", 100) + "e-101}", "LMC307"},
		{line + "7." + strings.Repeat("0", 100) + "}", ""},
		{line + "7." + strings.Repeat("0", 100) + "1}", "LMC307"},
		{line + "0." + strings.Repeat("0", 100) + "}", "LMC307"},
		{line + "0." + strings.Repeat("0", 99) + "1e100}", ""},
	})
}

func checkAll(t *testing.T, dialect string, part schema.Part, verdicts []verdict) {
	validator := validate.NewValidator(named(t, dialect))
	for _, v := range verdicts {
		violations, err := validator.Check(parse(t, v.record), part)
		require.NoError(t, err, v.record)
		assert.Equal(t, v.rules, rulesOf(violations), v.record)
	}
}

// TestVerdictsCoverEveryRule holds the tables to their purpose.
func TestVerdictsCoverEveryRule(t *testing.T) {
	var found []string
	for _, verdicts := range chunkVerdicts() {
		for _, v := range verdicts {
			found = append(found, strings.Fields(v.rules)...)
		}
	}
	for _, rule := range schemaRules() {
		assert.Contains(t, found, rule)
	}
}

func schemaRules() []string {
	return []string{
		"LMC101", "LMC102", "LMC103", "LMC104", "LMC105", "LMC106", "LMC107", "LMC108", "LMC109",
		"LMC110", "LMC111", "LMC112", "LMC113", "LMC114", "LMC115", "LMC120", "LMC307",
	}
}

func named(t testing.TB, dialect string) *schema.Dialect {
	t.Helper()
	d, ok := schema.Lookup(dialect)
	require.True(t, ok, dialect)
	return d
}

// parse reads one record.
func parse(t testing.TB, record string) *source.Node {
	t.Helper()
	reader := source.NewReader(strings.NewReader(record), source.Options{Form: source.FormJSONL})
	r, err := reader.Next()
	require.NoError(t, err, record)
	require.NotNil(t, r.Root, record)
	return r.Clone().Root
}

func rulesOf(violations []validate.Violation) string {
	var rules []string
	for _, v := range violations {
		rules = append(rules, v.Rule)
	}
	return strings.Join(rules, " ")
}
