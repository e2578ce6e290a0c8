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

// verdict is a record and the causes of its violations in a dialect.
type verdict struct {
	record string
	causes string // separated by spaces, in source order
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
		{line + "-" + strings.Repeat("7", 1<<20) + "}", "invalid-active-line"},
		{line + "7" + strings.Repeat("0", 100) + "e-100}", ""},
		{line + "7" + strings.Repeat("0", 100) + "e-101}", "invalid-active-line"},
		{line + "7." + strings.Repeat("0", 100) + "}", ""},
		{line + "7." + strings.Repeat("0", 100) + "1}", "invalid-active-line"},
		{line + "0." + strings.Repeat("0", 100) + "}", "invalid-active-line"},
		{line + "0." + strings.Repeat("0", 99) + "1e100}", ""},
	})
}

func checkAll(t *testing.T, dialect string, part schema.Part, verdicts []verdict) {
	validator := validate.NewValidator(named(t, dialect))
	for _, v := range verdicts {
		violations, err := validator.Check(parse(t, v.record), part)
		require.NoError(t, err, v.record)
		assert.Equal(t, v.causes, causesOf(violations), v.record)
	}
}

// TestVerdictsCoverEveryCause holds the tables to their purpose.
func TestVerdictsCoverEveryCause(t *testing.T) {
	var found []string
	for _, verdicts := range chunkVerdicts() {
		for _, v := range verdicts {
			found = append(found, strings.Fields(v.causes)...)
		}
	}
	for _, cause := range schemaCauses() {
		assert.Contains(t, found, cause)
	}
}

func schemaCauses() []string {
	return []string{
		"missing-role", "unknown-role", "missing-type", "unknown-type", "missing-format", "invalid-format", "unexpected-format", "missing-content", "wrong-content-type",
		"unknown-key", "invalid-flag", "conflicting-keys", "invalid-confirmation", "legacy-confirmation", "invalid-recipient", "other-end-key", "invalid-active-line",
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

func causesOf(violations []validate.Violation) string {
	var causes []string
	for _, v := range violations {
		causes = append(causes, v.Cause.String())
	}
	return strings.Join(causes, " ")
}
