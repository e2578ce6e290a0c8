package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/report"
)

// workflowCommand reads a line as the runner of GitHub Actions does.
func workflowCommand(t *testing.T, line string) (name string, properties map[string]string, message string) {
	t.Helper()
	require.True(t, strings.HasPrefix(line, "::"), "%q is not a command", line)
	head, message, found := strings.Cut(line[2:], "::")
	require.True(t, found, line)
	name, list, _ := strings.Cut(head, " ")
	properties = map[string]string{}
	unescape := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace
	for property := range strings.SplitSeq(list, ",") {
		key, value, found := strings.Cut(property, "=")
		require.True(t, found, line)
		properties[key] = unescape(value)
	}
	return name, properties, strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(message)
}

// GitHub shows ten annotations of a kind. The log says how many there are.
func TestGitHubCountsFindingsWithoutAnnotation(t *testing.T) {
	s := checked("a.jsonl", 12)
	for i := range 11 {
		s.findings = append(s.findings, finding(unknownKey, "a.jsonl", fmt.Sprint("m", i), source.Place{}))
	}
	s.findings = append(s.findings, finding(unconfirmed, "a.jsonl", "m", source.Place{}))
	lines := strings.Split(strings.TrimSpace(string(render(t, s, report.FormatGitHub, report.Options{}))), "\n")
	require.Len(t, lines, 13)
	assert.Equal(t, "lmclint: GitHub shows 10 of 11 warnings as annotations; this log has all", lines[12])
}
