package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/lint"
)

// shownOfRule is how many findings of a rule in a file a test report shows.
const maxPerRule = 100

// tests gathers what the reports that speak of tests say about a file: what
// each rule found, with its first findings.
type tests struct {
	failOn lint.Severity
	page   findingText
	rules  map[*lint.Rule]*ruleTest
	shown  [lint.SeverityError + 1]int // findings, by severity
}

// ruleTest is the test that a file keeps a rule, which it did not pass.
type ruleTest struct {
	rule  *lint.Rule
	worst lint.Severity
	found int
	lines []string // the first findings, as text that a terminal may show
}

func newTests() tests {
	return tests{page: findingText{palette: newPalette(false)}, rules: map[*lint.Rule]*ruleTest{}}
}

func (t *tests) add(f *lint.Finding) {
	r := t.rules[f.Rule]
	if r == nil {
		r = &ruleTest{rule: f.Rule}
		t.rules[f.Rule] = r
	}
	r.found++
	t.shown[f.Severity]++
	r.worst = max(r.worst, f.Severity)
	if len(r.lines) < maxPerRule {
		r.lines = append(r.lines, string(t.page.line(f)))
	}
}

// fileTests are the tests of a file: one that failed for each rule that found
// something grave enough, and one that passed for each other rule that found
// something.
type fileTests struct {
	failed, passed []*ruleTest
	hidden         int // findings that are grave enough and were not shown
}

// take returns the tests of a file in the order of the rules, and makes ready
// for the next file.
func (t *tests) take(f *File) (all fileTests) {
	failOn := cmp.Or(f.FailOn, t.failOn)
	for _, r := range t.rules {
		if r.worst >= failOn {
			all.failed = append(all.failed, r)
		} else {
			all.passed = append(all.passed, r)
		}
	}
	for _, list := range [][]*ruleTest{all.failed, all.passed} {
		slices.SortFunc(list, func(a, b *ruleTest) int {
			return cmp.Or(cmp.Compare(a.rule.ID, b.rule.ID), cmp.Compare(a.rule.Name, b.rule.Name))
		})
	}
	for severity, found := range map[lint.Severity]int{
		lint.SeverityError: f.Errors, lint.SeverityWarning: f.Warnings, lint.SeverityNote: f.Notes,
	} {
		if severity >= failOn {
			all.hidden += max(0, found-t.shown[severity])
		}
	}
	clear(t.rules)
	clear(t.shown[:])
	return all
}

// name is what the test is called.
func (r *ruleTest) name() string { return r.rule.ID + " " + r.rule.Name }

// text is what was found, a line each.
func (r *ruleTest) text() string {
	var b strings.Builder
	for _, line := range r.lines {
		b.WriteString(line + "\n")
	}
	if more := r.found - len(r.lines); more > 0 {
		b.WriteString(are(more) + " not shown\n")
	}
	return b.String()
}
