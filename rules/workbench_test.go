package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/lint"
)

const workbenchCases = suiteRoot + "/workbench/cases/"

// workbenchCase is a message or a list with the rule that it breaks: "WB101", or
// with a severity, "WB107-info" and "WB107 warn"; "-" for none.
type workbenchCase struct {
	Case    string
	Expect  string
	Accepts string `json:"pydantic_ConversationMessage"`
	Message json.RawMessage
	Body    json.RawMessage
}

func readCases(t *testing.T, file string) (list []workbenchCase) {
	t.Helper()
	data, err := os.ReadFile(workbenchCases + file)
	require.NoError(t, err)
	for line := range bytes.Lines(data) {
		var c workbenchCase
		require.NoError(t, json.Unmarshal(line, &c))
		list = append(list, c)
	}
	require.NotEmpty(t, list)
	return list
}

func (c workbenchCase) input() []byte {
	if c.Message != nil {
		return c.Message
	}
	return c.Body
}

// Each case gives the finding that it names, and no other.
func TestWorkbenchCases(t *testing.T) {
	for _, file := range []string{"message_cases.jsonl", "sequence_cases.jsonl"} {
		for _, c := range readCases(t, file) {
			t.Run(c.Case, func(t *testing.T) {
				var got []string
				for _, f := range lintBytes(t, c.input(), lint.Config{}) {
					got = append(got, f.Rule.ID)
					if strings.Contains(c.Expect, "info") {
						assert.Equal(t, lint.SeverityNote, f.Severity)
					} else {
						assert.GreaterOrEqual(t, f.Severity, lint.SeverityWarning)
					}
				}
				if c.Expect == "-" {
					assert.Empty(t, got)
					return
				}
				assert.Equal(t, []string{c.Expect[:len("WB000")]}, got)
			})
		}
	}
}

// lintBytes lints an input that is of Semantic Workbench.
func lintBytes(t *testing.T, input []byte, config lint.Config) (found []lint.Finding) {
	t.Helper()
	linter := linterFor(config)
	result, err := linter.Run(context.Background(), "input", bytes.NewReader(input), func(f lint.Finding) error {
		found = append(found, f)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, "workbench", result.Protocol)
	return found
}

// No input of one protocol is taken for one of the other: those of the suite
// are read as what they are, whatever is wrong with them.
func TestProtocolIsDetected(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	err := filepath.WalkDir(suiteRoot, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, suite.ExpectationExt) || strings.Contains(path, "/json/") || d.Name() == suite.ManifestName {
			return err
		}
		var want string
		switch ext := filepath.Ext(path); {
		case ext == ".md", ext == ".zip", strings.HasSuffix(path, "LICENSE"), strings.Contains(path, "/cases/"):
			return nil
		case strings.Contains(path, "/workbench/"), strings.HasPrefix(d.Name(), "wb"):
			want = protocol.Workbench{}.Name()
		default:
			want = protocol.LMC{}.Name()
		}
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		result, err := linterFor(lint.Config{}).Run(context.Background(), path, bytes.NewReader(data), func(lint.Finding) error { return nil })
		if errors.As(err, new(*lint.UnknownInputError)) {
			assert.NotEqual(t, want, protocol.Workbench{}.Name(), "%s is taken for nothing", path)
			return nil
		}
		count[result.Protocol]++
		assert.Equal(t, want, result.Protocol, path)
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, count["lmc"], 100)
	assert.Greater(t, count["workbench"], 80)
}
