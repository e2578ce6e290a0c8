package validate_test

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/schema"
)

func TestCheckIsSafeForConcurrentUse(t *testing.T) {
	validator := validate.NewValidator(named(t, "server"))
	all := slices.DeleteFunc(verdicts(t), func(v verdict) bool { return v.dialect != "server" || v.part != "chunk" })
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, v := range all {
				violations, err := validator.Check(parse(t, v.record), schema.Chunk)
				assert.NoError(t, err)
				assert.Len(t, violations, strings.Count(v.violations, "\n"), v.record)
			}
		})
	}
	group.Wait()
}

// A long text is neither decoded nor copied: it may be all of a record of 100 MB.
func TestLongTextIsNotDecoded(t *testing.T) {
	validator := validate.NewValidator(named(t, "interpreter"))
	check := func(text string) (allocated uint64) {
		root := parse(t, `{"role":"assistant","type":"message","content":"`+text+`"}`)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		violations, err := validator.Check(root, schema.Chunk)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.Empty(t, causesOf(violations))
		return after.TotalAlloc - before.TotalAlloc
	}
	check("short")
	const size = 10 << 20
	assert.Less(t, check("a "+strings.Repeat("\\n", size/2)), uint64(size/10))
}

// Names may contain characters that are special in JSON Pointers and URLs.
func TestExtendedDialect(t *testing.T) {
	d := extendedDialect(t)
	validator := validate.NewValidator(d)
	checks := []struct{ record, causes string }{
		{`{"role":"judge","type":"to/do~50% é","format":"list","content":"x"}`, ""},
		{`{"role":"judge","type":"to/do~50% é","format":"lists","content":"x"}`, "invalid-format"},
		{`{"role":"judge","type":"to/do~50% é","content":5}`, "missing-format wrong-content-type"},
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
	d := copied(t, "interpreter")
	d.Name = "our own/50%"
	d.Roles = append(d.Roles, "judge")
	d.Keys = append(d.Keys, "stop", "a/b~c")
	d.Types = append(d.Types, schema.Type{
		Name: "to/do~50% é", Options: schema.FormatRequired, Chunk: true, Message: true, Flags: true,
		Formats: []schema.Format{{Name: "list", Chunk: true, Message: true}},
	})
	return d
}

// extension has one of everything.
func extension(name string) schema.Extension {
	return schema.Extension{
		Name: name, Roles: []string{"gadget"}, Keys: []string{"trace_id"},
		Languages: []schema.Language{{Name: "rust"}, {Name: "python", Aliases: []string{"python3"}}},
		Types: []schema.ExtensionType{
			{Name: "plan", Formats: []string{"json"}, Roles: []string{"gadget"}, Transcript: true, Stream: true},
			{Name: "thought", Transcript: true, Stream: true},
			{Name: "image", Formats: []string{"base64.webp"}, Roles: []string{"gadget"}},
			{Name: "message", Formats: []string{"markdown"}},
		},
	}
}

func withExtension(t *testing.T, name string) *schema.Dialect {
	t.Helper()
	dialects, err := schema.NewDialects(extension(name))
	require.NoError(t, err)
	d, ok := dialects.Lookup(name)
	require.True(t, ok)
	return d
}

// A record that is valid without an extension is valid with it.
func TestExtensionsRemoveNothing(t *testing.T) {
	t.Parallel()
	for _, name := range exhaustive.Sample(schema.Names(), 2) {
		own, _ := schema.Lookup(name)
		more := withExtension(t, name)
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			plain, wide, slow := validate.NewValidator(own), validate.NewValidator(more), validate.NewUncached(more)
			for _, text := range recordsFor(t, name, part) {
				root := parse(t, text)
				before, err := plain.Check(root, part)
				require.NoError(t, err)
				after, err := wide.Check(root, part)
				require.NoError(t, err)
				if len(before) == 0 {
					assert.Empty(t, after, "%s: %s", name, text)
				}
				if name != "interpreter" {
					continue
				}
				asked, err := slow.Check(root, part)
				require.NoError(t, err)
				assert.Equal(t, asked, after, "%s: %s", name, text)
			}
		}
	}
}
