package report_test

import (
	"encoding/json"
	"testing"

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
		assert.NotEmpty(t, i.CheckName)
		assert.Contains(t, []string{"info", "minor", "major", "blocker"}, i.Severity)
		assert.Positive(t, i.Location.Lines.Begin)
	}
}

func TestGitLabOfACleanRun(t *testing.T) {
	issues := readGitLab(t, render(t, samples()[0], report.FormatGitLab, report.Options{}))
	assert.NotNil(t, issues)
	assert.Empty(t, issues)
}
