package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/lint"
)

// junit writes one document with a test suite per file. A suite has a test case
// per rule with findings, which fails if they make the run fail. A file without
// findings is a test case that passes.
type junit struct {
	base
	open   tests
	suites []junitSuite
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

func (j *junit) Begin(r Run) error {
	j.run = r
	j.open.failOn = r.FailOn
	return nil
}

func (j *junit) Finding(f lint.Finding) error {
	j.open.add(&f)
	return nil
}

func (j *junit) File(f File) error {
	tests := j.open.take(&f)
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
	for _, test := range tests.failed {
		add(test.name(), junitCase{Failure: &junitProblem{
			test.worst.String(), test.lines[0], test.findings(),
		}})
	}
	for _, test := range tests.passed {
		add(test.name(), junitCase{Out: test.findings()})
	}
	if tests.hidden > 0 {
		add(j.run.Tool, junitCase{Failure: &junitProblem{Type: "not-shown", Message: are(tests.hidden) + " not shown"}})
	}
	if f.Err != nil {
		add(j.run.Tool, junitCase{Error: &junitProblem{Type: "not-checked", Message: escapeStrict(reason(&f))}})
	}
	if s.Tests == 0 {
		add(j.run.Tool, junitCase{})
	}
	j.suites = append(j.suites, s)
	return nil
}

func (j *junit) End(Summary) error {
	slices.SortStableFunc(j.suites, func(a, b junitSuite) int { return cmp.Compare(a.Name, b.Name) })
	tests, failures, errors := 0, 0, 0
	for i := range j.suites {
		s := &j.suites[i]
		tests, failures, errors = tests+s.Tests, failures+s.Failures, errors+s.Errors
	}
	d := document{out: j.out}
	d.write(xmlHead)
	d.write(fmt.Sprintf(`<testsuites name="%s" tests="%d" failures="%d" errors="%d" time="0">`+"\n",
		xmlAttribute(j.run.Tool), tests, failures, errors))
	for i := range j.suites {
		d.xml("  ", &j.suites[i])
	}
	d.write("</testsuites>\n")
	return d.close()
}
