package author

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/internal/verify/suite/jsongrammar"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// requirementDocuments are the documents with requirements, from the root of the
// checkout.
var requirementDocuments = []string{"docs/protocol.md", "docs/workbench.md"}

// Manifest makes the manifest of the expectations, the inputs, the rules and the
// documents. The findings are those that the expectations have, whatever the
// linter says.
func (a *Author) Manifest(ctx context.Context) (*suite.Manifest, error) {
	m := &suite.Manifest{Schema: schema.SuiteID}
	version, err := os.ReadFile(a.Path("VERSION"))
	if err != nil {
		return nil, err
	}
	m.Version = strings.TrimSpace(string(version))
	if m.Requirements, err = a.Requirements(); err != nil {
		return nil, err
	}
	inputs, err := a.Inputs()
	if err != nil {
		return nil, err
	}
	for _, input := range inputs {
		c, err := a.caseOf(ctx, input)
		if err != nil {
			return nil, err
		}
		m.Cases = append(m.Cases, *c)
	}
	for _, c := range jsongrammar.Cases() {
		m.Cases = append(m.Cases, jsonCase(c))
	}
	slices.SortFunc(m.Cases, func(a, b suite.Case) int { return strings.Compare(a.ID, b.ID) })
	return m, nil
}

// Requirements reads the requirements of the documents, and adds the rules that
// name them. It returns an error for a rule that names an unknown one.
func (a *Author) Requirements() ([]suite.Requirement, error) {
	var list []suite.Requirement
	for _, document := range requirementDocuments {
		text, err := os.ReadFile(filepath.Join(a.root, filepath.FromSlash(document)))
		if err != nil {
			return nil, err
		}
		found, err := suite.ParseRequirements(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", document, err)
		}
		list = append(list, found...)
	}
	for _, r := range rules.All() {
		for _, id := range r.Requirements {
			i := slices.IndexFunc(list, func(q suite.Requirement) bool { return q.ID == id })
			if i < 0 {
				return nil, fmt.Errorf("%s names the requirement %s, which no document has", r.ID, id)
			}
			list[i].Rules = append(list[i].Rules, r.ID)
		}
	}
	return list, nil
}

// caseOf makes the entry of an input.
func (a *Author) caseOf(ctx context.Context, input string) (*suite.Case, error) {
	text, err := os.ReadFile(a.Path(input))
	if err != nil {
		return nil, err
	}
	e, err := a.Expectation(input)
	if err != nil {
		return nil, err
	}
	verdict, err := a.Judge(ctx, input, e.Options)
	if err != nil {
		return nil, err
	}
	c := &suite.Case{ID: input, File: input, Note: e.Note, Origin: originOf(input), Level: suite.Must, Options: e.Options, Foreign: e.Foreign, Findings: slices.Clone(e.Findings)}
	if !c.Foreign {
		c.Detected = &verdict.Detected
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		f.Level = suite.LevelOf(f.Severity)
	}
	c.Level = suite.LevelOfFindings(c.Findings)
	c.Features = features(c, text)
	c.Profile = profileOf(c)
	if c.Requirements, err = requirementsOf(c, e); err != nil {
		return nil, fmt.Errorf("%s: %w", input, err)
	}
	return c, nil
}

// originOf says where an input comes from, by its folder.
func originOf(input string) string {
	if rest, found := strings.CutPrefix(input, "recorded/v"); found {
		release, _, _ := strings.Cut(rest, "/")
		return "Open Interpreter " + release
	}
	return "lmclint"
}

// jsonCase makes the entry of a text of the grammar of JSON.
func jsonCase(g jsongrammar.Case) suite.Case {
	file := jsonFile(g)
	c := suite.Case{
		ID: file, File: file, Note: cmp.Or(g.Reason, "is JSON: "+strings.ReplaceAll(g.Name, "-", " ")), Origin: originOf(file), Profile: suite.Forms, Level: suite.Must, Requirements: []string{"LMC-INP-1"}, Features: []string{"form:json", "json"},
		Options: suite.Options{Form: "json", Kind: "transcript"}, JSON: suite.ValidJSON, Findings: []suite.Finding{},
	}
	switch {
	case g.Choice != "":
		c.JSON, c.Level = suite.EitherJSON, suite.May
	case g.Reason != "":
		c.JSON = suite.InvalidJSON
	}
	return c
}

// jsonFile is the file of a text of the grammar, from the manifest.
func jsonFile(g jsongrammar.Case) string { return "json/" + g.Name + ".json" }

// compressions are the beginnings of compressed files.
var compressions = map[string]string{"gzip": "\x1f\x8b", "zstd": "\x28\xb5\x2f\xfd"}

// features lists what a checker must know to pass a case.
func features(c *suite.Case, text []byte) []string {
	var list []string
	add := func(isNeeded bool, feature string) {
		if isNeeded {
			list = append(list, feature)
		}
	}
	o := &c.Options
	add(c.Foreign, "foreign")
	add(o.Protocol == "", "detect:protocol")
	if d := c.Detected; d != nil {
		add(true, "protocol:"+d.Protocol)
		add(true, "kind:"+d.Kind)
		add(true, "form:"+d.Form)
		add(d.Dialect != "", "dialect:"+d.Dialect)
		add(o.Kind == "", "detect:kind")
		add(o.Form == "", "detect:form")
		add(o.Dialect == "" && d.Dialect != "", "detect:dialect")
	}
	add(o.AutoRun, "option:auto-run")
	add(o.AllowEmpty, "option:allow-empty")
	add(o.Partial, "option:partial")
	add(o.Against != "", "option:against")
	for name, magic := range compressions {
		add(bytes.HasPrefix(text, []byte(magic)), "compression:"+name)
	}
	add(bytes.HasPrefix(text, []byte("\uFEFF")), "encoding:byte-order-mark")
	slices.Sort(list)
	return list
}

// profileOf returns the profile of a case with its features.
func profileOf(c *suite.Case) suite.Profile {
	folder, _, _ := strings.Cut(c.File, "/")
	has := func(feature string) bool { return slices.Contains(c.Features, feature) }
	isOther := func(group string, own ...string) bool {
		return slices.ContainsFunc(c.Features, func(f string) bool { return strings.HasPrefix(f, group+":") && !slices.Contains(own, f) })
	}
	switch {
	case has("protocol:workbench") || folder == "workbench":
		return suite.Workbench
	case has("kind:session") || has("option:against"):
		return suite.Sessions
	case folder == "forms" || isOther("form", "form:json", "form:jsonl") || isOther("compression") || isOther("encoding"):
		return suite.Forms
	case folder == "detect" || c.Foreign || isOther("dialect", "dialect:interpreter"):
		return suite.Dialects
	}
	return suite.Core
}

// Requirements that a case shows by what its input is.
var (
	ofKind = map[string]string{"transcript": "LMC-TRN-1", "stream": "LMC-STR-1", "session": "LMC-SES-1"}
	// inText are the forms in which records are among other text.
	inText = map[string]bool{"text": true, "har": true}
)

// requirementsOf lists the requirements that a case shows: those that its
// expectation names, those of the rule in its name and of its findings, and those
// that follow from what the input is. It returns an error for a finding of an
// unknown rule.
func requirementsOf(c *suite.Case, e *suite.Expectation) ([]string, error) {
	list := slices.Clone(e.Requirements)
	add := func(isShown bool, requirement string) {
		if isShown && requirement != "" {
			list = append(list, requirement)
		}
	}
	name, _, _ := strings.Cut(path.Base(c.File), "_")
	named := rules.Catalog().Rule(name)
	if named != nil {
		list = append(list, named.Requirements...)
	}
	for _, f := range c.Findings {
		rule := rules.Catalog().Rule(f.Rule)
		if rule == nil {
			return nil, fmt.Errorf("the expectation has a finding of the unknown rule %q", f.Rule)
		}
		list = append(list, rule.Requirements...)
	}
	add(c.Foreign, "LMC-DET-1")
	if d := c.Detected; d != nil {
		isLMC := d.Protocol == "lmc"
		add(named == nil && isLMC, ofKind[d.Kind])
		add(named == nil && !isLMC, "WB-MSG-3")
		add(named == nil && !slices.ContainsFunc(c.Findings, func(f suite.Finding) bool { return f.Level == suite.Must }), "LMC-CHK-1")
		add(inText[d.Form], "LMC-FRM-4")
		if dialect, ok := schema.Lookup(d.Dialect); ok {
			add(isLMC, dialect.Requirement)
		}
		add(isLMC && c.Options.Dialect != "", "LMC-DIA-1")
		add(isLMC && d.Kind == "session" && c.Options.Kind == "", "LMC-DET-2")
	}
	add(slices.ContainsFunc(c.Features, func(f string) bool { return strings.HasPrefix(f, "compression:") }), "LMC-FRM-5")
	slices.Sort(list)
	return slices.Compact(list), nil
}

// WriteManifest writes the manifest, and beside it the texts of the grammar of JSON.
func (a *Author) WriteManifest(ctx context.Context) error {
	m, err := a.Manifest(ctx)
	if err != nil {
		return err
	}
	text, err := plainjson.MarshalIndent(m)
	if err != nil {
		return err
	}
	if _, err := suite.Read(bytes.NewReader(text)); err != nil {
		return err
	}
	if err := a.writeGrammar(); err != nil {
		return fmt.Errorf("write the grammar of JSON: %w", err)
	}
	return os.WriteFile(a.Path(suite.ManifestName), text, 0o644)
}

// writeGrammar writes a file for each text of the grammar, and no others.
func (a *Author) writeGrammar() error {
	if err := os.RemoveAll(a.Path("json")); err != nil {
		return err
	}
	if err := os.Mkdir(a.Path("json"), 0o755); err != nil {
		return err
	}
	for _, c := range jsongrammar.Cases() {
		if err := os.WriteFile(a.Path(jsonFile(c)), []byte(c.Text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// CheckName returns an error if the findings of a case contradict the name of its
// input: a case in ok has none, one in bad has some or is foreign, and a rule at
// the beginning of a name in bad is among them.
func CheckName(input string, e *suite.Expectation) error {
	name, _, _ := strings.Cut(path.Base(input), "_")
	rule := rules.Catalog().Rule(name)
	isOf := func(f suite.Finding) bool { return rule == nil || f.Rule == rule.ID }
	switch folder := path.Base(path.Dir(input)); {
	case folder == "ok" && (len(e.Findings) > 0 || e.Foreign):
		return fmt.Errorf("%s is in a folder of inputs without findings, but has some: change it, or move it to bad", input)
	case folder == "bad" && len(e.Findings) == 0 && !e.Foreign:
		return fmt.Errorf("%s is in a folder of inputs with findings, but has none", input)
	case folder == "bad" && rule != nil && !slices.ContainsFunc(e.Findings, isOf):
		return fmt.Errorf("%s is named for %s, but has no such finding: change it, or its name", input, rule.ID)
	}
	return nil
}
