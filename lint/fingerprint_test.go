package lint_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/linttest"
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

// The next equal mistake gets the next number, wherever it stands.
func TestFingerprintsCountEqualFindings(t *testing.T) {
	one, _ := fingerprints(t, hello)
	two, _ := fingerprints(t, hello+hello)
	for word, prints := range one {
		assert.Equal(t, prints, two[word][:1])
		assert.Len(t, two[word], 2)
	}
}

func TestFingerprintsAreMadeWhenAskedFor(t *testing.T) {
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote, "hello")})
	for f, err := range linter.Lint(context.Background(), "in", strings.NewReader(hello)) {
		require.NoError(t, err)
		assert.Empty(t, f.Fingerprint)
	}
}

// A fingerprint stands in files of users: it may change with the version only.
func TestFingerprintIsFixed(t *testing.T) {
	var p lint.Fingerprints
	f := lint.Finding{Rule: &lint.Rule{ID: "LMC202"}, Place: source.Place{
		Pointer: "/messages/12/content", Excerpt: source.Excerpt{Text: `  "content": "日本 x",`},
	}}
	assert.Equal(t, "lmclint/v1", lint.FingerprintVersion)
	first, second := p.Next(&f), p.Next(&f)
	assert.NotEqual(t, first, second)
	assert.Equal(t, "3ce857a38fa91932e2caf2eea77b30e8 e6a808152c355d2850574c6a41f5297e", fmt.Sprint(first, " ", second))
	for _, same := range []string{"/messages/3/content", "/messages/content"} {
		f.Place.Pointer = same
		assert.Equal(t, first, new(lint.Fingerprints).Next(&f))
	}
	f.Place.Pointer = "/messages/3/content2"
	assert.NotEqual(t, first, new(lint.Fingerprints).Next(&f))
}
