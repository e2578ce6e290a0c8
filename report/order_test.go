package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
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
					f := finding([]*lint.Rule{unknownKey, duplicate}[i%2], path, fmt.Sprintf("message %06d.", i), source.Place{})
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
