package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// sarifLog is what the tests read of a report.
type sarifLog struct {
	Runs []struct {
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
		Results []struct {
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct {
						URI       string
						URIBaseID string `json:"uriBaseId"`
					}
					Region struct{ ByteOffset int64 }
				}
			}
		}
	}
}

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	require.NoError(t, err)
	const id = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft7
	c.AssertFormat = true
	require.NoError(t, c.AddResource(id, bytes.NewReader(text)))
	s, err := c.Compile(id)
	require.NoError(t, err)
	return s
}

func readSARIF(t *testing.T, text []byte) sarifLog {
	t.Helper()
	var log sarifLog
	require.NoError(t, json.Unmarshal(text, &log))
	require.Len(t, log.Runs, 1)
	return log
}

func TestSARIFKeepsItsSchema(t *testing.T) {
	schema := sarifSchema(t)
	for _, s := range append(samples(), everything()) {
		t.Run(s.name, func(t *testing.T) {
			assert.NoError(t, schema.Validate(decode(t, render(t, s, report.FormatSARIF, report.Options{}))))
		})
	}
}

func TestSARIFPaths(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct{ path, uri, base string }{
		{"a.jsonl", "sub/a.jsonl", "%SRCROOT%"},
		{"../b c%.jsonl", "b%20c%25.jsonl", "%SRCROOT%"},
		{"日本.jsonl", "sub/%E6%97%A5%E6%9C%AC.jsonl", "%SRCROOT%"},
		{"<stdin>", "%3Cstdin%3E", "%SRCROOT%"},
		{filepath.Join(root, "x", "y.json"), "x/y.json", "%SRCROOT%"},
		{filepath.Join(root, "c:d.json"), "./c:d.json", "%SRCROOT%"},
		{filepath.Dir(root) + "/elsewhere.json", "file://" + filepath.ToSlash(filepath.Dir(root)) + "/elsewhere.json", ""},
	} {
		var out bytes.Buffer
		r, err := report.New(report.FormatSARIF, &out, report.Options{})
		require.NoError(t, err)
		require.NoError(t, r.Begin(report.Run{Tool: "lmclint", Root: root, Dir: filepath.Join(root, "sub")}))
		require.NoError(t, r.Finding(finding(noRecords, c.path, "m", source.Place{})))
		require.NoError(t, r.End(report.Summary{}))
		at := readSARIF(t, out.Bytes()).Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation
		assert.Equal(t, c.uri, at.URI)
		assert.Equal(t, c.base, at.URIBaseID)
	}
}

func TestSARIFNotifiesOfHiddenFindings(t *testing.T) {
	var out bytes.Buffer
	r, err := report.New(report.FormatSARIF, &out, report.Options{})
	require.NoError(t, err)
	require.NoError(t, r.Begin(report.Run{Tool: "lmclint"}))
	require.NoError(t, r.End(report.Summary{Hidden: 1}))
	notifications := readSARIF(t, out.Bytes()).Runs[0].Invocations[0].ToolExecutionNotifications
	require.Len(t, notifications, 1)
	assert.Equal(t, "1 more finding is not shown", notifications[0].Message.Text)
}

// Code scanning rejects longer reports. The most severe findings are kept.
func TestSARIFIsBounded(t *testing.T) {
	var out bytes.Buffer
	r, err := report.New(report.FormatSARIF, &out, report.Options{})
	require.NoError(t, err)
	require.NoError(t, r.Begin(report.Run{Tool: "lmclint"}))
	for i := range 60_000 {
		rule := []*lint.Rule{spelling, unknownKey, unconfirmed, spelling}[i%4]
		f := finding(rule, "a.jsonl", fmt.Sprint("m", i), source.Place{})
		f.Place.Span.Start.Offset, f.Fingerprint = int64(i), "x"
		require.NoError(t, r.Finding(f))
	}
	require.NoError(t, r.End(report.Summary{}))
	run := readSARIF(t, out.Bytes()).Runs[0]
	require.Len(t, run.Results, 25_000)
	counts := map[string]int{}
	var offsets []int64
	for _, result := range run.Results {
		counts[result.Level]++
		offsets = append(offsets, result.Locations[0].PhysicalLocation.Region.ByteOffset)
	}
	assert.True(t, slices.IsSorted(offsets))
	assert.Equal(t, map[string]int{"error": 15_000, "warning": 10_000}, counts)
	assert.True(t, run.Invocations[0].ExecutionSuccessful)
	assert.Equal(t, "35,000 more findings are not in this report, which contains the most severe 25,000",
		run.Invocations[0].ToolExecutionNotifications[0].Message.Text)
}
