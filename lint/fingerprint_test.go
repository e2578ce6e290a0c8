package lint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/lint"
)

// fingerprints runs two rules with options and returns the fingerprints of the findings.
func fingerprints(t *testing.T, input string, options ...lint.Option) (prints []string) {
	t.Helper()
	linter, err := lint.New([]*lint.Rule{
		noting("W1", lint.SeverityNote, "hello", "world"), noting("W2", lint.SeverityError, "hello"),
	}, options...)
	require.NoError(t, err)
	for f, err := range linter.Lint(t.Context(), "in", strings.NewReader(input)) {
		require.NoError(t, err)
		require.Len(t, f.Fingerprint, 32)
		prints = append(prints, f.Fingerprint)
	}
	return prints
}

// A recording that is made again has the same causes at other places.
func TestFingerprintsAreOfTheCause(t *testing.T) {
	want := fingerprints(t, hello)
	require.Len(t, want, 3)
	for name, input := range map[string]string{
		"more often":   hello + hello + hello,
		"record above": `{"word": "other"}` + "\n" + hello,
		"as an array":  "[" + strings.ReplaceAll(strings.TrimSpace(hello), "\n", ",\n  ") + "]",
		"other values": strings.ReplaceAll(hello, `"}`, `", "id": 7}`),
	} {
		assert.Equal(t, want, fingerprints(t, input), name)
	}
}

// Where each place is a finding, no two have the same fingerprint.
func TestFingerprintsOfEachPlaceDiffer(t *testing.T) {
	each := fingerprints(t, strings.Repeat(hello, 200), lint.WithEach())
	seen := map[string]bool{}
	for _, fingerprint := range each {
		seen[fingerprint] = true
	}
	assert.Len(t, each, 600)
	assert.Len(t, seen, 600)
	assert.Equal(t, fingerprints(t, hello), each[:3])
}

// Fingerprints are in files of users: they may change only with the version.
func TestFingerprintsOfAVersionDoNotChange(t *testing.T) {
	rule := noting("LMC202", lint.SeverityNote)
	rule.New = func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{{On: said, Do: func(any) { p.Report(lint.Finding{Message: "x", Cause: "the rule"}) }}}
	}
	var got []string
	for f, err := range linttest.MustNew([]*lint.Rule{rule}).Lint(t.Context(), "in", strings.NewReader(hello)) {
		require.NoError(t, err)
		got = append(got, f.Fingerprint)
	}
	assert.Equal(t, "lmclint/v2", lint.FingerprintVersion)
	assert.Equal(t, []string{"f3a6d92853d7aff661e993756a5bdb37", "065553400943bdab72780626df8ea1cd"}, got)
}
