package validate_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

func TestCheckIsSafeForConcurrentUse(t *testing.T) {
	validator := validate.NewValidator(named(t, "server"))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, v := range serverVerdicts() {
				violations, err := validator.Check(parse(t, v.record), schema.Chunk)
				assert.NoError(t, err)
				assert.Equal(t, v.causes, causesOf(violations), v.record)
			}
		})
	}
	group.Wait()
}

func TestViolationsAreAlwaysTheSame(t *testing.T) {
	validator := validate.NewValidator(named(t, "interpreter"))
	root := parse(t, `{"role":"robot","type":"code","start":1,"end":0,"recipient":5,"b":1,"a":2,"stop":3}`)
	first, err := validator.Check(root, schema.Chunk)
	require.NoError(t, err)
	require.Equal(t, "unknown-role invalid-flag conflicting-keys invalid-recipient unknown-key other-end-key", causesOf(first))
	for range 100 {
		again, err := validator.Check(root, schema.Chunk)
		require.NoError(t, err)
		require.Equal(t, first, again)
	}
}

// TestExtendedDialect holds for a dialect as users extend it, with names that
// mean something in pointers and URLs.
func TestExtendedDialect(t *testing.T) {
	d := extendedDialect(t)
	validator := validate.NewValidator(d)
	checks := []verdict{
		{`{"role":"judge","type":"to/do~50% é","format":"list","content":"x"}`, ""},
		{`{"role":"judge","type":"to/do~50% é","format":"lists","content":"x"}`, "invalid-format"},
		{`{"role":"judge","type":"to/do~50% é","content":5}`, "missing-format"},
		{`{"role":"judge","type":"message","content":"x","stop":1,"a/b~c":2}`, ""},
		{`{"role":"judge","type":"message","content":"x","a/b":2}`, "unknown-key"},
	}
	for _, check := range checks {
		violations, err := validator.Check(parse(t, check.record), schema.Chunk)
		require.NoError(t, err)
		assert.Equal(t, check.causes, causesOf(violations), check.record)
	}
	for _, part := range []schema.Part{schema.Message, schema.Chunk} {
		text, err := d.Schema(part)
		require.NoError(t, err)
		compile(t, d.ID(part.String()), text)
	}
}

func extendedDialect(t testing.TB) *schema.Dialect {
	d := named(t, "interpreter")
	d.Name = "our own/50%"
	d.Roles = append(d.Roles, "judge")
	d.Keys = append(d.Keys, "stop", "a/b~c")
	d.Types = append(d.Types, schema.Type{
		Name: "to/do~50% é", Options: schema.FormatRequired, Chunk: true, Message: true, Flags: true,
		Formats: []schema.Format{{Name: "list", Chunk: true, Message: true}},
	})
	return d
}

func TestDialectWithoutConfirmation(t *testing.T) {
	d := named(t, "docs")
	d.Types = d.Types[:1]
	violations, err := validate.NewValidator(d).Check(parse(t, `{"role":"user","type":"image","content":"x"}`), schema.Message)
	require.NoError(t, err)
	assert.Equal(t, "unknown-type", causesOf(violations))
}
