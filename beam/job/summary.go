package job

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/lmclint/lmclint/internal/show/jsonreport"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

func init() {
	beam.RegisterDoFn(&countFn{})
	beam.RegisterDoFn(&summarizeFn{})
	beam.RegisterFunction(sum)
	beam.RegisterFunction(asCount)
	beam.RegisterFunction(single)
}

// Summary is the document summary.json.
type Summary struct {
	Version int               `json:"version"`
	Summary report.Summary    `json:"summary"` // as in the report of lmclint
	Bytes   int64             `json:"bytes"`
	Refused int64             `json:"refused"` // inputs, and rows of tables, that were not checked to their end
	Inputs  []GroupOfInputs   `json:"inputs"`
	Rules   []GroupOfFindings `json:"rules"`
}

// Group is inputs that have these in common. A value that is not known is "".
type Group struct {
	Dialect  string `json:"dialect"`
	Producer string `json:"producer"`
	Month    string `json:"month"`
}

// GroupOfInputs counts the inputs of a group.
type GroupOfInputs struct {
	Group
	Inputs  int64 `json:"inputs"`
	Flagged int64 `json:"flagged"` // with findings
	Refused int64 `json:"refused"`
	Records int64 `json:"records"`
	Bytes   int64 `json:"bytes"`
}

// GroupOfFindings counts the findings of a rule in the inputs of a group.
type GroupOfFindings struct {
	Rule     string `json:"rule"`
	Name     string `json:"name"`
	Severity string `json:"severity"`
	Group
	Findings int64 `json:"findings"`
}

// What is counted of the inputs of a group.
const (
	countInputs     = "inputs"
	countFlagged    = "flagged"
	countRefused    = "refused"
	countRecords    = "records"
	countBytes      = "bytes"
	countSuppressed = "suppressed"
	countPlaces     = "places"
	countFixable    = "fixable"
	countUnsafe     = "fixableUnsafely"
	countRule       = "rule"
)

// Patterns of a path that give the group of an input, by their groups joined
// with a hyphen.
const (
	// DefaultProducer matches a folder such as producer=open-interpreter.
	DefaultProducer = `(?:^|/)producer=([^/]+)/`
	// DefaultMonth matches 2026-07, 2026/07 and year=2026/month=07.
	DefaultMonth = `(?:^|[^0-9])(20[0-9]{2})(?:[-_/]|/month=)(0[1-9]|1[0-2])(?:[^0-9]|$)`
)

// countFn counts the outcomes of inputs, and emits those with a failure as lines
// of refused.jsonl.
type countFn struct {
	Producer, Month string // patterns of a path

	producer, month *regexp.Regexp
}

// Setup compiles the patterns.
func (fn *countFn) Setup() (err error) {
	if fn.producer, err = regexp.Compile(fn.Producer); err != nil {
		return err
	}
	fn.month, err = regexp.Compile(fn.Month)
	return err
}

// ProcessElement emits the counts of an outcome by their group.
func (fn *countFn) ProcessElement(o Outcome, emit func(key string, n int64), refuse func(int, []byte)) error {
	count := func(n int64, what ...string) {
		if n != 0 {
			what = append(what, o.Dialect, inPath(fn.producer, o.Path), inPath(fn.month, o.Path))
			emit(strings.Join(what, separator), n)
		}
	}
	if !o.InTable {
		count(1, countInputs)
	}
	if len(o.Rules) > 0 {
		count(1, countFlagged)
	}
	count(int64(o.Records), countRecords)
	count(o.Bytes, countBytes)
	count(int64(o.Suppressed), countSuppressed)
	count(int64(o.Places), countPlaces)
	count(int64(o.Fixable), countFixable)
	count(int64(o.Unsafe), countUnsafe)
	for _, r := range o.Rules {
		count(int64(r.Findings), countRule, r.Rule, r.Name, r.Severity)
	}
	if o.Failure == "" {
		return nil
	}
	count(1, countRefused)
	line, err := refusedLine(&o)
	refuse(0, line)
	return err
}

// separator separates the parts of a key: it occurs in no word of lmclint. A
// path that has it has another group than it should.
const separator = "\x1f"

// inPath returns what a pattern finds in a path.
func inPath(pattern *regexp.Regexp, path string) string {
	found := pattern.FindStringSubmatch(path)
	if len(found) == 0 {
		return ""
	}
	return strings.ReplaceAll(strings.Join(found[min(1, len(found)-1):], "-"), separator, " ")
}

// refusedLine returns the line of an input in refused.jsonl: its object in the
// JSON report.
func refusedLine(o *Outcome) ([]byte, error) {
	result := lint.Result{
		Path: o.Path, Protocol: o.Protocol, Kind: o.Kind, Form: o.Form, Dialect: o.Dialect,
		Records: o.Records, Errors: o.Errors, Warnings: o.Warnings, Notes: o.Notes,
		ErrorPlaces: o.Places, // of all severities: the object has their sum
	}
	line, err := json.Marshal(jsonreport.NewFile(&result, failure(o.Failure)))
	return append(line, '\n'), err
}

// failure is why an input was refused.
type failure string

// Error implements the interface error.
func (f failure) Error() string { return string(f) }

// sum adds counts.
func sum(a, b int64) int64 { return a + b }

// asCount returns a sum as one value.
func asCount(key string, n int64) Count { return Count{key, n} }

// single gives all counts the same key.
func single(c Count) (int, Count) { return 0, c }

// summarizeFn writes the document. It has one number for each rule, dialect,
// producer and month that has findings.
type summarizeFn struct{}

// ProcessElement emits the document.
func (summarizeFn) ProcessElement(_ int, counts func(*Count) bool, emit func(int, []byte)) error {
	groups := map[Group]*GroupOfInputs{}
	s := Summary{Version: 1, Inputs: []GroupOfInputs{}, Rules: []GroupOfFindings{}}
	for c := (Count{}); counts(&c); c = (Count{}) {
		if c.N == 0 {
			continue
		}
		words := strings.Split(c.Key, separator)
		last := words[len(words)-3:]
		s.add(words, Group{last[0], last[1], last[2]}, c.N, groups)
	}
	for _, group := range groups {
		s.Inputs = append(s.Inputs, *group)
	}
	slices.SortFunc(s.Inputs, func(a, b GroupOfInputs) int { return compareGroups(a.Group, b.Group) })
	slices.SortFunc(s.Rules, func(a, b GroupOfFindings) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Severity, b.Severity), compareGroups(a.Group, b.Group))
	})
	s.Summary.Incomplete = s.Refused > 0
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(&s); err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	emit(0, text.Bytes())
	return nil
}

func compareGroups(a, b Group) int {
	return cmp.Or(cmp.Compare(a.Month, b.Month), cmp.Compare(a.Producer, b.Producer), cmp.Compare(a.Dialect, b.Dialect))
}

// add adds a number.
func (s *Summary) add(words []string, g Group, n int64, groups map[Group]*GroupOfInputs) {
	of := groups[g]
	if of == nil {
		of = &GroupOfInputs{Group: g}
		groups[g] = of
	}
	switch words[0] {
	case countInputs:
		of.Inputs += n
		s.Summary.Files += int(n)
	case countFlagged:
		of.Flagged += n
	case countRefused:
		of.Refused += n
		s.Refused += n
	case countRecords:
		of.Records += n
		s.Summary.Records += int(n)
	case countBytes:
		of.Bytes += n
		s.Bytes += n
	case countSuppressed:
		s.Summary.Suppressed += int(n)
	case countPlaces:
		s.Summary.Places += int(n)
	case countFixable:
		s.Summary.Fixable += int(n)
	case countUnsafe:
		s.Summary.FixableUnsafely += int(n)
	case countRule:
		s.Rules = append(s.Rules, GroupOfFindings{words[1], words[2], words[3], g, n})
		switch words[3] {
		case lint.SeverityError.String():
			s.Summary.Errors += int(n)
		case lint.SeverityWarning.String():
			s.Summary.Warnings += int(n)
		case lint.SeverityNote.String():
			s.Summary.Notes += int(n)
		}
	}
}

// Line returns the summary as one line, with the rate of a run that took a time.
func (s *Summary) Line(took time.Duration) string {
	found := report.Summary{
		Files: s.Summary.Files, Records: s.Summary.Records,
		Errors: s.Summary.Errors, Warnings: s.Summary.Warnings, Notes: s.Summary.Notes,
	}
	for _, group := range s.Inputs {
		found.Flagged += int(group.Flagged)
	}
	seconds := max(took.Seconds(), 0.001)
	line := fmt.Sprintf("%s; %.1f s, %.0f records/s, %.1f MB/s", found, took.Seconds(),
		float64(s.Summary.Records)/seconds, float64(s.Bytes)/seconds/1e6)
	if s.Refused > 0 {
		line += fmt.Sprintf("; %d refused, see %s", s.Refused, RefusedName)
	}
	return line
}
