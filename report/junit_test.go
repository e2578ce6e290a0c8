package report_test

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

type junitProblem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	Classname string        `xml:"classname,attr"`
	Failure   *junitProblem `xml:"failure"`
	Error     *junitProblem `xml:"error"`
	Out       string        `xml:"system-out"`
}

type junitReport struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Suites   []struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	} `xml:"testsuite"`
}

func readJUnit(t *testing.T, text []byte) (r junitReport) {
	t.Helper()
	require.NoError(t, xml.Unmarshal(text, &r))
	return r
}

func TestJUnitCounts(t *testing.T) {
	r := readJUnit(t, render(t, everything(), report.FormatJUnit, report.Options{}))
	require.Len(t, r.Suites, len(everything().files))
	tests, failures, problems := 0, 0, 0
	for _, s := range r.Suites {
		require.Len(t, s.Cases, s.Tests)
		failed, broken := 0, 0
		for _, c := range s.Cases {
			assert.Equal(t, s.Name, c.Classname)
			if c.Failure != nil {
				failed++
			}
			if c.Error != nil {
				broken++
			}
		}
		assert.Equal(t, failed, s.Failures, s.Name)
		assert.Equal(t, broken, s.Errors, s.Name)
		tests, failures, problems = tests+s.Tests, failures+s.Failures, problems+s.Errors
	}
	assert.Equal(t, []int{tests, failures, problems}, []int{r.Tests, r.Failures, r.Errors})
	assert.Equal(t, 1, problems)
}

// A file without findings is a test that passed; a report without tests is an
// error to some readers.
func TestJUnitCountsCleanFiles(t *testing.T) {
	r := readJUnit(t, render(t, samples()[0], report.FormatJUnit, report.Options{}))
	require.Len(t, r.Suites, 1)
	require.Len(t, r.Suites[0].Cases, 1)
	assert.Nil(t, r.Suites[0].Cases[0].Failure)
	assert.Equal(t, 1, r.Tests)
}

// A finding below --fail-on does not fail the test.
func TestJUnitFailsWhatTheRunFails(t *testing.T) {
	r := readJUnit(t, render(t, unsorted("a.jsonl"), report.FormatJUnit, report.Options{}))
	cases := r.Suites[0].Cases
	require.Len(t, cases, 3)
	assert.Equal(t, "LMC003 duplicate-key", cases[0].Name)
	assert.Equal(t, "error", cases[0].Failure.Type)
	assert.Contains(t, cases[1].Failure.Text, "a.jsonl:2:2: warning: unknown key y [LMC110 unknown-key]\n")
	assert.Nil(t, cases[2].Failure)
	assert.Contains(t, cases[2].Out, "a.jsonl:1:2: note: odd key x")
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

// A file must not pass because its findings were not shown.
func TestHiddenFindingsFailTheirTest(t *testing.T) {
	s := checked("a.jsonl", 3, execution().findings...)
	s.files[0].Errors, s.files[0].Notes = 3, 7
	s.findings[0].Path = "a.jsonl"
	r := readJUnit(t, render(t, s, report.FormatJUnit, report.Options{}))
	require.Len(t, r.Suites[0].Cases, 2)
	assert.Equal(t, "2 more findings are not shown", r.Suites[0].Cases[1].Failure.Message)
	assert.Equal(t, 2, r.Suites[0].Failures)
}

// A configuration may set for a file what fails.
func TestFileHasItsOwnFailOn(t *testing.T) {
	s := checked("a.jsonl", 1, execution().findings...)
	s.findings[0].Path = "a.jsonl"
	s.files[0].FailOn = lint.SeverityError + 1
	assert.Equal(t, 0, readJUnit(t, render(t, s, report.FormatJUnit, report.Options{})).Failures)
}
