package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/generated"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// update rewrites what the cases expect. Read the difference before you commit it.
var update = flag.Bool("update", false, "rewrite the expected findings of the conformance suite")

const (
	suite          = "../testdata"
	expectationExt = ".expect.json"
	againstExt     = ".against.json"
)

// expectation is what a case of the conformance suite must give; testdata/README.md
// describes the form for other languages.
type expectation struct {
	Note     string        `json:"note,omitempty"`
	Options  options       `json:"options"`
	Findings []expectFound `json:"findings"`
	Foreign  bool          `json:"foreign,omitempty"`
}

type options struct {
	Protocol   string `json:"protocol,omitempty"`
	Dialect    string `json:"dialect,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Form       string `json:"form,omitempty"`
	AutoRun    bool   `json:"autoRun,omitempty"`
	AllowEmpty bool   `json:"allowEmpty,omitempty"`
	Partial    bool   `json:"partial,omitempty"`
	Against    string `json:"against,omitempty"`
}

type expectFound struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Record   *int   `json:"record,omitempty"`
	Pointer  string `json:"pointer,omitempty"`
	Path     string `json:"path,omitempty"`
}

// Where cases without a finding are, and those with one.
const (
	allOK  = "*/ok"
	allBad = "*/bad"
)

// caseFolders are all folders with cases that have an expectation.
var caseFolders = []string{
	"core", "forms", "detect", "recorded",
	"workbench/ok", "workbench/bad", "workbench/constructed", "workbench/derived", "workbench/real", "workbench/streams",
}

// cases lists the inputs of the folders of the suite that match a pattern.
func cases(t *testing.T, pattern string) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(suite, filepath.FromSlash(pattern)))
	require.NoError(t, err)
	var inputs []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasSuffix(path, expectationExt) && !strings.HasSuffix(path, againstExt) && !strings.HasSuffix(path, ".md") {
				inputs = append(inputs, path)
			}
			return err
		})
		require.NoError(t, err)
	}
	require.NotEmpty(t, inputs, pattern)
	return inputs
}

func readExpectation(t *testing.T, input string) expectation {
	t.Helper()
	data, err := os.ReadFile(input + expectationExt)
	if os.IsNotExist(err) && *update {
		return expectation{}
	}
	require.NoError(t, err, "a case needs an expectation beside it")
	var e expectation
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&e), input)
	return e
}

// judge lints an input as its expectation says.
func judge(t *testing.T, input string, o options) (findings []expectFound, foreign bool) {
	t.Helper()
	file, err := os.Open(input)
	require.NoError(t, err)
	defer func() { assert.NoError(t, file.Close()) }()
	config := lint.Config{Protocol: o.Protocol, Partial: o.Partial, Dialect: o.Dialect, Kind: o.Kind, AutoRun: o.AutoRun, AllowEmpty: o.AllowEmpty, Form: o.Form}
	if o.Against != "" {
		config.Against = conversationIn(t, filepath.Join(filepath.Dir(input), o.Against))
	}
	linter := linterFor(config)
	findings = []expectFound{}
	for f, err := range linter.Lint(context.Background(), input, file) {
		if unknown := new(lint.UnknownInputError); errors.As(err, &unknown) {
			return findings, true
		}
		require.NoError(t, err)
		findings = append(findings, toExpect(f, input))
	}
	return findings, false
}

// conversationIn reads a conversation to compare with.
func conversationIn(t *testing.T, path string) *agreement.Conversation {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, file.Close()) }()
	conversation, err := protocol.ReadConversation(filepath.Base(path), file, source.Options{})
	require.NoError(t, err)
	return conversation
}

func toExpect(f lint.Finding, input string) expectFound {
	start := f.Place.Span.Start
	e := expectFound{Rule: f.Rule.ID, Severity: f.Severity.String(), Line: start.Line, Column: start.Column, Pointer: f.Place.Pointer}
	if f.Place.Record >= 0 {
		e.Record = &f.Place.Record
	}
	if f.Path != input {
		e.Path = f.Path
	}
	return e
}

func encodeExpectation(t *testing.T, e expectation) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(e))
	return out.Bytes()
}

// Every case gives exactly the findings that stand beside it.
func TestConformance(t *testing.T) {
	for _, folder := range caseFolders {
		t.Run(folder, func(t *testing.T) {
			for _, input := range cases(t, folder) {
				t.Run(strings.TrimPrefix(input, filepath.Join(suite, folder)+"/"), func(t *testing.T) { conforms(t, input) })
			}
		})
	}
}

func conforms(t *testing.T, input string) {
	want := readExpectation(t, input)
	got, foreign := judge(t, input, want.Options)
	if *update {
		want.Findings, want.Foreign = got, foreign
		require.NoError(t, os.WriteFile(input+expectationExt, encodeExpectation(t, want), 0o644))
	}
	assert.Equal(t, want.Findings, got)
	assert.Equal(t, want.Foreign, foreign)
}

// A case in ok is clean, and a case in bad is not.
func TestConformanceFolders(t *testing.T) {
	for _, input := range cases(t, allOK) {
		assert.Empty(t, readExpectation(t, input).Findings, input)
	}
	for _, input := range cases(t, allBad) {
		e := readExpectation(t, input)
		assert.True(t, len(e.Findings) > 0 || e.Foreign, input)
	}
}

// A new rule without a case gets its first examples as cases.
func TestGeneratedCases(t *testing.T) {
	named := map[string]bool{}
	for folder, pattern := range map[string]string{"ok": allOK, "bad": allBad} {
		for _, input := range cases(t, pattern) {
			id, _, _ := strings.Cut(filepath.Base(input), "_")
			named[folder+" "+strings.ToUpper(id)] = true
		}
	}
	for _, r := range rules.All() {
		for folder, examples := range map[string][]lint.Example{"ok": r.Good, "bad": r.Bad} {
			if !named[folder+" "+r.ID] && len(examples) > 0 {
				generateCase(t, folder, r, examples[0])
			}
		}
	}
}

// divisionOf is the folder of the cases of a rule.
func divisionOf(r *lint.Rule) string {
	switch {
	case r.ProtocolName() == "workbench":
		return "workbench"
	case r.Protocol == nil:
		return "forms"
	}
	return "core"
}

func generateCase(t *testing.T, folder string, r *lint.Rule, e lint.Example) {
	t.Helper()
	require.True(t, e.MaxRecordBytes == 0 && e.MaxDepth == 0 && e.Against == "",
		"%s: the first example needs options that a case cannot have; write a case in testdata/%s/%s", r.ID, divisionOf(r), folder)
	input := filepath.Join(suite, divisionOf(r), folder, strings.ToLower(r.ID)+"_example.jsonl")
	generated.File(t, input, []byte(e.Text()))
	if _, err := os.Stat(input); err != nil {
		return // reported by generated.File
	}
	want := expectation{Note: e.Name, Options: options{
		Protocol: e.Protocol, Dialect: e.Dialect, Kind: e.Kind, AutoRun: e.AutoRun, Partial: e.Partial,
	}}
	want.Findings, want.Foreign = judge(t, input, want.Options)
	generated.File(t, input+expectationExt, encodeExpectation(t, want))
}

// Every rule is found in a case of its own in bad, and silent in one in ok.
func TestConformanceCoversEveryRule(t *testing.T) {
	named := map[string]bool{}
	for folder, pattern := range map[string]string{"ok": allOK, "bad": allBad} {
		for _, input := range cases(t, pattern) {
			id, _, _ := strings.Cut(filepath.Base(input), "_")
			named[folder+" "+strings.ToUpper(id)] = true
			if folder == "bad" && (strings.HasPrefix(id, "lmc") || strings.HasPrefix(id, "wb")) {
				assert.True(t, finds(readExpectation(t, input), strings.ToUpper(id)), "%s does not show its rule", input)
			}
		}
	}
	for _, r := range rules.All() {
		assert.True(t, named["ok "+r.ID], "no …/ok/%s_… case", strings.ToLower(r.ID))
		assert.True(t, named["bad "+r.ID], "no …/bad/%s_… case", strings.ToLower(r.ID))
	}
}

func finds(e expectation, id string) bool {
	for _, f := range e.Findings {
		if f.Rule == id {
			return true
		}
	}
	return false
}
