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

	"github.com/lmclint/lmclint/internal/verify/suite"
)

// checkerAnswer is what a checker writes for a case.
type checkerAnswer struct {
	Findings *[]reported `json:"findings"`
	Foreign  bool        `json:"foreign"`
}

// reported is a finding of a checker. It names a rule of the suite or a requirement of
// the protocol, and a line, a record of a conversation, or both.
type reported struct {
	Rule         string `json:"rule"`
	Requirement  string `json:"requirement"`
	Severity     string `json:"severity"`
	Line         int    `json:"line"`
	Record       *int   `json:"record"`
	Conversation int    `json:"conversation"`
	Column       int    `json:"column"`
	Pointer      string `json:"pointer"`
}

// statusRejected is the exit status of a checker that rejects its input. 0 is without
// findings and 1 with some, and no other is an answer.
const statusRejected = 2

// readCheckerAnswer reads the answer of a checker. It fails if there is none.
func readCheckerAnswer(a answer) (parsed checkerAnswer, err error) {
	text := bytes.TrimSpace(a.stdout)
	switch {
	case a.fault != "":
		return parsed, errors.New(a.fault)
	case a.status > statusRejected:
		return parsed, fmt.Errorf("crashes: exit status %d", a.status)
	case len(text) == 0 && a.status == statusRejected:
		return checkerAnswer{Findings: &[]reported{}, Foreign: true}, nil
	case len(text) == 0:
		return parsed, errors.New("no answer on standard output")
	case text[0] == '[':
		parsed.Findings = new([]reported)
		if err := json.Unmarshal(text, parsed.Findings); err != nil {
			return parsed, errors.New("the answer is not a list of findings: " + whyNotRead(err))
		}
		return parsed, nil
	}
	if err := json.Unmarshal(text, &parsed); err != nil {
		return parsed, errors.New("the answer is not an object with findings: " + whyNotRead(err))
	}
	if parsed.Findings == nil {
		if !parsed.Foreign {
			return parsed, errors.New(`the answer has no "findings"`)
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
		return "invalid JSON: " + err.Error()
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
	strict       bool                         // columns, pointers and severities, too
	requirements map[string]suite.Requirement // by id
	levels       map[string]suite.Level       // of each rule: the strongest of its findings in the suite
}

func newCheckerJudge(m *suite.Manifest, strict bool) *checkerJudge {
	j := &checkerJudge{strict: strict, requirements: map[string]suite.Requirement{}, levels: map[string]suite.Level{}}
	for _, r := range m.Requirements {
		j.requirements[r.ID] = r
		for _, rule := range r.Rules {
			j.levels[rule] = cmp.Or(j.levels[rule], suite.May) // known, although no case may have it
		}
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

// answered reads an answer and compares it with a case.
func (j *checkerJudge) answered(c *suite.Case, read answer) (v verdict) {
	a, err := readCheckerAnswer(read)
	if err == nil {
		v.came = cameWords(*a.Findings)
	}
	switch {
	case err != nil:
		v.add(suite.Must, mistake{text: err.Error()})
	case c.JSON != "":
		j.judgeJSON(&v, c, a)
	case c.Foreign && !a.Foreign:
		v.add(suite.Must, mistake{text: "is neither LMC nor Semantic Workbench, and was not rejected"})
	case c.Foreign:
	case a.Foreign:
		v.add(suite.Must, mistake{text: fmt.Sprintf("was rejected, but is %s: the suite reads a %s in the form %s", c.Detected.Protocol, c.Detected.Kind, c.Detected.Form)})
	default:
		j.compare(&v, c, *a.Findings)
	}
	return v
}

// judgeJSON checks a case about the syntax of JSON alone.
func (j *checkerJudge) judgeJSON(v *verdict, c *suite.Case, a checkerAnswer) {
	var named []string
	for _, r := range *a.Findings {
		switch {
		case r.Rule != "":
			named = append(named, r.Rule)
		case r.Requirement != "":
			named = append(named, j.requirements[r.Requirement].Rules...)
		}
	}
	if !c.JSON.Allows(named, a.Foreign) {
		v.add(suite.Must, mistake{text: fmt.Sprintf("is JSON that is %s, and was not reported so", c.JSON)})
	}
}

// compare compares findings. At level must, each expected error is found, and nothing
// else is reported as an error or a warning: a checker that answers each record finds
// every mistake, and is of no use. At level one, none is found twice. The level of an unexpected
// finding is that of its severity, its rule or its requirement.
func (j *checkerJudge) compare(v *verdict, c *suite.Case, found []reported) {
	answers := make([]int, len(c.Findings)) // of each expected finding
	isExpected := make([]bool, len(found))
	for i, r := range found {
		for k, e := range c.Findings {
			if j.matches(r, e) && (!j.strict || r.equals(e)) {
				answers[k]++
				isExpected[i] = true
			}
		}
	}
	for k, e := range c.Findings {
		if answers[k] == 0 {
			v.add(e.Level, mistake{text: "missing: " + describeExpected(e), requirements: j.shownBy(c, e.Rule), line: e.Line, column: e.Column})
		}
	}
	for i, r := range found {
		switch {
		case isExpected[i] && slices.ContainsFunc(found[:i], r.repeats):
			v.add(suite.One, mistake{text: "twice: " + r.describe(), line: r.Line})
		case !isExpected[i]:
			v.add(j.unexpected(r))
		}
	}
}

// unexpected returns the level at which a finding counts that the case does not have, and
// what is wrong with it.
func (j *checkerJudge) unexpected(r reported) (suite.Level, mistake) {
	m := mistake{text: "unexpected: " + r.describe(), line: r.Line}
	known := cmp.Or(j.levels[r.Rule], j.requirements[r.Requirement].Level)
	level := cmp.Or(known, suite.Must)
	if r.Severity != "" {
		level = suite.LevelOf(r.Severity)
	}
	switch {
	case r.Rule == "" && r.Requirement == "":
		level = suite.Must
		m.text += ": it names neither a rule nor a requirement"
	case known == "":
		m.text += ", which the suite does not know"
	case r.Requirement != "":
		m.requirements = []string{r.Requirement}
	}
	if level == suite.Should {
		level = suite.Must
	}
	return level, m
}

// repeats reports whether two findings are the same but for what is not compared.
func (r reported) repeats(other reported) bool {
	return r.Rule == other.Rule && r.Requirement == other.Requirement && r.Line == other.Line && r.Column == other.Column &&
		r.Pointer == other.Pointer && r.Conversation == other.Conversation && equal(r.Record, other.Record)
}

// shownBy returns the requirements of a case that a rule checks: those that are
// errors, if there are any.
func (j *checkerJudge) shownBy(c *suite.Case, rule string) []string {
	all := slices.DeleteFunc(slices.Clone(c.Requirements), func(id string) bool { return !slices.Contains(j.requirements[id].Rules, rule) })
	isMust := func(id string) bool { return j.requirements[id].Level == suite.Must }
	if slices.ContainsFunc(all, isMust) {
		return slices.DeleteFunc(all, func(id string) bool { return !isMust(id) })
	}
	return all
}

// matches reports whether a reported finding is an expected one, by its rule, or that
// of its requirement, and its place.
func (j *checkerJudge) matches(r reported, e suite.Finding) bool {
	switch {
	case r.Rule != "" && r.Rule != e.Rule:
		return false
	case r.Rule == "" && !slices.Contains(j.requirements[r.Requirement].Rules, e.Rule):
		return false
	case r.Line != 0:
		return r.Line == e.Line
	}
	return r.Record != nil && equal(r.Record, e.Record) && r.Conversation == e.Conversation
}

// equals reports whether all of a reported finding is as expected.
func (r reported) equals(e suite.Finding) bool {
	return r.Severity == e.Severity && r.Line == e.Line && r.Column == e.Column && r.Pointer == e.Pointer && r.Conversation == e.Conversation &&
		equal(r.Record, e.Record)
}

func equal(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

func describeExpected(e suite.Finding) string {
	where := fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	if e.Record != nil {
		where += fmt.Sprintf(", record %d", *e.Record)
	}
	if e.Conversation > 0 {
		where += fmt.Sprintf(" of conversation %d", e.Conversation)
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
