package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/lint"
)

// maxPerRule is how many findings of a rule in a file a test report shows.
const maxPerRule = 100

// tests groups the findings of a file by rule, for the reports that consist of
// tests: junit and tap.
type tests struct {
	failOn lint.Severity
	text   findingText
	rules  map[*lint.Rule]*ruleTest
	shown  [lint.SeverityError + 1]int // findings, by severity
}

// ruleTest is the test of one rule with findings in a file.
type ruleTest struct {
	rule  *lint.Rule
	worst lint.Severity
	found int
	lines []string // the first findings, escaped
}

func newTests() tests {
	return tests{text: findingText{palette: newPalette(false)}, rules: map[*lint.Rule]*ruleTest{}}
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
		r.lines = append(r.lines, escapeStrict(string(t.text.concise(f))))
	}
}

// fileTests are the tests of a file, in the order of their rules.
type fileTests struct {
	failed []*ruleTest // with a finding at or above --fail-on
	passed []*ruleTest // with lesser findings only
	hidden int         // findings at or above --fail-on that were not reported
}

// take returns the tests of a file and resets t for the next file.
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

func (r *ruleTest) name() string { return r.rule.ID + " " + r.rule.Name }

// findings returns the findings, one per line.
func (r *ruleTest) findings() string {
	var b strings.Builder
	for _, line := range r.lines {
		b.WriteString(line + "\n")
	}
	if more := r.found - len(r.lines); more > 0 {
		b.WriteString(are(more) + " not shown\n")
	}
	return b.String()
}
