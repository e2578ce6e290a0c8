package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/suite"
)

// checkerAnswer is what a checker writes for a case.
type checkerAnswer struct {
	Findings *[]reported `json:"findings"`
	Foreign  bool        `json:"foreign"`
}

// reported is a finding of a checker. It names a rule of the suite, or a
// requirement of the protocol, or none of them; and a line, a record, or both.
type reported struct {
	Rule        string `json:"rule"`
	Requirement string `json:"requirement"`
	Severity    string `json:"severity"`
	Line        int    `json:"line"`
	Record      *int   `json:"record"`
	Column      int    `json:"column"`
	Pointer     string `json:"pointer"`
}

// Exit statuses of a checker.
const (
	statusClean    = 0
	statusFindings = 1
	statusRejected = 2
)

// readCheckerAnswer reads the answer of a checker. It fails if there is none.
func readCheckerAnswer(a answer) (checkerAnswer, error) {
	var parsed checkerAnswer
	text := bytes.TrimSpace(a.stdout)
	switch {
	case a.fault != "":
		return parsed, failure(a.fault)
	case a.status > statusRejected:
		return parsed, failure(fmt.Sprintf("crashes: exit status %d", a.status))
	case len(text) == 0 && a.status == statusRejected:
		return checkerAnswer{Findings: &[]reported{}, Foreign: true}, nil
	case len(text) == 0:
		return parsed, failure("no answer on standard output")
	case text[0] == '[':
		parsed.Findings = new([]reported)
		if err := json.Unmarshal(text, parsed.Findings); err != nil {
			return parsed, failure("the answer is not a list of findings: " + whyNotRead(err))
		}
		return parsed, nil
	}
	if err := json.Unmarshal(text, &parsed); err != nil {
		return parsed, failure("the answer is not an object with findings: " + whyNotRead(err))
	}
	if parsed.Findings == nil {
		if !parsed.Foreign {
			return parsed, failure(`the answer has no "findings"`)
		}
		parsed.Findings = &[]reported{}
	}
	if a.status == statusRejected && len(*parsed.Findings) == 0 {
		parsed.Foreign = true
	}
	return parsed, nil
}

// whyNotRead says what is wrong with an answer, without the names of Go.
func whyNotRead(err error) string {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err.Error()
	}
	wanted := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Int: "an integer",
		reflect.Bool: "a boolean", reflect.Slice: "an array", reflect.Struct: "an object",
	}[wrong.Type.Kind()]
	where := "an element"
	if wrong.Field != "" {
		where = strconv.Quote(wrong.Field)
	}
	kind, _, _ := strings.Cut(wrong.Value, " ") // "number 1.5" names the value, too
	found := map[string]string{
		"string": "a string", "number": "a number", "bool": "a boolean", "array": "an array", "object": "an object",
	}[kind]
	return where + " is " + found + ", expected " + wanted
}

// checkerJudge compares answers of checkers with what cases expect.
type checkerJudge struct {
	level  suite.Level
	strict bool                   // columns, pointers and severities, too
	rules  map[string][]string    // of each requirement
	levels map[string]suite.Level // of each rule: the strongest of its findings in the suite
}

func newCheckerJudge(m *suite.Manifest, level suite.Level, strict bool) *checkerJudge {
	j := &checkerJudge{level: level, strict: strict, rules: map[string][]string{}, levels: map[string]suite.Level{}}
	for _, r := range m.Requirements {
		j.rules[r.ID] = r.Rules
	}
	for i := range m.Cases {
		for _, f := range m.Cases[i].Findings {
			if known, ok := j.levels[f.Rule]; !ok || known.Includes(f.Level) {
				j.levels[f.Rule] = f.Level
			}
		}
	}
	return j
}

// verdict is what a case came to.
type verdict struct {
	reasons      map[suite.Level][]string // why it failed, by level; none for a level that passed
	shown, unmet []string                 // requirements of consumers and producers
}

func (v *verdict) add(l suite.Level, format string, values ...any) {
	if v.reasons == nil {
		v.reasons = map[suite.Level][]string{}
	}
	v.reasons[l] = append(v.reasons[l], fmt.Sprintf(format, values...))
}

// fail adds a requirement that is not met, and why.
func (v *verdict) fail(requirement, format string, values ...any) {
	v.add(suite.Must, format, values...)
	v.unmet = append(v.unmet, requirement)
}

// judge compares an answer with a case.
func (j *checkerJudge) judge(c *suite.Case, a checkerAnswer) verdict {
	var v verdict
	switch {
	case c.JSON != "":
		j.judgeJSON(&v, c, a)
	case c.Foreign && !a.Foreign:
		v.add(suite.Must, "is neither LMC nor Semantic Workbench, and was not rejected")
	case c.Foreign:
	case a.Foreign:
		v.add(suite.Must, "was rejected, but is %s", c.Detected.Protocol)
	default:
		j.compare(&v, c.Findings, *a.Findings)
	}
	return v
}

// judgeJSON checks a case about the syntax of JSON alone. A finding without a
// name is taken for one about the syntax where that is wrong.
func (j *checkerJudge) judgeJSON(v *verdict, c *suite.Case, a checkerAnswer) {
	var named []string
	for _, r := range *a.Findings {
		switch {
		case r.Rule != "":
			named = append(named, r.Rule)
		case r.Requirement != "":
			named = append(named, j.rules[r.Requirement]...)
		case c.JSON == suite.InvalidJSON:
			named = append(named, suite.ReadingRules()...)
		}
	}
	if !c.JSON.Allows(named, a.Foreign) {
		v.add(suite.Must, "is JSON that is %s, and was not reported so", c.JSON)
	}
}

// compare compares findings as sets: each expected one is reported, and no other
// is. Several findings that differ only in what is not compared are one.
func (j *checkerJudge) compare(v *verdict, expected []suite.Finding, found []reported) {
	answered := make([]bool, len(expected))
	known := make([]bool, len(found))
	for i, r := range found {
		for k, e := range expected {
			if j.matches(r, e) {
				answered[k], known[i] = true, true
			}
		}
	}
	for k, e := range expected {
		if !answered[k] {
			v.add(e.Level, "missing: %s", describeExpected(e))
		}
	}
	for i, r := range found {
		if !known[i] {
			v.add(j.levelOf(r), "unexpected: %s", r.describe())
		}
	}
}

// matches reports whether a reported finding is an expected one.
func (j *checkerJudge) matches(r reported, e suite.Finding) bool {
	switch {
	case (r.Rule != "" || r.Requirement != "") && !j.names(r, e.Rule):
		return false
	case r.Line == 0 && r.Record == nil:
		return false
	case r.Line != 0 && r.Line != e.Line:
		return false
	case r.Line == 0 && (e.Record == nil || *r.Record != *e.Record):
		return false
	case !j.strict:
		return true
	}
	return r.Severity == e.Severity && r.Column == e.Column && r.Pointer == e.Pointer && equal(r.Record, e.Record)
}

func equal(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// names reports whether a reported finding names a rule, itself or as one of
// its requirement's.
func (j *checkerJudge) names(r reported, rule string) bool {
	return r.Rule == rule || r.Rule == "" && slices.Contains(j.rules[r.Requirement], rule)
}

// levelOf returns the level at which an unexpected finding counts: that of its
// severity, or of its rule.
func (j *checkerJudge) levelOf(r reported) suite.Level {
	if r.Severity != "" {
		return suite.LevelOf(r.Severity)
	}
	return cmp.Or(j.levels[r.Rule], suite.Must)
}

func describeExpected(e suite.Finding) string {
	where := fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	if e.Record != nil {
		where += fmt.Sprintf(", record %d", *e.Record)
	}
	if e.Pointer != "" {
		where += ", at " + e.Pointer
	}
	return fmt.Sprintf("%s (%s) in %s", e.Rule, e.Severity, where)
}

func (r reported) describe() string {
	words := []string{cmp.Or(r.Rule, r.Requirement, "a finding without a rule")}
	if r.Severity != "" {
		words = append(words, "("+r.Severity+")")
	}
	if r.Line != 0 {
		words = append(words, fmt.Sprintf("in line %d", r.Line))
	}
	if r.Record != nil {
		words = append(words, fmt.Sprintf("in record %d", *r.Record))
	}
	return strings.Join(words, " ")
}

// failure is the reason for which a subject fails a case.
type failure string

// Error implements the interface error.
func (f failure) Error() string { return string(f) }
