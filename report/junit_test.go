package report_test

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/report"
)

// junitReport is what the tests read of a report.
type junitReport struct {
	Suites []struct {
		Name  string `xml:"name,attr"`
		Cases []struct {
			Classname string `xml:"classname,attr"`
			Failure   struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func readJUnit(t *testing.T, text []byte) (r junitReport) {
	t.Helper()
	require.NoError(t, xml.Unmarshal(text, &r))
	return r
}

func TestTestReportsAreBounded(t *testing.T) {
	s := checked("a.jsonl", 5000)
	for i := range 5000 {
		s.findings = append(s.findings, finding(unknownKey, "a.jsonl", fmt.Sprint("m", i), source.Place{}))
	}
	out := render(t, s, report.FormatJUnit, report.Options{})
	text := readJUnit(t, out).Suites[0].Cases[0].Failure.Text
	assert.Equal(t, 101, strings.Count(text, "\n"))
	assert.Contains(t, text, "4,900 more findings are not shown")
}
