package rules_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/suite"
	"github.com/lmclint/lmclint/lint"
)

// Messages of the page on message types give the same findings in lines, in a list
// and in an envelope, however they are laid out.
func TestFormsOfPageMessages(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(suiteRoot + "/workbench/*/*page_*.jsonl")
	require.NoError(t, err)
	require.Greater(t, len(paths), 6)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			expectation, err := os.ReadFile(path + suite.ExpectationExt)
			require.NoError(t, err)
			var want struct{ Findings []suite.Finding }
			require.NoError(t, json.Unmarshal(expectation, &want))
			var expected []string
			for _, f := range want.Findings {
				expected = append(expected, fmt.Sprintf("%s %s %d", f.Rule, f.Severity, *f.Record))
			}
			list := "[" + strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", ", ") + "]"
			var wide bytes.Buffer
			require.NoError(t, json.Indent(&wide, []byte(list), "", "  "))
			for form, input := range map[string]string{
				"lines": string(text), "list": list, "wide list": wide.String(),
				"envelope": `{"messages": ` + list + `}`, "wide envelope": `{"messages": ` + wide.String() + "}\n",
				"line with an envelope": `{"messages": ` + list + "}\n",
			} {
				var found []string
				for _, f := range lintBytes(t, []byte(input), lint.Config{}) {
					found = append(found, fmt.Sprintf("%s %s %d", f.Rule.ID, f.Severity, f.Place.Record))
				}
				assert.Equal(t, expected, found, form)
			}
		})
	}
}
