package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// A document of many findings is sorted whatever the order in which they come,
// and loses none.
func TestDocumentsAreSorted(t *testing.T) {
	const files, each = 3, 1000
	long := strings.Repeat(" so long that some are compressed", 15)
	order := rand.New(rand.NewPCG(1, 2))
	for _, format := range []report.Format{report.FormatJSON, report.FormatGitLab, report.FormatCheckstyle} {
		t.Run(string(format), func(t *testing.T) {
			var out, one bytes.Buffer
			r, err := report.New(format, &out, report.Options{})
			require.NoError(t, err)
			require.NoError(t, r.Begin(report.Run{Tool: "lmclint"}))
			for file := range files {
				path := fmt.Sprint("f", files-file, ".jsonl")
				for _, i := range order.Perm(each) {
					f := finding([]*lint.Rule{unknownKey, duplicate}[i%2], path, fmt.Sprintf("message %06d.%s", i, long), source.Place{})
					f.Place.Span.Start.Offset = int64(i / 2)
					require.NoError(t, r.Finding(f))
				}
				require.NoError(t, r.File(report.File{Result: lint.Result{Path: path}}))
			}
			require.NoError(t, r.End(report.Summary{}))
			before := 0
			for file := range files {
				for i := range each {
					fmt.Fprintf(&one, "message %06d.", i^1)
					at := bytes.Index(out.Bytes()[before:], one.Bytes())
					require.GreaterOrEqual(t, at, 0, "file %d, finding %d", file, i)
					before += at
					one.Reset()
				}
			}
			if format != report.FormatCheckstyle {
				assert.True(t, json.Valid(out.Bytes()))
			}
		})
	}
}

// Findings that are written as soon as they are settled give the same report as
// those that wait for the end of the input.
func TestSettledFindingsAreWrittenInTheSameOrder(t *testing.T) {
	for _, format := range []report.Format{report.FormatText, report.FormatConcise, report.FormatJSONL} {
		for _, late := range []int{0, 10, 1_000} { // how many lines a finding may come after its own
			t.Run(fmt.Sprint(format, late), func(t *testing.T) {
				findings := lateFindings(late)
				early, beforeEnd := writeByLine(t, format, findings)
				assert.Greater(t, beforeEnd, early.Len()/10, "little is written before the end")
				for i := range findings {
					findings[i].Settled = 0
				}
				atEnd, beforeEnd := writeByLine(t, format, findings)
				assert.Zero(t, beforeEnd)
				assert.Equal(t, atEnd.String(), early.String())
			})
		}
	}
}

// lateFindings are findings of two inputs, which come up to so many lines after
// their own, with what is settled every few findings.
func lateFindings(late int) []lint.Finding {
	random := rand.New(rand.NewPCG(3, uint64(late)))
	var all []lint.Finding
	for _, path := range []string{"b.jsonl", "a.jsonl"} {
		settled := int64(0)
		for line := range 3_000 {
			if line%100 == 0 {
				settled = max(settled, int64(line-late))
			}
			f := finding([]*lint.Rule{unknownKey, duplicate, unconfirmed}[random.IntN(3)], path, fmt.Sprint("message ", line, "."), source.Place{})
			f.Place.Span.Start.Offset = max(settled, int64(line-random.IntN(late+1)))
			f.Settled = settled
			all = append(all, f)
		}
	}
	return all
}

// writeByLine writes a report by lines. It returns how much was written before the
// first input ended.
func writeByLine(t *testing.T, format report.Format, findings []lint.Finding) (out *bytes.Buffer, beforeEnd int) {
	t.Helper()
	out = &bytes.Buffer{}
	r, err := report.New(format, out, report.Options{ByLine: func(string) bool { return true }, Explain: "lmclint explain"})
	require.NoError(t, err)
	require.NoError(t, r.Begin(report.Run{Tool: "lmclint"}))
	for i, f := range findings {
		if i > 0 && f.Path != findings[i-1].Path {
			beforeEnd = out.Len()
			require.NoError(t, r.File(report.File{Result: lint.Result{Path: findings[i-1].Path}}))
		}
		require.NoError(t, r.Finding(f))
	}
	require.NoError(t, r.End(report.Summary{}))
	return out, beforeEnd
}
