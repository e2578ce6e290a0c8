package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/lint"
)

// maxPerRule is how many findings of a rule in a file the report shows.
const maxPerRule = 100

// junit writes one document with a test suite per file. A suite has a test case
// per rule with findings, which fails if they make the run fail. A file without
// findings is a test case that passes.
type junit struct {
	base
	text   *findingText
	rules  map[*lint.Rule]*ruleTest    // of the current file
	shown  [lint.SeverityError + 1]int // findings of the current file, by severity
	suites []junitSuite
}

// ruleTest is the test of one rule with findings in a file.
type ruleTest struct {
	rule  *lint.Rule
	worst lint.Severity
	found int
	lines []string // the first findings, escaped
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     int         `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    int           `xml:"time,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (j *junit) Finding(f lint.Finding) error {
	r := j.rules[f.Rule]
	if r == nil {
		r = &ruleTest{rule: f.Rule}
		j.rules[f.Rule] = r
	}
	r.found++
	j.shown[f.Severity]++
	r.worst = max(r.worst, f.Severity)
	if len(r.lines) < maxPerRule {
		r.lines = append(r.lines, escapeStrict(j.text.concise(&f)))
	}
	return nil
}

// File makes the suite of a file: the tests that fail, those that pass, and what else is
// wrong.
func (j *junit) File(f File) error {
	s := junitSuite{Name: escapeStrict(f.Path)}
	add := func(name string, c junitCase) {
		c.Name, c.Class = escapeStrict(name), s.Name
		s.Cases = append(s.Cases, c)
		s.Tests++
		if c.Failure != nil {
			s.Failures++
		}
		if c.Error != nil {
			s.Errors++
		}
	}
	tests := slices.SortedFunc(maps.Values(j.rules), func(a, b *ruleTest) int {
		return cmp.Or(cmp.Compare(a.rule.ID, b.rule.ID), cmp.Compare(a.rule.Name, b.rule.Name))
	})
	for _, fails := range []bool{true, false} {
		for _, t := range tests {
			name := t.rule.ID + " " + t.rule.Name
			switch {
			case t.worst >= f.FailOn != fails:
			case fails:
				add(name, junitCase{Failure: &junitProblem{t.worst.String(), t.lines[0], t.findings()}})
			default:
				add(name, junitCase{Out: t.findings()})
			}
		}
	}
	hidden := 0 // findings that make the run fail and were not reported
	for severity, found := range map[lint.Severity]int{
		lint.SeverityError: f.Errors, lint.SeverityWarning: f.Warnings, lint.SeverityNote: f.Notes,
	} {
		if severity >= f.FailOn {
			hidden += max(0, found-j.shown[severity])
		}
	}
	if hidden > 0 {
		add(j.run.Tool, junitCase{Failure: &junitProblem{Type: "not-shown", Message: moreNotShown(hidden)}})
	}
	if f.Err != nil {
		add(j.run.Tool, junitCase{Error: &junitProblem{Type: "not-checked", Message: escapeStrict(reason(&f))}})
	}
	if s.Tests == 0 {
		add(j.run.Tool, junitCase{})
	}
	j.suites = append(j.suites, s)
	clear(j.rules)
	clear(j.shown[:])
	return nil
}

// findings returns the findings, one per line.
func (r *ruleTest) findings() string {
	var b strings.Builder
	for _, line := range r.lines {
		b.WriteString(line + "\n")
	}
	if more := r.found - len(r.lines); more > 0 {
		b.WriteString(moreNotShown(more) + "\n")
	}
	return b.String()
}

func (j *junit) End(summary Summary) error {
	hasError := func(s junitSuite) bool { return s.Errors > 0 }
	if summary.Trouble && !slices.ContainsFunc(j.suites, hasError) {
		name := j.run.Tool
		j.suites = append(j.suites, junitSuite{Name: name, Tests: 1, Errors: 1, Cases: []junitCase{
			{Name: name, Class: name, Error: &junitProblem{Type: "not-checked", Message: escapeStrict("not all was checked: " + summary.String())}},
		}})
	}
	slices.SortStableFunc(j.suites, func(a, b junitSuite) int { return cmp.Compare(a.Name, b.Name) })
	tests, failures, errors := 0, 0, 0
	for i := range j.suites {
		s := &j.suites[i]
		tests, failures, errors = tests+s.Tests, failures+s.Failures, errors+s.Errors
	}
	d := documentWriter{out: j.out}
	d.write(xmlHead)
	d.write(fmt.Sprintf(`<testsuites name="%s" tests="%d" failures="%d" errors="%d" time="0">`+"\n",
		xmlAttribute(j.run.Tool), tests, failures, errors))
	for i := range j.suites {
		d.xml("  ", &j.suites[i])
	}
	d.write("</testsuites>\n")
	return d.err
}
