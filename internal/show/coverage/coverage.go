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
	"sync"

	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/lint"
)

//go:embed requirements.txt
var file string

// Table is what was looked at. It is the key "coverage" of the JSON report.
type Table struct {
	Records        []Records           `json:"records"`
	Events         map[string]int      `json:"events"`
	Exercised      []string            `json:"exercised"`
	NeverExercised []string            `json:"neverExercised"`
	NotJudged      map[string][]string `json:"notJudged"` // by the reason

	times map[string]int // that a requirement was exercised
}

// Records is how many records of a kind occurred.
type Records struct {
	Role   string `json:"role,omitempty"`
	Type   string `json:"type,omitempty"`
	Format string `json:"format,omitempty"`
	Count  int    `json:"count"`
}

// requirement is a line of requirements.txt: what exercises it. One without words has no
// rule.
type requirement struct {
	id       string
	says     string   // in a few words
	words    []string // of a record that exercises it
	dialects string   // in which it holds; "" for all
}

// requirements are in the order of the document.
var requirements = sync.OnceValue(func() []requirement {
	var list []requirement
	for line := range strings.Lines(file) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id == "#" {
			continue
		}
		rest, says, _ := strings.Cut(rest, " = ")
		words, dialects, _ := strings.Cut(rest, "dialect:")
		list = append(list, requirement{id, says, strings.Fields(words), dialects})
	}
	return list
})

// isMetBy reports whether a record or event with these words exercises the requirement.
func (r *requirement) isMetBy(has string) bool {
	for _, word := range r.words {
		if !slices.ContainsFunc(strings.Split(word, "|"), func(w string) bool { return strings.Contains(has, " "+w) }) {
			return false
		}
	}
	return true
}

// wordsOf returns the words of all that occurred, each kind of record and each event as
// one text with a space before each word, and how often it occurred.
func wordsOf(found *plugin.Coverage) map[string]int {
	all := map[string]int{}
	for k, n := range found.Records {
		all[" record "+k.Words+" role:"+k.Role+" type:"+k.Type+" format:"+k.Format] += n
	}
	for event, n := range found.Events {
		all[" event:"+event] += n
	}
	return all
}

// times returns how often the requirement was exercised, unless something is why it could
// not be.
func (r *requirement) times(words map[string]int, found *plugin.Coverage, why string) (n int) {
	for has, often := range words {
		if why == "" && r.isMetBy(has) {
			n += often
		}
	}
	if found.Touched[r.id] {
		n = max(n, 1)
	}
	return n
}

// noRule is why a requirement is never judged. Text only counts these.
const noRule = "about checkers and programs, not about recordings"

// Builder makes the table of a run.
type Builder struct {
	rules     map[string][]*lint.Rule // by requirement
	found     *plugin.Coverage
	exercised map[string]int  // how often
	judged    map[string]bool // by a rule that is on, in an input at least
	hasLMC    bool            // an input of LMC was read: the requirements are of no other protocol
}

// New returns a builder for a run with some rules.
func New(rules []*lint.Rule) *Builder {
	b := &Builder{rules: map[string][]*lint.Rule{}, found: plugin.NewCoverage(), exercised: map[string]int{}, judged: map[string]bool{}}
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
	b.hasLMC = b.hasLMC || len(found.Records) > 0 || len(found.Events) > 0
	words := wordsOf(found)
	for _, r := range requirements() {
		if slices.ContainsFunc(b.rules[r.id], selection.On) {
			b.judged[r.id] = true
			b.exercised[r.id] += r.times(words, found, b.why(&r, found))
		}
	}
}

// why returns why a requirement could not be judged in what occurred, "" if it could.
// Some of those of sessions hold in a server's stream, too.
func (b *Builder) why(r *requirement, found *plugin.Coverage) string {
	_, hasSession := found.Events["commands"]
	isOfSessions := !slices.ContainsFunc(b.rules[r.id], func(rule *lint.Rule) bool { return rule.Inputs != plugin.Sessions }) ||
		strings.HasPrefix(r.id, "LMC-SES-") && !found.Dialects["server"]
	switch {
	case len(r.words) == 0:
		return noRule
	case slices.Contains(r.words, "event:comparisons") && found.Events["comparisons"] == 0:
		return "needs --against"
	case found.Touched[r.id]:
		return ""
	case isOfSessions && !hasSession:
		return "only in sessions"
	case r.dialects != "" && !found.Dialects[r.dialects]:
		return "not in this dialect, but in " + r.dialects
	}
	return ""
}

// Table returns the table.
func (b *Builder) Table() *Table {
	byWords := map[Records]int{}
	for k, n := range b.found.Records {
		byWords[Records{Role: k.Role, Type: k.Type, Format: k.Format}] += n
	}
	t := &Table{Records: []Records{}, Events: b.found.Events, Exercised: []string{}, NeverExercised: []string{}, NotJudged: map[string][]string{}, times: b.exercised}
	for k, n := range byWords {
		k.Count = n
		t.Records = append(t.Records, k)
	}
	slices.SortFunc(t.Records, func(a, b Records) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Format, b.Format))
	})
	if !b.hasLMC {
		return t
	}
	for _, r := range requirements() {
		reason := b.why(&r, b.found)
		if reason == "" && !b.judged[r.id] {
			reason = "ignored by the configuration"
		}
		switch {
		case reason != "":
			t.NotJudged[reason] = append(t.NotJudged[reason], r.id)
		case b.exercised[r.id] > 0:
			t.Exercised = append(t.Exercised, r.id)
		default:
			t.NeverExercised = append(t.NeverExercised, r.id)
		}
	}
	return t
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
	}
	if len(t.Exercised)+len(t.NeverExercised)+len(t.NotJudged) == 0 {
		return append(lines, "Requirements: none, no LMC was read")
	}
	says := map[string]string{}
	for _, r := range requirements() {
		says[r.id] = r.says + " (" + r.id + ")"
	}
	for _, id := range t.NeverExercised {
		lines = append(lines, "Never exercised: "+says[id])
	}
	for _, id := range t.Exercised {
		lines = append(lines, "Exercised "+english.Plural(t.times[id], "time", "")+": "+says[id])
	}
	for _, reason := range slices.Sorted(maps.Keys(t.NotJudged)) {
		line := idsLine("Not judged, "+reason, t.NotJudged[reason])
		if reason == noRule {
			line, _, _ = strings.Cut(line, ":")
		}
		lines = append(lines, line)
	}
	return lines
}

// idsLine returns a line with the ids of requirements, those of a section
// together: "LMC-REC-1 2 5".
func idsLine(what string, ids []string) string {
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
