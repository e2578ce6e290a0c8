package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// complete runs rules and returns the findings with their places, and the result.
func complete(t *testing.T, rules []*lint.Rule, input string, options ...lint.Option) ([]lint.Finding, lint.Result) {
	t.Helper()
	linter, err := lint.New(rules, options...)
	require.NoError(t, err)
	var found []lint.Finding
	result, err := linter.Run(t.Context(), "in", strings.NewReader(input), func(f lint.Finding) error {
		assert.Equal(t, 1, f.Count, "the number of places is not known yet")
		found = append(found, f)
		return nil
	})
	require.NoError(t, err)
	result.Complete(found)
	return found, result
}

func TestFindingsOfACauseAreOne(t *testing.T) {
	rules := []*lint.Rule{noting("W1", lint.SeverityNote, "hello", "world"), noting("W2", lint.SeverityError, "hello")}
	found, result := complete(t, rules, hello+hello+`{"word": "world"}`)
	var got []string
	for _, f := range found {
		lines := ""
		for _, at := range f.Places {
			lines += fmt.Sprintf(" %d:%d@%d#%d", at.Line, at.Column, at.Offset, at.Record)
		}
		got = append(got, fmt.Sprintf("%s %s %d%s", f.Rule.ID, f.Message, f.Count, lines))
	}
	assert.Equal(t, []string{
		"W1 hello 2 1:1@0#0 3:1@36#2",
		"W2 hello 2 1:1@0#0 3:1@36#2",
		"W1 world 3 2:1@18#1 4:1@54#3 5:1@72#4",
	}, got)
	assert.Equal(t, []int{1, 0, 2, 2, 0, 5}, []int{result.Errors, result.Warnings, result.Notes, result.ErrorPlaces, result.WarningPlaces, result.NotePlaces})

	each, result := complete(t, rules, hello+hello, lint.WithEach())
	assert.Len(t, each, 6)
	assert.Equal(t, []int{2, 4, 2, 4}, []int{result.Errors, result.Notes, result.ErrorPlaces, result.NotePlaces})
	assert.Empty(t, result.Repeated)
}

// causing is a rule that reports each record with the cause in it.
func causing(repeats bool) *lint.Rule {
	rule := noting("W1", lint.SeverityNote)
	rule.New = func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{{On: said, Do: func(event any) {
			r := event.(*source.Record)
			because := r.Root.Member("word").Text()
			if !repeats || !p.Repeats(because, r, 0) {
				p.Report(lint.Finding{Place: r.Place(), Message: "message of " + r.Root.Member("word").Text(), Cause: because})
			}
		}}}
	}
	return rule
}

// Places are bounded, and so are causes: the number of places is exact all the same.
func TestCausesAreBounded(t *testing.T) {
	var input strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&input, `{"word": "same"}%s{"word": "cause %d"}%[1]s`, "\n", i)
	}
	for _, repeats := range []bool{false, true} {
		found, result := complete(t, []*lint.Rule{causing(repeats)}, input.String())
		require.Len(t, found, 1001)
		assert.Equal(t, 6000, result.NotePlaces)
		assert.Equal(t, 3000, found[0].Count)
		require.Len(t, found[0].Places, 1001)
		assert.Equal(t, 1999, found[0].Places[999].Line)
		assert.Equal(t, 5999, found[0].Places[1000].Line)
		rest := found[1000]
		assert.Equal(t, "message of cause 999, and others", rest.Message)
		assert.Equal(t, 2001, rest.Count)
	}
}

// A finding of another severity, or in another file, is another one.
func TestSeveritiesOfACauseAreNotMixed(t *testing.T) {
	rule := noting("W1", lint.SeverityNote)
	rule.New = func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{{On: said, Do: func(event any) {
			r := event.(*source.Record)
			f := lint.Finding{Place: r.Place(), Message: "m", Cause: "c"}
			if r.Root.Member("word").Text() == "world" {
				f.Severity = lint.SeverityError
			}
			p.Report(f)
		}}}
	}
	found, result := complete(t, []*lint.Rule{rule}, hello+hello)
	require.Len(t, found, 2)
	assert.Equal(t, []int{2, 2}, []int{found[0].Count, found[1].Count})
	assert.NotEqual(t, found[0].Fingerprint, found[1].Fingerprint)
	assert.Equal(t, []int{1, 1}, []int{result.Errors, result.Notes})
}
