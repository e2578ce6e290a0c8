package lint_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// fingerprints runs two rules and returns what each finding is recognised by,
// by its word.
func fingerprints(t *testing.T, input string) (byWord map[string][]string, all []string) {
	t.Helper()
	byWord = map[string][]string{}
	linter := linttest.MustNew([]*lint.Rule{
		noting("W1", lint.SeverityNote, "hello", "world", "long"),
		noting("W2", lint.SeverityError, "hello"),
	}, lint.WithFingerprints())
	_, err := linter.Run(context.Background(), "in", strings.NewReader(input), func(f lint.Finding) error {
		require.Len(t, f.Fingerprint, 32)
		byWord[f.Rule.ID+" "+f.Message] = append(byWord[f.Rule.ID+" "+f.Message], f.Fingerprint)
		all = append(all, f.Fingerprint)
		return nil
	})
	require.NoError(t, err)
	return byWord, all
}

func TestFingerprintsSurviveInsertedRecords(t *testing.T) {
	before, _ := fingerprints(t, hello+hello)
	for name, after := range map[string]string{
		"record above":   `{"word": "other"}` + "\n" + hello + hello,
		"record between": hello + `{"word": "other"}` + "\n" + hello,
		"as an array":    "[" + strings.ReplaceAll(strings.TrimSpace(hello+hello), "\n", ",\n  ") + "]",
		"respaced":       strings.ReplaceAll(hello+hello, ": ", " :  "),
	} {
		got, _ := fingerprints(t, after)
		assert.Equal(t, before, got, name)
	}
}

func TestFingerprintsDiffer(t *testing.T) {
	_, all := fingerprints(t, strings.Repeat(hello, 200)+`{"word": "hello", "more": 1}`)
	seen := map[string]bool{}
	for _, f := range all {
		assert.False(t, seen[f])
		seen[f] = true
	}
	assert.Len(t, seen, 602)
}

// Equal findings are numbered in order, independent of their places.
func TestFingerprintsCountEqualFindings(t *testing.T) {
	one, _ := fingerprints(t, hello)
	two, _ := fingerprints(t, hello+hello)
	for word, prints := range one {
		assert.Equal(t, prints, two[word][:1])
		assert.Len(t, two[word], 2)
	}
}

func TestFingerprintsNeedTheOption(t *testing.T) {
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote, "hello")})
	for f, err := range linter.Lint(context.Background(), "in", strings.NewReader(hello)) {
		require.NoError(t, err)
		assert.Empty(t, f.Fingerprint)
	}
}

// Fingerprints are in files of users: they may change only with the version.
func TestFingerprintsOfAVersionDoNotChange(t *testing.T) {
	of := func(pointer string) []string {
		at := source.Place{Pointer: pointer, Excerpt: source.Excerpt{Text: `  "content": "日本 x",`}}
		rule := noting("LMC202", lint.SeverityNote)
		rule.New = func(p *lint.Pass) []lint.Hook {
			return []lint.Hook{{On: said, Do: func(any) { p.Report(lint.Finding{Place: at, Message: "x"}) }}}
		}
		var all []string
		for f, err := range linttest.MustNew([]*lint.Rule{rule}, lint.WithFingerprints()).Lint(t.Context(), "in", strings.NewReader(hello)) {
			require.NoError(t, err)
			all = append(all, f.Fingerprint)
		}
		return all
	}
	want := []string{"3ce857a38fa91932e2caf2eea77b30e8", "e6a808152c355d2850574c6a41f5297e"}
	assert.Equal(t, "lmclint/v1", lint.FingerprintVersion)
	for _, same := range []string{"/messages/12/content", "/messages/3/content", "/messages/content"} {
		assert.Equal(t, want, of(same))
	}
	assert.NotEqual(t, want, of("/messages/3/content2"))
}
