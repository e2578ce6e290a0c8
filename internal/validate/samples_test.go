package validate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/internal/generated"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

// eachPart runs a test for both parts of all published dialects.
func eachPart(t *testing.T, do func(t *testing.T, d *schema.Dialect, part schema.Part)) {
	t.Helper()
	for _, dialect := range schema.Names() {
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			t.Run(dialect+" "+part.String(), func(t *testing.T) { do(t, named(t, dialect), part) })
		}
	}
}

func TestGeneratedSamples(t *testing.T) {
	eachPart(t, func(t *testing.T, d *schema.Dialect, part schema.Part) {
		want, err := validate.WriteSamples(d, part, recorded(t, "*", part.String()))
		require.NoError(t, err)
		generated.File(t, "samples/"+d.Name+"."+part.String()+".jsonl", []byte(want))
	})
}

func TestSamplesAreValid(t *testing.T) {
	t.Parallel()
	eachPart(t, func(t *testing.T, d *schema.Dialect, part schema.Part) {
		known, asking := validate.NewValidator(d), validate.NewUncached(d)
		records := validate.SampleRecords(d, part)
		require.NotEmpty(t, records)
		for i, record := range records {
			for _, validator := range []checker{known, asking} {
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

// Records that are similar to samples have the verdicts of the schemas.
func TestSamplesAgreeWithSchemas(t *testing.T) {
	t.Parallel()
	eachPart(t, func(t *testing.T, d *schema.Dialect, part schema.Part) {
		p := newPair(t, d.Name, part)
		for _, record := range exhaustive.Sample(validate.SampleRecords(d, part), 3) {
			for _, sibling := range siblings(record, `{}`) {
				p.agree(t, sibling)
			}
		}
		assert.Greater(t, p.memo.Cached(part), 20)
	})
}

func TestRelevanceIsReadAsWritten(t *testing.T) {
	eachPart(t, func(t *testing.T, d *schema.Dialect, part schema.Part) {
		read, written, err := validate.SampleRelevances(d, part)
		require.NoError(t, err)
		assert.NotEmpty(t, read)
		assert.Equal(t, written, read)
	})
}

func TestRecordingsCompileNothing(t *testing.T) {
	eachPart(t, func(t *testing.T, d *schema.Dialect, part schema.Part) {
		validator := validate.NewValidator(d)
		for _, record := range recorded(t, d.Name, part.String()) {
			_, err := validator.Check(parse(t, record), part)
			require.NoError(t, err)
			require.False(t, validator.HasCompiled(part), record)
		}
	})
}

func TestUnknownLanguageCompilesNothing(t *testing.T) {
	validator := validate.NewValidator(named(t, "interpreter"))
	violations, err := validator.Check(parse(t, `{"role": "assistant", "type": "code", "format": "cobol", "start": true}`), schema.Chunk)
	require.NoError(t, err)
	assert.Empty(t, violations)
	assert.False(t, validator.HasCompiled(schema.Chunk))
}

// Samples do not apply to a changed dialect with the name of a published one.
func TestChangedDialectHasNoSamples(t *testing.T) {
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

func TestBrokenSamplesAreNotRead(t *testing.T) {
	const record = "\n" + `{"role": "user"}`
	assert.NoError(t, validate.ReadSamples(`{"definition": "x", "relevance": {}}`+record))
	for _, section := range []string{
		"", "x", "[]", `{"definition": "x"}`, `{"definition": "x", "relevance": []}`, `{"definition": "x", "relevance": {"opaque": true}}` + record,
		`{"definition": "x", "relevance": {"color": true}}`, `{"definition": "x", "relevance": {"bounds": ["x"]}}`,
		`{"definition": "x", "relevance": {"patterns": ["("]}}`, `{"definition": "x", "relevance": {"members": {"a": 1}}}`,
		`{"definition": "x", "relevance": {}}` + "\n17\n" + `{`, `{"definition": "x", "relevance": {}}` + "\n" + `{"role": `,
	} {
		assert.Error(t, validate.ReadSamples(section), section)
	}
}
