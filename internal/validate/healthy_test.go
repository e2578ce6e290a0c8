package validate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/generated"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

// eachPart runs a test for both parts of all our dialects.
func eachPart(t *testing.T, do func(t *testing.T, d *schema.Dialect, part schema.Part)) {
	t.Helper()
	for _, dialect := range schema.Names() {
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			t.Run(dialect+" "+part.String(), func(t *testing.T) { do(t, named(t, dialect), part) })
		}
	}
}

// The precompiled samples of valid records match the schemas.
func TestGeneratedSamples(t *testing.T) {
	eachPart(t, func(t *testing.T, d *schema.Dialect, part schema.Part) {
		want, err := validate.WriteSamples(d, part, recorded(t, "*", part.String()))
		require.NoError(t, err)
		generated.File(t, "samples/"+d.Name+"."+part.String()+".jsonl", []byte(want))
	})
}

// TestHealthyIsValid asks the schemas about every record that is taken for
// valid without them.
func TestHealthyIsValid(t *testing.T) {
	eachPart(t, func(t *testing.T, d *schema.Dialect, part schema.Part) {
		known, asking := validate.NewValidator(d), validate.NewValidator(d, validate.WithoutMemo())
		records := validate.SampleRecords(d, part)
		require.NotEmpty(t, records)
		for i, record := range records {
			for _, validator := range []*validate.Validator{known, asking} {
				violations, err := validator.Check(parse(t, record), part)
				require.NoError(t, err)
				require.Empty(t, causesOf(violations), record)
			}
			require.Equal(t, i+1, known.Cached(part), "%s has the shape of another", record)
		}
		assert.False(t, known.HasCompiled(part))
		assert.True(t, asking.HasCompiled(part))
		assert.Zero(t, asking.Cached(part))
	})
}

// TestHealthyAgrees asks about records that look much like the healthy ones.
func TestHealthyAgrees(t *testing.T) {
	eachPart(t, func(t *testing.T, d *schema.Dialect, part schema.Part) {
		p := newPair(t, d.Name, part)
		for _, record := range validate.SampleRecords(d, part) {
			for _, sibling := range siblings(record, `{}`) {
				p.agree(t, sibling)
			}
		}
		assert.Greater(t, p.memo.Cached(part), 50)
	})
}

// TestHealthyIsReadAsWritten holds for what matters in the records.
func TestHealthyIsReadAsWritten(t *testing.T) {
	eachPart(t, func(t *testing.T, d *schema.Dialect, part schema.Part) {
		read, written, err := validate.SampleRelevances(d, part)
		require.NoError(t, err)
		assert.NotEmpty(t, read)
		assert.Equal(t, written, read)
	})
}

// TestRecordedCompilesNothing holds for all that Open Interpreter emitted or
// stored.
func TestRecordedCompilesNothing(t *testing.T) {
	eachPart(t, func(t *testing.T, d *schema.Dialect, part schema.Part) {
		validator := validate.NewValidator(d)
		for _, record := range recorded(t, d.Name, part.String()) {
			_, err := validator.Check(parse(t, record), part)
			require.NoError(t, err)
			require.False(t, validator.HasCompiled(part), record)
		}
	})
}

// TestUnknownLanguageCompilesNothing holds because any text is a language.
func TestUnknownLanguageCompilesNothing(t *testing.T) {
	validator := validate.NewValidator(named(t, "interpreter"))
	violations, err := validator.Check(parse(t, `{"role": "assistant", "type": "code", "format": "cobol", "start": true}`), schema.Chunk)
	require.NoError(t, err)
	assert.Empty(t, violations)
	assert.False(t, validator.HasCompiled(schema.Chunk))
}

// TestChangedDialectIsAsked holds for a dialect that has one of our names and
// is stricter or laxer than ours.
func TestChangedDialectIsAsked(t *testing.T) {
	const record = `{"role": "assistant", "type": "message", "start": true}`
	stricter, laxer := named(t, "interpreter"), named(t, "interpreter")
	stricter.Roles = []string{"user"}
	laxer.Keys = append(laxer.Keys, "mood")
	for want, d := range map[int]*schema.Dialect{1: stricter, 0: laxer} {
		validator := validate.NewValidator(d)
		for range 2 {
			violations, err := validator.Check(parse(t, record), schema.Chunk)
			require.NoError(t, err)
			assert.Len(t, violations, want)
		}
		assert.True(t, validator.HasCompiled(schema.Chunk))
	}
}

// TestBrokenHealthyIsRefused holds for files that nobody wrote with -update:
// the schemas are asked instead.
func TestBrokenHealthyIsRefused(t *testing.T) {
	const record = "\n" + `{"role": "user"}`
	assert.NoError(t, validate.ReadSamples(`{"definition": "x", "relevance": {}}`+record))
	for _, section := range []string{
		"", "x", "[]", `{"definition": "x"}`, `{"definition": "x", "relevance": []}`, `{"definition": "x", "relevance": {"opaque": true}}` + record,
		`{"definition": "x", "relevance": {"colour": true}}`, `{"definition": "x", "relevance": {"bounds": ["x"]}}`,
		`{"definition": "x", "relevance": {"patterns": ["("]}}`, `{"definition": "x", "relevance": {"members": {"a": 1}}}`,
		`{"definition": "x", "relevance": {}}` + "\n17\n" + `{`, `{"definition": "x", "relevance": {}}` + "\n" + `{"role": `,
	} {
		assert.Error(t, validate.ReadSamples(section), section)
	}
}
