package rules_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/internal/verify/suite/author"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

const suiteRoot = "../testdata"

// suiteAuthor checks the cases of the suite, each once for all tests.
var suiteAuthor = author.New("..")

// Where cases without a finding are, and those with one.
const (
	allOK  = "*/ok"
	allBad = "*/bad"
)

// caseFolders are all folders with cases that have an expectation.
var caseFolders = []string{
	"core", "forms", "detect", "recorded",
	"workbench/ok", "workbench/bad", "workbench/constructed", "workbench/streams",
}

// cases lists the inputs of the folders of the suite that match a pattern.
func cases(t *testing.T, pattern string) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(suiteRoot, filepath.FromSlash(pattern)))
	require.NoError(t, err)
	var inputs []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasSuffix(path, suite.ExpectationExt) && !strings.HasSuffix(path, suite.AgainstExt) && !strings.HasSuffix(path, ".md") {
				inputs = append(inputs, path)
			}
			return err
		})
		require.NoError(t, err)
	}
	require.NotEmpty(t, inputs, pattern)
	return inputs
}

// fileOf names an input from the manifest.
func fileOf(input string) string { return strings.TrimPrefix(filepath.ToSlash(input), suiteRoot+"/") }

func readExpectation(t *testing.T, input string) *suite.Expectation {
	t.Helper()
	e, err := suiteAuthor.Expectation(fileOf(input))
	if errors.Is(err, fs.ErrNotExist) && generated.Updating() {
		return &suite.Expectation{Findings: []suite.Finding{}}
	}
	require.NoError(t, err, "a case needs an expectation beside it")
	return e
}

// judge lints an input as its expectation says. The findings are sorted.
func judge(t *testing.T, input string, o suite.Options) (findings []suite.Finding, foreign bool) {
	t.Helper()
	v, err := suiteAuthor.Judge(t.Context(), fileOf(input), o)
	require.NoError(t, err)
	return slices.Clone(v.Findings), v.Foreign
}

// Every case gives exactly the findings in the file beside it.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, folder := range caseFolders {
		t.Run(folder, func(t *testing.T) {
			for _, input := range cases(t, folder) {
				t.Run(strings.TrimPrefix(input, filepath.Join(suiteRoot, folder)+"/"), func(t *testing.T) { conforms(t, input) })
			}
		})
	}
	if generated.Updating() {
		require.NoError(t, suiteAuthor.WriteManifest(t.Context()))
	}
}

func conforms(t *testing.T, input string) {
	want := readExpectation(t, input)
	got, foreign := judge(t, input, want.Options)
	if generated.Updating() {
		want.Findings, want.Foreign = got, foreign
		require.NoError(t, suiteAuthor.WriteExpectation(fileOf(input), want))
	}
	assert.Equal(t, want.Findings, got, "if this is right: go test ./rules -run TestConformance -update, and read the difference")
	assert.Equal(t, want.Foreign, foreign, "if this is right: go test ./rules -run TestConformance -update, and read the difference")
	assert.NoError(t, author.CheckName(fileOf(input), want))
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
	input := filepath.Join(suiteRoot, divisionOf(r), folder, strings.ToLower(r.ID)+"_example.jsonl")
	generated.File(t, input, []byte(e.Text()))
	if _, err := os.Stat(input); err != nil {
		return // reported by generated.File
	}
	want := suite.Expectation{Note: e.Name, Options: suite.Options{
		Protocol: e.Protocol, Dialect: e.Dialect, Kind: e.Kind, AutoRun: e.AutoRun, Partial: e.Partial,
	}}
	want.Findings, want.Foreign = judge(t, input, want.Options)
	text, err := plainjson.MarshalIndent(want)
	require.NoError(t, err)
	generated.File(t, input+suite.ExpectationExt, text)
}

// Every rule is found in a case of its own in bad, and silent in one in ok.
func TestConformanceCoversEveryRule(t *testing.T) {
	named := map[string]bool{}
	for folder, pattern := range map[string]string{"ok": allOK, "bad": allBad} {
		for _, input := range cases(t, pattern) {
			id, _, _ := strings.Cut(filepath.Base(input), "_")
			named[folder+" "+strings.ToUpper(id)] = true
		}
	}
	for _, r := range rules.All() {
		assert.True(t, named["ok "+r.ID], "no …/ok/%s_… case: go generate ./... makes one of the first good example", strings.ToLower(r.ID))
		assert.True(t, named["bad "+r.ID], "no …/bad/%s_… case: go generate ./... makes one of the first bad example", strings.ToLower(r.ID))
	}
}
