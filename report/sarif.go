package report

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/internal/show/jsonreport"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

const (
	maxSARIFResults = 25_000 // code scanning rejects a run with more
	maxSARIFExample = 2000   // bytes of an example in the help of a rule
	maxSARIFPlaces  = 20     // further places of a finding
)

// informationURI is the home page of the program.
const informationURI = "https://github.com/lmclint/lmclint"

const sarifHead = `{
"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
"version": "2.1.0",
"runs": [{
`

// sarif writes one document for code scanning, SARIF 2.1.0. It contains the
// most severe findings, and a notification of how many others there are.
type sarif struct {
	base
	findings list[lint.Finding]
	rules    []*lint.Rule
	index    map[*lint.Rule]int      // of rules
	page     func(*lint.Rule) string // as Options.RulePage
}

func (s *sarif) Finding(f lint.Finding) error {
	s.indexOf(f.Rule)
	s.findings.add(&f, f)
	return nil
}

func (s *sarif) End(sum Summary) error {
	findings := s.findings.sorted()
	sortFiles(s.failed)
	d := documentWriter{out: s.out}
	d.write(sarifHead + `"tool": `)
	d.value(s.tool())
	d.write(",\n" + `"invocations": `)
	d.value([]sarifInvocation{s.invocation(sum)})
	d.write(",\n" + `"originalUriBaseIds": {"%SRCROOT%":{"description":{"text":"The root of the repository."}}}`)
	d.write(",\n" + `"results": `)
	d.array("", len(findings), func(i int) { d.value(s.result(&findings[i].value)) })
	d.write(",\n" + `"columnKind": "unicodeCodePoints"` + "\n}]\n}\n")
	return d.err
}

// indexOf returns the number of a rule in the report, which describes the rules that
// found something.
func (s *sarif) indexOf(r *lint.Rule) int {
	i, ok := s.index[r]
	if !ok {
		i = len(s.rules)
		s.index[r] = i
		s.rules = append(s.rules, r)
	}
	return i
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

// sarifMessage is a message that may quote data. Its square brackets are not
// links.
func sarifMessage(text string) sarifText {
	if strings.Contains(text, "](") {
		text = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`).Replace(text)
	}
	return sarifText{Text: text}
}

type sarifTool struct {
	Driver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	} `json:"driver"`
}

type sarifRule struct {
	ID               string            `json:"id"`
	Name             string            `json:"name"`
	ShortDescription sarifText         `json:"shortDescription,omitzero"`
	FullDescription  sarifText         `json:"fullDescription,omitzero"`
	Help             sarifText         `json:"help"`
	HelpURI          string            `json:"helpUri,omitempty"`
	Configuration    map[string]string `json:"defaultConfiguration"`
	Properties       map[string]string `json:"properties"`
}

func (s *sarif) tool() sarifTool {
	var t sarifTool
	t.Driver.Name, t.Driver.Version, t.Driver.InformationURI = s.run.Tool, s.run.Version, informationURI
	t.Driver.Rules = make([]sarifRule, len(s.rules))
	for i, r := range s.rules {
		t.Driver.Rules[i] = sarifRule{
			ID: r.ID, Name: r.Name, ShortDescription: sarifText{Text: r.Summary}, FullDescription: sarifText{Text: r.Rationale},
			Help: sarifText{
				Text:     r.Summary + ".\n\n" + r.Rationale + "\n\nSeverity: " + r.SeverityText() + ".\n\n" + s.run.Tool + " explain " + r.ID + " says more.",
				Markdown: ruleMarkdown(r),
			},
			Configuration: map[string]string{"level": r.Severity.String()},
			Properties:    map[string]string{"problem.severity": strings.Replace(r.Severity.String(), "note", "recommendation", 1)},
		}
		if s.page != nil {
			t.Driver.Rules[i].HelpURI = s.page(r)
		}
	}
	return t
}

// ruleMarkdown explains a rule with one bad and one good example.
func ruleMarkdown(r *lint.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s %s**: %s.\n\n%s\n\nSeverity: %s.\n", r.ID, r.Name, r.Summary, r.Rationale, r.SeverityText())
	example := func(title string, examples []lint.Example) {
		for _, e := range examples {
			if text := e.Text(); len(text) <= maxSARIFExample {
				fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
				fmt.Fprintf(&b, "\n%s: %s\n\n%s\n%s\n%s\n", title, e.Name, fence, strings.TrimSuffix(text, "\n"), fence)
				return
			}
		}
	}
	example("Wrong", r.Bad)
	example("Right", r.Good)
	for i, e := range r.Evidence {
		if i == 0 {
			b.WriteString("\nEvidence:\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", e)
	}
	return b.String()
}

// longestRun returns the length of the longest run of a byte.
func longestRun(text string, c byte) (longest int) {
	run := 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

// invocation says how the run ended, and what is not in the report.
func (s *sarif) invocation(sum Summary) sarifInvocation {
	v := sarifInvocation{Successful: !sum.Incomplete}
	for i := range s.failed {
		f := &s.failed[i]
		v.Notifications = append(v.Notifications, sarifNotification{
			"error", sarifMessage(EscapeControls(reason(f))),
			[]sarifLocation{{Physical: sarifPhysical{Artifact: s.artifact(f.Path)}}},
		})
	}
	warn := func(text string) {
		v.Notifications = append(v.Notifications, sarifNotification{Level: "warning", Message: sarifMessage(text)})
	}
	if left := s.findings.left; left > 0 {
		warn(english.Plural(left, "more finding is", "more findings are") + " not in this report, which contains the most severe " + humanize.Comma(maxSARIFResults))
	}
	if sum.Hidden > 0 {
		warn(moreNotShown(sum.Hidden))
	}
	return v
}

type sarifResult struct {
	RuleID       string                `json:"ruleId"`
	RuleIndex    int                   `json:"ruleIndex"`
	Level        string                `json:"level"`
	Message      sarifText             `json:"message"`
	Locations    []sarifLocation       `json:"locations"`
	Related      []sarifRelated        `json:"relatedLocations,omitempty"`
	Occurrences  int                   `json:"occurrenceCount"`
	Fingerprints map[string]string     `json:"partialFingerprints,omitempty"`
	Fixes        []sarifFix            `json:"fixes,omitempty"`
	Properties   sarifResultProperties `json:"properties"`
}

type sarifResultProperties struct {
	Pointer      string           `json:"pointer"`
	Record       jsonreport.Index `json:"record,omitzero"`
	Conversation jsonreport.Index `json:"conversation,omitzero"`
}

type sarifFix struct {
	Description sarifText       `json:"description"`
	Changes     []sarifChange   `json:"artifactChanges"`
	Properties  map[string]bool `json:"properties"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted *sarifText  `json:"insertedContent,omitempty"`
}

type sarifRelated struct {
	ID      int       `json:"id"`
	Message sarifText `json:"message"`
	sarifLocation
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
	Context  *sarifContext `json:"contextRegion,omitempty"`
}

type sarifArtifact struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	StartLine   int        `json:"startLine"`
	StartColumn int        `json:"startColumn"`
	EndLine     int        `json:"endLine,omitempty"`
	EndColumn   int        `json:"endColumn,omitempty"`
	ByteOffset  int64      `json:"byteOffset"`
	ByteLength  int64      `json:"byteLength"`
	Snippet     *sarifText `json:"snippet,omitempty"`
}

// sarifContext is the part of the line that an excerpt shows.
type sarifContext struct {
	StartLine   int       `json:"startLine"`
	StartColumn int       `json:"startColumn"`
	EndColumn   int       `json:"endColumn"`
	Snippet     sarifText `json:"snippet"`
}

func (s *sarif) result(f *lint.Finding) *sarifResult {
	message := EscapeControls(f.Message)
	if f.Help != "" {
		message += "\nhelp: " + EscapeControls(f.Help)
	}
	r := &sarifResult{
		RuleID: f.Rule.ID, RuleIndex: s.indexOf(f.Rule), Level: f.Severity.String(), Message: sarifMessage(message),
		Locations:  []sarifLocation{s.location(f.Path, &f.Place)},
		Properties: sarifResultProperties{f.Place.Pointer, jsonreport.Index(f.Place.Record), jsonreport.Index(f.Conversation)},
	}
	for i := range f.Related {
		at := &f.Related[i]
		r.Related = append(r.Related, sarifRelated{
			i, sarifMessage(EscapeControls(at.Message)), s.location(cmp.Or(at.Path, f.Path), &at.Place),
		})
	}
	if f.Count > 1 {
		for i, at := range f.Places[1:min(len(f.Places), maxSARIFPlaces+1)] {
			region := &sarifRegion{StartLine: at.Line, StartColumn: at.Column, ByteOffset: at.Offset}
			r.Related = append(r.Related, sarifRelated{
				len(f.Related) + i, sarifMessage("also here"), sarifLocation{sarifPhysical{Artifact: s.artifact(f.Path), Region: region}},
			})
		}
	}
	r.Occurrences = f.Count
	if f.Fingerprint != "" {
		r.Fingerprints = map[string]string{lint.FingerprintVersion: f.Fingerprint}
	}
	if edits := f.Fix.ByteEdits(); edits != nil {
		r.Fixes = []sarifFix{s.fix(f, edits)}
	}
	return r
}

// fix returns the fix of a finding, which consists of these edits.
func (s *sarif) fix(f *lint.Finding, edits []lint.Edit) sarifFix {
	change := sarifChange{Artifact: s.artifact(f.Path)}
	for _, e := range edits {
		replacement := sarifReplacement{Deleted: newSARIFRegion(e.Span)}
		if e.Text != "" {
			replacement.Inserted = &sarifText{Text: e.Text}
		}
		change.Replacements = append(change.Replacements, replacement)
	}
	return sarifFix{sarifMessage(EscapeControls(f.Fix.Message)), []sarifChange{change}, map[string]bool{"safe": f.Fix.Safe}}
}

func newSARIFRegion(span source.Span) sarifRegion {
	start, end := known(span.Start), known(span.End)
	return sarifRegion{
		StartLine: start.Line, StartColumn: start.Column, EndLine: end.Line, EndColumn: end.Column,
		ByteOffset: start.Offset, ByteLength: end.Offset - start.Offset,
	}
}

func (s *sarif) location(path string, p *source.Place) sarifLocation {
	region, e := newSARIFRegion(p.Span), &p.Excerpt
	at := sarifPhysical{Artifact: s.artifact(path), Region: &region}
	line, from, to := []rune(e.Text), region.StartColumn-e.Column, region.EndColumn-e.Column
	if region.StartLine == region.EndLine && e.Column > 0 && 0 <= from && from < to && to <= len(line) { // the excerpt shows all of it
		at.Region.Snippet = &sarifText{Text: string(line[from:to])}
		if to-from < len(line) {
			at.Context = &sarifContext{region.StartLine, e.Column, e.Column + len(line), sarifText{Text: e.Text}}
		}
	}
	return sarifLocation{at}
}

// artifact names a file relative to the root of the repository, if it is in it.
func (s *sarif) artifact(path string) sarifArtifact {
	relative, ok := s.run.locate(path)
	if !ok {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(relative, "/")}).String()}
	}
	return sarifArtifact{(&url.URL{Path: relative}).String(), "%SRCROOT%"}
}
