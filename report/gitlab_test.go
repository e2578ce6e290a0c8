package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/report"
)

type gitlabIssue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
			End   int `json:"end"`
		} `json:"lines"`
	} `json:"location"`
}

// The schema is what GitLab's documentation asks of a Code Quality report. Its own
// schema asks for less.
func TestGitLabKeepsItsSchema(t *testing.T) {
	schema := jsonschema.MustCompile("testdata/gitlab.schema.json")
	for _, s := range append(samples(), everything()) {
		assert.NoError(t, schema.Validate(decode(t, render(t, s, report.FormatGitLab, report.Options{}))), s.name)
	}
	whole := string(render(t, everything(), report.FormatGitLab, report.Options{}))
	for _, spoiled := range []string{
		strings.Replace(whole, `"severity":"major"`, `"severity":"error"`, 1),
		strings.Replace(whole, `"begin":1`, `"begin":0`, 1),
		strings.Replace(whole, `"fingerprint"`, `"print"`, 1),
	} {
		require.NotEqual(t, whole, spoiled)
		assert.Error(t, schema.Validate(decode(t, []byte(spoiled))))
	}
}

func readGitLab(t *testing.T, text []byte) (issues []gitlabIssue) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, &issues))
	return issues
}

// GitLab takes issues with one fingerprint for one issue.
func TestGitLabFingerprintsAreUnique(t *testing.T) {
	s := everything()
	issues := readGitLab(t, render(t, s, report.FormatGitLab, report.Options{}))
	assert.Len(t, issues, len(s.findings)+1)
	seen := map[string]bool{}
	for _, i := range issues {
		assert.Len(t, i.Fingerprint, 32)
		assert.False(t, seen[i.Fingerprint])
		seen[i.Fingerprint] = true
	}
}
