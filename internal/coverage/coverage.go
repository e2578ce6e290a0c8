// Package coverage says what a check looked at: the records that occurred, what
// happened, and which requirements of docs/protocol.md were exercised, never exercised,
// or not judged. What exercises a requirement is data: requirements.txt.
package coverage

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/lint"
)

//go:embed requirements.txt
var file string

// Table is what was looked at. It is the key "coverage" of the JSON report.
type Table struct {
	Records        []Records      `json:"records"`
	Events         map[string]int `json:"events"`
	Exercised      []string       `json:"exercised"`
	NeverExercised []string       `json:"neverExercised"`
	NotJudged      []NotJudged    `json:"notJudged"`
}

// Records is how many records of a kind occurred.
type Records struct {
	Role   string `json:"role,omitempty"`
	Type   string `json:"type,omitempty"`
	Format string `json:"format,omitempty"`
	Count  int    `json:"count"`
}

// NotJudged is requirements that could not have been judged, and why.
type NotJudged struct {
	Reason       string   `json:"reason"`
	Requirements []string `json:"requirements"`
}

// Requirement is a line of requirements.txt.
type Requirement struct {
	ID       string
	Fact     string   // what exercises it; "" if it has no rule
	Dialects []string // in which it holds; none for all
}

// Requirements returns the requirements, in the order of the document.
func Requirements() []Requirement {
	var list []Requirement
	for line := range strings.Lines(file) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		r := Requirement{ID: words[0]}
		if len(words) > 1 {
			r.Fact, r.Dialects = words[1], words[2:]
		}
		list = append(list, r)
	}
	return list
}

// noRule is why a requirement is never judged. Text only counts these.
const noRule = "about checkers and programs, not about recordings"

// Builder makes the table of a run.
type Builder struct {
	rules     map[string][]*lint.Rule // by requirement
	found     *plugin.Coverage
	exercised map[string]bool
	judged    map[string]bool // by a rule that is on, in an input at least
}

// New returns a builder for a run with some rules.
func New(rules []*lint.Rule) *Builder {
	b := &Builder{rules: map[string][]*lint.Rule{}, found: plugin.NewCoverage(), exercised: map[string]bool{}, judged: map[string]bool{}}
	for _, r := range rules {
		for _, id := range r.Requirements {
			b.rules[id] = append(b.rules[id], r)
		}
	}
	return b
}

// Add adds what occurred in an input that was checked with a selection.
func (b *Builder) Add(found *plugin.Coverage, selection *lint.Selection) {
	if found == nil {
		return
	}
	b.found.Add(found)
	for _, r := range Requirements() {
		if !slices.ContainsFunc(b.rules[r.ID], selection.On) {
			continue
		}
		b.judged[r.ID] = true
		if b.why(r, found) == "" && (found.Facts[r.Fact] || found.Touched[r.ID]) {
			b.exercised[r.ID] = true
		}
	}
}

// why returns why a requirement could not be judged in what occurred, "" if it could.
func (b *Builder) why(r Requirement, found *plugin.Coverage) string {
	inputs := plugin.Inputs(0)
	for _, rule := range b.rules[r.ID] {
		inputs |= rule.Inputs
	}
	holds := func(dialect string) bool { return found.Dialects[dialect] }
	switch {
	case r.Fact == "":
		return noRule
	case r.Fact == "compared" && !found.Facts["compared"]:
		return "needs --against"
	case found.Touched[r.ID]:
		return ""
	case isOfSessions(r, inputs, found) && !found.Inputs.Has(plugin.Sessions):
		return "only in sessions"
	case len(r.Dialects) > 0 && !slices.ContainsFunc(r.Dialects, holds):
		return "not in this dialect, but in " + strings.Join(r.Dialects, ", ")
	}
	return ""
}

// isOfSessions reports whether a requirement is one of sessions, whose rules apply to these
// kinds of input. Some of them hold in a server's stream, too.
func isOfSessions(r Requirement, inputs plugin.Inputs, found *plugin.Coverage) bool {
	return inputs == plugin.Sessions || strings.HasPrefix(r.ID, "LMC-SES-") && !found.Dialects["server"]
}

// Table returns the table. What may happen in the kinds of input that there were is in it,
// also if it did not.
func (b *Builder) Table() *Table {
	if b.found.Inputs&(plugin.Streams|plugin.Sessions) != 0 {
		for _, event := range []string{"blocks", "confirmations", "executions confirmed", "executions refused", "executions not confirmed"} {
			b.found.Events[event] += 0
		}
	}
	if b.found.Inputs.Has(plugin.Sessions) {
		for _, event := range []string{"commands", "completes", "errors"} {
			b.found.Events[event] += 0
		}
	}
	t := &Table{Records: []Records{}, Events: b.found.Events, Exercised: []string{}, NeverExercised: []string{}, NotJudged: []NotJudged{}}
	for k, n := range b.found.Records {
		t.Records = append(t.Records, Records{k.Role, k.Type, k.Format, n})
	}
	slices.SortFunc(t.Records, func(a, b Records) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Format, b.Format))
	})
	for _, r := range Requirements() {
		reason := b.why(r, b.found)
		if reason == "" && !b.judged[r.ID] {
			reason = "ignored by the configuration"
		}
		switch {
		case reason != "":
			t.leave(r.ID, reason)
		case b.exercised[r.ID]:
			t.Exercised = append(t.Exercised, r.ID)
		default:
			t.NeverExercised = append(t.NeverExercised, r.ID)
		}
	}
	return t
}

func (t *Table) leave(id, reason string) {
	i := slices.IndexFunc(t.NotJudged, func(n NotJudged) bool { return n.Reason == reason })
	if i < 0 {
		i, t.NotJudged = len(t.NotJudged), append(t.NotJudged, NotJudged{Reason: reason})
	}
	t.NotJudged[i].Requirements = append(t.NotJudged[i].Requirements, id)
}

// Lines returns the table as lines of text, which may be long.
func (t *Table) Lines() []string {
	var records, events []string
	for _, r := range t.Records {
		words := strings.Join(strings.Fields(r.Role+" "+r.Type+" "+r.Format), " ")
		records = append(records, fmt.Sprintf("%d %s", r.Count, cmp.Or(words, "others")))
	}
	for _, event := range slices.Sorted(maps.Keys(t.Events)) {
		events = append(events, fmt.Sprintf("%s %d", event, t.Events[event]))
	}
	lines := []string{
		"Records: " + cmp.Or(strings.Join(records, ", "), "none"),
		"What happened: " + cmp.Or(strings.Join(events, ", "), "nothing"),
		requirements("Exercised", t.Exercised), requirements("Never exercised", t.NeverExercised),
	}
	for _, n := range t.NotJudged {
		if n.Reason == noRule {
			lines = append(lines, fmt.Sprintf("Not judged, %s (%d)", noRule, len(n.Requirements)))
			continue
		}
		lines = append(lines, requirements("Not judged, "+n.Reason, n.Requirements))
	}
	return lines
}

// requirements returns a line with the ids of requirements, those of a section
// together: "LMC-REC-1 2 5".
func requirements(what string, ids []string) string {
	line := fmt.Sprintf("%s (%d):", what, len(ids))
	section := ""
	for _, id := range ids {
		i := strings.LastIndexByte(id, '-')
		if id[:i] != section {
			section = id[:i]
			line += " " + id
			continue
		}
		line += " " + id[i+1:]
	}
	return line
}
