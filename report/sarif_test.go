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

type sarifMessage struct{ Text string }

type sarifRegion struct {
	StartLine, StartColumn, EndLine, EndColumn int
	ByteOffset, ByteLength                     int64
	Snippet                                    *sarifMessage
}

type sarifLocation struct {
	Message          sarifMessage
	PhysicalLocation struct {
		ArtifactLocation struct {
			URI       string
			URIBaseID string `json:"uriBaseId"`
		}
		Region        sarifRegion
		ContextRegion *sarifRegion
	}
}

type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID, HelpURI          string
					Help                 struct{ Text, Markdown string }
					DefaultConfiguration struct{ Level string }
				}
			}
		}
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct {
				Level   string
				Message sarifMessage
			}
		}
		Results []struct {
			RuleID              string
			RuleIndex           int
			Level               string
			Message             sarifMessage
			Locations           []sarifLocation
			RelatedLocations    []sarifLocation
			PartialFingerprints map[string]string
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

// Each result names its rule by number too, and the rule explains itself. There are
// no other rules.
func TestSARIFDescribesRules(t *testing.T) {
	page := func(r *lint.Rule) string { return "https://example.com/" + r.ID }
	run := readSARIF(t, render(t, everything(), report.FormatSARIF, report.Options{RulePage: page})).Runs[0]
	for _, r := range run.Tool.Driver.Rules {
		assert.Equal(t, "https://example.com/"+r.ID, r.HelpURI)
	}
	found := map[string]bool{}
	for _, r := range run.Results {
		assert.Equal(t, r.RuleID, run.Tool.Driver.Rules[r.RuleIndex].ID)
		found[r.RuleID] = true
	}
	for _, rule := range run.Tool.Driver.Rules {
		assert.True(t, found[rule.ID], rule.ID)
	}
	first := run.Tool.Driver.Rules[run.Results[0].RuleIndex]
	assert.Equal(t, "LMC003", first.ID)
	assert.Equal(t, "error", first.DefaultConfiguration.Level)
	assert.Contains(t, first.Help.Text, "Readers disagree on which value holds.")
	assert.Contains(t, first.Help.Markdown, "```\n{\"role\": \"user\", \"role\": \"user\"}\n```")
	assert.Contains(t, first.Help.Markdown, "````\n{\"role\": \"```\"}\n````")
}

func TestSARIFNotifiesOfFailedFiles(t *testing.T) {
	run := readSARIF(t, render(t, failed(), report.FormatSARIF, report.Options{})).Runs[0]
	require.Len(t, run.Invocations, 1)
	assert.False(t, run.Invocations[0].ExecutionSuccessful)
	require.Len(t, run.Invocations[0].ToolExecutionNotifications, 1)
	n := run.Invocations[0].ToolExecutionNotifications[0]
	assert.Equal(t, "error", n.Level)
	assert.Equal(t, "not checked: not LMC: looks like OpenAI chat messages", n.Message.Text)
	clean := readSARIF(t, render(t, execution(), report.FormatSARIF, report.Options{})).Runs[0]
	assert.True(t, clean.Invocations[0].ExecutionSuccessful)
}

func TestSARIFNotifiesOfHiddenFindings(t *testing.T) {
	var out bytes.Buffer
	r, err := report.New(report.FormatSARIF, &out, report.Options{})
	require.NoError(t, err)
	require.NoError(t, r.Begin(report.Run{Tool: "lmclint"}))
	require.NoError(t, r.End(report.Summary{Hidden: 1}))
	invocation := readSARIF(t, out.Bytes()).Runs[0].Invocations[0]
	require.Len(t, invocation.ToolExecutionNotifications, 1)
	assert.Equal(t, "1 more finding is not shown", invocation.ToolExecutionNotifications[0].Message.Text)
	assert.NoError(t, sarifSchema(t).Validate(decode(t, out.Bytes())))
}

func TestSARIFRegions(t *testing.T) {
	results := readSARIF(t, render(t, wide(), report.FormatSARIF, report.Options{})).Runs[0].Results
	at := results[0].Locations[0].PhysicalLocation
	assert.Equal(t, "日本語", at.Region.Snippet.Text)
	assert.Equal(t, int64(9), at.Region.ByteLength)
	require.NotNil(t, at.ContextRegion)
	assert.Contains(t, at.ContextRegion.Snippet.Text, `"format": "py"`)
	at = readSARIF(t, render(t, severalLines(), report.FormatSARIF, report.Options{})).Runs[0].Results[0].Locations[0].PhysicalLocation
	assert.Nil(t, at.Region.Snippet, "the excerpt shows a part of the place only")
	assert.Nil(t, at.ContextRegion)
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

// Data cannot make a link.
func TestSARIFMessagesHaveNoLinks(t *testing.T) {
	f := finding(unknownKey, "a.jsonl", `unknown key "[x](https://example.com)"`, place("{}", 1, 0, "{}"))
	run := readSARIF(t, render(t, checked("a.jsonl", 1, f), report.FormatSARIF, report.Options{})).Runs[0]
	assert.Equal(t, `unknown key "\[x\](https://example.com)"`, run.Results[0].Message.Text)
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

func TestSARIFHasTheFingerprintsOfTheFindings(t *testing.T) {
	made := execution()
	made.findings[0].Fingerprint = "0123"
	run := readSARIF(t, render(t, made, report.FormatSARIF, report.Options{})).Runs[0]
	assert.Equal(t, map[string]string{"lmclint/v1": "0123"}, run.Results[0].PartialFingerprints)
	run = readSARIF(t, render(t, execution(), report.FormatSARIF, report.Options{})).Runs[0]
	assert.Nil(t, run.Results[0].PartialFingerprints)
}
