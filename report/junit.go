package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/lmclint/lmclint/lint"
)

// junit is one document with a test suite a file, and in it a test case for
// each rule that found something. A file without findings is a test that
// passed, and so is a rule whose findings do not make the run fail.
type junit struct {
	out    io.Writer
	run    Run
	open   tests
	suites []section

	cases, failures, errors int
}

func newJUnit(w io.Writer) *junit { return &junit{out: w, open: newTests()} }

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
	var b []byte
	for _, test := range tests.failed {
		b = j.begin(b, test.name(), f.Path)
		b = fmt.Appendf(b, `<failure type="%s" message="%s">%s</failure></testcase>`+"\n",
			test.worst, escapeXML(test.lines[0]), junitText(test))
	}
	for _, test := range tests.passed {
		b = j.begin(b, test.name(), f.Path)
		b = fmt.Appendf(b, `<system-out>%s</system-out></testcase>`+"\n", junitText(test))
	}
	cases, failures, errors := len(tests.failed)+len(tests.passed), len(tests.failed), 0
	if tests.hidden > 0 {
		cases, failures = cases+1, failures+1
		b = j.begin(b, j.run.Tool, f.Path)
		b = fmt.Appendf(b, `<failure type="not-shown" message="%s not shown"/></testcase>`+"\n", are(tests.hidden))
	}
	if f.Err != nil {
		cases, errors = cases+1, 1
		b = j.begin(b, j.run.Tool, f.Path)
		b = fmt.Appendf(b, `<error type="not-checked" message="%s"/></testcase>`+"\n", escapeXML(reason(&f)))
	}
	if cases == 0 {
		cases = 1
		b = append(j.begin(b, j.run.Tool, f.Path), "</testcase>\n"...)
	}
	j.suite(f.Path, b, cases, failures, errors)
	return nil
}

func (j *junit) begin(b []byte, name, path string) []byte {
	return fmt.Appendf(b, `    <testcase name="%s" classname="%s" time="0">`, escapeXML(name), escapeXML(path))
}

func (j *junit) suite(path string, b []byte, cases, failures, errors int) {
	head := fmt.Appendf(nil, `  <testsuite name="%s" tests="%d" failures="%d" errors="%d" skipped="0" time="0">`+"\n",
		escapeXML(path), cases, failures, errors)
	j.suites = append(j.suites, section{path, append(append(head, b...), "  </testsuite>\n"...)})
	j.cases += cases
	j.failures += failures
	j.errors += errors
}

func (j *junit) End(Summary) error {
	_, err := fmt.Fprintf(j.out, xmlHead+`<testsuites name="%s" tests="%d" failures="%d" errors="%d" time="0">`+"\n",
		escapeXML(j.run.Tool), j.cases, j.failures, j.errors)
	if err != nil {
		return err
	}
	if err := writeSections(j.out, j.suites); err != nil {
		return err
	}
	_, err = io.WriteString(j.out, "</testsuites>\n")
	return err
}

// junitText is what a test found, with the line ends of a text.
func junitText(test *ruleTest) string {
	var b []byte
	for line := range strings.Lines(test.text()) {
		b = append(append(b, escapeXML(strings.TrimSuffix(line, "\n"))...), '\n')
	}
	return string(b)
}
