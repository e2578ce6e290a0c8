package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The problem matcher in docs/reports.md reads what its task prints.
func TestProblemMatcherReadsTheReport(t *testing.T) {
	page, err := os.ReadFile("../../docs/reports.md")
	require.NoError(t, err)
	_, block, _ := strings.Cut(string(page), "## VS Code\n")
	_, block, _ = strings.Cut(block, "```json\n")
	block, _, found := strings.Cut(block, "```\n")
	require.True(t, found)
	var tasks struct {
		Tasks []struct {
			Args           []string
			ProblemMatcher struct {
				Pattern struct {
					Regexp                                      string
					File, Line, Column, Severity, Message, Code int
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(block), &tasks))
	pattern := tasks.Tasks[0].ProblemMatcher.Pattern
	matcher := regexp.MustCompile(pattern.Regexp)

	recordings := "../../testdata/recorded/v0.3.4"
	args := tasks.Tasks[0].Args
	args[len(args)-1] = recordings
	_, out := run(args...)
	_, document := run("--format", "json", recordings)
	var want struct {
		Findings []struct {
			Path, Severity, Message, Rule string
			Line, Column                  int
		}
	}
	require.NoError(t, json.Unmarshal([]byte(document), &want))
	require.Greater(t, len(want.Findings), 5)
	var read, wanted []string
	for line := range strings.Lines(out) {
		m := matcher.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		require.NotNil(t, m, line)
		read = append(read, strings.Join([]string{m[pattern.File], m[pattern.Line], m[pattern.Column], m[pattern.Severity], m[pattern.Code], m[pattern.Message]}, "|"))
	}
	for _, f := range want.Findings {
		wanted = append(wanted, strings.Join([]string{f.Path, strconv.Itoa(f.Line), strconv.Itoa(f.Column), f.Severity, f.Rule, f.Message}, "|"))
	}
	assert.ElementsMatch(t, wanted, read)
}
