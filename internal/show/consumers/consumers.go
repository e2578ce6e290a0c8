// Package consumers is what programs that read LMC do with each mistake, from
// running them. It is data: consumers.json lists the programs, and one result per
// line. The package knows neither reports nor commands.
package consumers

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/lint"
)

//go:embed consumers.json
var file []byte

// Table is the content of consumers.json.
type Table struct {
	Consumers []Consumer `json:"consumers"`
	Controls  []string   `json:"controls"` // what fails with a sound input, too
	NotRun    []string   `json:"notRun"`
	Results   []Result   `json:"results"` // sorted by rule
}

// Consumer is a program, or a function of one, that was given every mistake of a kind
// that it reads.
type Consumer struct {
	Name     string `json:"name"` // as in --for
	What     string `json:"what"`
	Versions string `json:"versions"` // with commits
	Run      string `json:"run"`      // how it was run
}

// Result is what some consumers do with the mistake that a rule finds.
type Result struct {
	Rule      string   `json:"rule"`
	Consumers []string `json:"consumers"` // by name
	Outcome   string   `json:"outcome"`   // crashes, loses, hangs, shows wrongly or nothing
	What      string   `json:"what"`      // the exception, and in which case; "" if it is as with a sound input
	Versions  string   `json:"versions"`  // if it is not all those of the consumer
	From      string   `json:"from"`      // where the runs have it, if it is not under the rule
	Cases     bool     `json:"cases"`     // the rule's own severities tell apart the cases of What
}

// Covers reports whether the result is of a finding of that severity.
func (r *Result) Covers(severity lint.Severity) bool { return !r.Cases || severity == r.severity() }

// severity returns the severity of a mistake for whom it has that outcome, 0 if it does
// no harm. A result with several cases has the outcome of the worst one.
func (r *Result) severity() lint.Severity {
	switch r.Outcome {
	case "nothing":
		return 0
	case "shows wrongly":
		return lint.SeverityWarning
	}
	return lint.SeverityError // crashes, loses, hangs
}

// Load returns the table. It must not be changed.
var Load = sync.OnceValue(func() *Table {
	t := new(Table)
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(t); err != nil {
		panic("consumers: " + err.Error()) // the file is embedded
	}
	return t
})

// Names returns the names of the consumers.
func (t *Table) Names() []string {
	var names []string
	for _, c := range t.Consumers {
		names = append(names, c.Name)
	}
	return names
}

// Of returns the results for the rule with that id.
func (t *Table) Of(rule string) []Result {
	var found []Result
	for _, r := range t.Results {
		if r.Rule == rule {
			found = append(found, r)
		}
	}
	return found
}

// Result returns what a consumer does with what a rule finds, nil if it was not run.
func (t *Table) Result(rule, consumer string) *Result {
	for i := range t.Results {
		if r := &t.Results[i]; r.Rule == rule && slices.Contains(r.Consumers, consumer) {
			return r
		}
	}
	return nil
}

// Severities returns the severities that rules have for some consumers: of the worst
// that one of them does, 0 if none minds. A rule is missing whose own severity holds,
// because a consumer was not run that may mind more, or minds only some of its cases.
func (t *Table) Severities(rules []*lint.Rule, names []string) map[*lint.Rule]lint.Severity {
	found := map[*lint.Rule]lint.Severity{}
	for _, rule := range rules {
		var worst, unknown lint.Severity
		for _, name := range names {
			if r := t.Result(rule.ID, name); r != nil && !r.Cases {
				worst = max(worst, r.severity())
			} else {
				unknown = rule.Severity
				for _, c := range rule.Severities {
					unknown = max(unknown, c.Severity)
				}
			}
		}
		if worst >= unknown {
			found[rule] = worst
		}
	}
	return found
}
