package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/lmclint/lmclint/internal/show/jsonreport"
	"github.com/lmclint/lmclint/internal/show/timeline"
	"github.com/lmclint/lmclint/lint"
)

// Version is the version of the document. The page code reads no other.
const Version = 3

// Limits of a document.
const (
	MaxFindings  = 20_000   // of all inputs
	MaxFiles     = 10_000   // in the index
	maxViewBytes = 24 << 20 // of the views of all inputs; later ones have none
)

// Builder makes a document. The zero value is ready for use. It is not safe for
// concurrent use.
type Builder struct {
	// RulePage returns the URL of a rule's page. Nil means there is none.
	RulePage func(*lint.Rule) string

	// Coverage is lines that say what was looked at, none if that was not wanted.
	Coverage []string

	// Unread are lines that say which files were not read.
	Unread []string

	pending []lint.Finding // of the current input
	files   []file
	rules   map[string]*lint.Rule
	run     map[*lint.Rule]bool // rules that were run on some input
	off     map[*lint.Rule]bool // rules that were off for some input

	findings  int // that the document has
	viewBytes int
	left      left
}

// left is what a document does not have because of the limits.
type left struct {
	Findings int `json:"findings"`
	Files    int `json:"files"`
	Views    int `json:"views"`
}

// file is an input with its view, which is nil without one.
type file struct {
	jsonreport.File
	*recordingView
	Rules      int `json:"rules"` // that were run
	Suppressed int `json:"suppressed,omitempty"`
	findings   []*finding
}

// finding is a finding with what the page shows at it.
type finding struct {
	*jsonreport.Finding
	File     int       `json:"file"`
	View     int       `json:"view"` // the conversation, by its place in the list; -1 for none
	Lane     int       `json:"lane"`
	Excerpt  *excerpt  `json:"excerpt,omitempty"`
	Mark     []int     `json:"mark,omitempty"`      // in the record's excerpt of the view
	PlacesAt [][2]int  `json:"placesAt,omitempty"`  // by the places of the JSON report: the conversation, -1 for none, and the lane
	Related  []related `json:"relatedAt,omitempty"` // by the places of the JSON report's related
	Change   *change   `json:"change,omitempty"`    // what its fix does, if that can be shown
}

// change is a record before and after a fix.
type change struct {
	Before *excerpt `json:"before,omitempty"`
	After  *excerpt `json:"after,omitempty"`
}

// related is what the page shows at a related place.
type related struct {
	Lane    int      `json:"lane"`
	Excerpt *excerpt `json:"excerpt,omitempty"`
	Mark    []int    `json:"mark,omitempty"`
}

// excerpt is a part of a line with a mark, in UTF-16 code units.
type excerpt struct {
	Text     string `json:"text"`
	Mark     [2]int `json:"mark"`
	CutLeft  bool   `json:"cutLeft,omitempty"`
	CutRight bool   `json:"cutRight,omitempty"`
}

// rule is what the page explains of a rule.
type rule struct {
	Name      string   `json:"name"`
	Severity  string   `json:"severity"`
	Page      string   `json:"page,omitempty"`
	Summary   string   `json:"summary"`
	Rationale string   `json:"rationale"`
	Evidence  []string `json:"evidence"`
	Bad       string   `json:"bad,omitempty"`
	Good      string   `json:"good,omitempty"`
}

// Finding adds a finding of the current input.
func (b *Builder) Finding(f lint.Finding) {
	if b.findings >= MaxFindings {
		b.left.Findings++
		return
	}
	b.findings++
	b.pending = append(b.pending, f)
}

// File adds the current input with its findings, and its view if it was observed
// by [timeline.Observe]. The error says why its check failed or is incomplete.
func (b *Builder) File(r *lint.Result, err error) {
	findings := b.pending
	b.pending = nil
	if b.run == nil {
		b.run, b.off = map[*lint.Rule]bool{}, map[*lint.Rule]bool{}
	}
	for _, rule := range r.RulesRun {
		b.run[rule] = true
	}
	for _, rule := range r.RulesOff {
		b.off[rule] = true
	}
	if len(b.files) >= MaxFiles && len(findings) == 0 {
		b.left.Files++
		return
	}
	f := file{File: jsonreport.NewFile(r, err), Rules: len(r.RulesRun), Suppressed: r.Suppressed}
	recording := timeline.Of(*r)
	for i := range findings {
		f.findings = append(f.findings, b.findingOf(&findings[i], recording))
	}
	slices.SortStableFunc(f.findings, func(a, b *finding) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	switch {
	case recording == nil:
	case b.viewBytes >= maxViewBytes:
		b.left.Views++
		for _, found := range f.findings {
			found.View, found.Mark = -1, nil
		}
	default:
		f.recordingView = viewOf(recording)
		b.viewBytes += len(encoded(f.recordingView))
	}
	b.files = append(b.files, f)
}

// findingOf returns a finding as the document has it.
func (b *Builder) findingOf(f *lint.Finding, recording *timeline.Recording) *finding {
	if b.rules == nil {
		b.rules = map[string]*lint.Rule{}
	}
	b.rules[f.Rule.ID] = f.Rule
	made := &finding{Finding: new(jsonreport.NewFinding(f)), View: -1, Excerpt: excerptOf(&f.Place), Change: changeOf(f)}
	var conversation *timeline.Conversation
	if recording != nil {
		if c, pin := recording.Add(f); c != nil {
			conversation = c
			made.View, made.Lane = slices.Index(recording.Conversations, c), pin.Lane
			made.Mark = markOf(c, &f.Place)
		}
	}
	if f.Count > 1 {
		made.PlacesAt = placesAt(f, recording)
	}
	for i := range f.Related {
		place := related{Lane: -1, Excerpt: excerptOf(&f.Related[i].Place)}
		if conversation != nil && cmp.Or(f.Related[i].Path, f.Path) == recording.Path {
			place.Lane = conversation.LaneAt(f.Related[i].Place.Record)
			place.Mark = markOf(conversation, &f.Related[i].Place)
		}
		made.Related = append(made.Related, place)
	}
	return made
}

// placesAt returns the conversations and lanes of the places of a finding.
func placesAt(f *lint.Finding, recording *timeline.Recording) (at [][2]int) {
	for _, s := range f.Places {
		view, lane := -1, 0
		if recording != nil && f.Path == recording.Path {
			view = slices.IndexFunc(recording.Conversations, func(c *timeline.Conversation) bool { return c.Number == s.Conversation })
		}
		if view >= 0 {
			lane = recording.Conversations[view].LaneAt(s.Record)
		}
		at = append(at, [2]int{view, lane})
	}
	return at
}

// document is the whole document.
type document struct {
	Version  int             `json:"version"`
	Tool     jsonreport.Tool `json:"tool"`
	Summary  any             `json:"summary"`
	Left     left            `json:"left"`
	States   []string        `json:"states"`
	Rules    map[string]rule `json:"rules"`
	Files    []file          `json:"files"`
	Findings []*finding      `json:"findings"`
	Coverage []string        `json:"coverage,omitempty"`
	Unread   []string        `json:"unread,omitempty"`
	RulesRun int             `json:"rulesRun"` // on some file
	RulesOff []string        `json:"rulesOff"` // for some file
}

// Document returns the document, with the summary of the JSON report. Nothing can be
// added after it. In the text is no "<", so that it may be part of a script element, no
// "##", with which commands to a CI system begin, and no character that is not shown.
func (b *Builder) Document(tool, version string, summary any) []byte {
	slices.SortStableFunc(b.files, func(a, b file) int { return cmp.Compare(a.Path, b.Path) })
	d := document{
		Version: Version, Tool: jsonreport.Tool{Name: tool, Version: version}, Summary: summary, Left: b.left,
		States: timeline.StateNames(), Rules: b.explained(), Files: b.files, Findings: []*finding{},
		Coverage: b.Coverage, Unread: b.Unread, RulesRun: len(b.run), RulesOff: []string{},
	}
	for rule := range b.off {
		d.RulesOff = append(d.RulesOff, rule.ID)
	}
	slices.Sort(d.RulesOff)
	if len(b.files) == 0 {
		d.Files = []file{} // an empty list, not null
	}
	for i := range b.files {
		for _, found := range b.files[i].findings {
			found.File = i
			d.Findings = append(d.Findings, found)
		}
	}
	return jsonreport.EscapeHidden(bytes.ReplaceAll(encoded(&d), []byte("##"), []byte(`#\u0023`)))
}

// encoded returns a part of the document as JSON.
func encoded(part any) []byte {
	text, err := json.Marshal(part)
	if err != nil { // which no value of these types causes
		panic("page: " + err.Error())
	}
	return text
}

// maxExample is how long an example is at most that the page shows.
const maxExample = 2000

// explained returns the rules that have findings.
func (b *Builder) explained() map[string]rule {
	all := map[string]rule{}
	example := func(list []lint.Example) string {
		if len(list) > 0 && len(list[0].Input) <= maxExample {
			return list[0].Input
		}
		return ""
	}
	for id, r := range b.rules {
		page := ""
		if b.RulePage != nil {
			page = b.RulePage(r)
		}
		all[id] = rule{r.Name, r.Severity.String(), page, r.Summary, r.Rationale, r.Evidence, example(r.Bad), example(r.Good)}
	}
	return all
}
