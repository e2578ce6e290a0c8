package lint_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
)

// against lints an input of words with a baseline.
func against(t *testing.T, b *lint.Baseline, input string) ([]string, lint.Result) {
	t.Helper()
	linter, err := lint.New([]*lint.Rule{
		noting("W1", lint.SeverityNote, "hello", "world", "new"), noting("W2", lint.SeverityError, "hello"),
	}, lint.WithBaseline(b, nil))
	require.NoError(t, err)
	got, result, err := run(t, linter, input)
	require.NoError(t, err)
	return got, result
}

func everyRule(string) bool { return true }

// recorded returns a baseline with all findings of an input.
func recorded(t *testing.T, input string) *lint.Baseline {
	t.Helper()
	b := lint.NewBaseline(nil)
	b.Record()
	got, _ := against(t, b, input)
	require.Empty(t, got, "a baseline that records suppresses every finding")
	b.Reset("in", everyRule)
	return lint.NewBaseline(b.Entries())
}

func TestBaselineSuppressesFindings(t *testing.T) {
	b := recorded(t, hello+hello)
	for name, input := range map[string]string{
		"the same":         hello + hello,
		"inserted records": `{"word": "other"}` + "\n" + hello + `{"word": "more"}` + "\n" + hello,
	} {
		got, result := against(t, b, input)
		assert.Empty(t, got, name)
		assert.Equal(t, 3, result.Suppressed)
		assert.Empty(t, b.Stale("in", everyRule), name)
	}
	got, _ := against(t, b, hello+hello+hello)
	assert.Empty(t, got, "a cause is known at however many places")
	got, _ = against(t, b, hello+`{"word": "other"}`+"\n"+`{"word": "new"}`)
	assert.Equal(t, []string{"in:4 note W1 new -1"}, got)
}

func TestStaleEntriesAreRemoved(t *testing.T) {
	b := recorded(t, hello+hello)
	against(t, b, hello)
	assert.Empty(t, b.Stale("in", everyRule), "each cause has a place left")
	against(t, b, `{"word": "world"}`)
	stale := b.Stale("in", everyRule)
	require.Len(t, stale, 2)
	assert.Len(t, b.Stale("in", func(rule string) bool { return rule == "W2" }), 1, "rules that were not applied")
	b.Remove(stale)
	assert.Empty(t, b.Stale("in", everyRule))
	assert.Len(t, b.Entries(), 1)
	against(t, b, `{"word": "silence"}`)
	b.Remove(b.Stale("in", everyRule))
	assert.Empty(t, b.Entries())
}

func TestResetKeepsReasons(t *testing.T) {
	b := recorded(t, hello)
	known := b.Entries()
	for i := range known {
		known[i].Reason = "later"
	}
	b = lint.NewBaseline(known)
	against(t, b, hello+hello)
	b.Reset("in", func(rule string) bool { return rule == "W1" })
	for _, k := range b.Entries() {
		assert.Equal(t, "later", k.Reason)
	}
}

func TestBaselineIsWrittenAndReadAgain(t *testing.T) {
	b := recorded(t, hello+hello)
	var first, second bytes.Buffer
	_, err := b.WriteTo(&first)
	require.NoError(t, err)
	again, err := lint.ReadBaseline(bytes.NewReader(first.Bytes()))
	require.NoError(t, err)
	_, err = again.WriteTo(&second)
	require.NoError(t, err)
	assert.Equal(t, first.String(), second.String())
	assert.Equal(t, b.Entries(), again.Entries())
	assert.Equal(t, 3, strings.Count(first.String(), "\n    {"), "a finding a line")

	first.Reset()
	_, err = lint.NewBaseline(nil).WriteTo(&first)
	require.NoError(t, err)
	_, err = lint.ReadBaseline(&first)
	assert.NoError(t, err)
}

func TestReadBaselineRejects(t *testing.T) {
	const head = `{"version": 2, "fingerprints": "lmclint/v2", "findings": `
	for text, want := range map[string]string{
		"":                         "line 1: invalid baseline: EOF",
		"{\n\n]":                   "line 3: invalid baseline: ",
		head + "[]} 7":             "line 1: invalid baseline: unexpected text after it",
		head + "[],\n\"more\": 1}": "invalid baseline: json: unknown field \"more\"",
		head + "\n{}}":             "line 2: invalid baseline: ",
		head + `[{"path": "a"}]}`:  "finding 1: path, rule and fingerprint are required",
		`{"findings": []}`:         "invalid baseline: it has no version",
		`{"version": 3}`:           `it has version 3 with fingerprints "", expected 2 with "lmclint/v2": write a new one with --write-baseline`,
		`{"version": 1, "fingerprints": "lmclint/v1", "findings": [{"path": "a", "rule": "W1", "fingerprint": "0f", "count": 2}]}`: "it has version 1 ",
	} {
		_, err := lint.ReadBaseline(strings.NewReader(text))
		assert.ErrorContains(t, err, want, text)
	}
}

// Writing and reading a baseline again gives the same baseline, and invalid text
// is an error, never a panic.
func FuzzBaseline(f *testing.F) {
	f.Add([]byte(`{"version":2,"fingerprints":"lmclint/v2","findings":[{"path":"a.jsonl","rule":"LMC202","fingerprint":"0f"}]}`))
	f.Add([]byte(`{"version":2,"fingerprints":"lmclint/v2","findings":[]}`))
	f.Add([]byte(`{"version":3}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		read, err := lint.ReadBaseline(bytes.NewReader(text))
		if err != nil {
			return
		}
		var once, twice bytes.Buffer
		_, err = read.WriteTo(&once)
		require.NoError(t, err)
		again, err := lint.ReadBaseline(bytes.NewReader(once.Bytes()))
		require.NoError(t, err)
		assert.Equal(t, read.Entries(), again.Entries())
		_, err = again.WriteTo(&twice)
		require.NoError(t, err)
		assert.Equal(t, once.String(), twice.String())
	})
}
