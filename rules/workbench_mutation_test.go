package rules_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
)

const constructed = suiteRoot + "/workbench/constructed/"

func constructedLines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(constructed + file)
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// onlyFinding lints lines that have one mistake, which must give one finding.
func onlyFinding(t *testing.T, lines []string) string {
	t.Helper()
	var found []string
	for _, f := range lintBytes(t, []byte(strings.Join(lines, "\n")+"\n"), lint.Config{}) {
		found = append(found, f.Rule.ID)
	}
	if len(found) != 1 {
		return fmt.Sprint(found)
	}
	return found[0]
}

// with is the lines with one of them in another way.
func with(lines []string, i int, line string) []string {
	changed := append([]string{}, lines...)
	changed[i] = line
	return changed
}

// Each field of a message missing, of a wrong type, null, misspelled and given
// twice is one finding, at the message's own fields.
func TestOneMistakeInAMessage(t *testing.T) {
	lines := constructedLines(t, "messages.jsonl")
	for i := range lines {
		var fields map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &fields))
		for key, value := range fields {
			for how, change := range map[string]struct {
				old, with, want string
			}{
				"wrong type": {string(value), wrongValue(value), "WB004"},
				"null":       {string(value), "null", "WB004"},
				"twice":      {string(value), string(value) + `, "` + key + `": ` + string(value), "LMC003"},
				"misspelled": {"", "", "WB003"},
				"missing":    {"", "", "WB003"},
			} {
				var line string
				at := regexp.MustCompile(`"` + key + `": ?`).FindStringIndex(lines[i])
				require.NotNil(t, at, "%s in line %d", key, i+1)
				switch how {
				case "misspelled":
					line = lines[i][:at[0]] + `"` + key[:1] + key + lines[i][at[0]+1+len(key):]
				case "missing":
					line = without(t, fields, key)
				default:
					line = lines[i][:at[1]] + strings.Replace(lines[i][at[1]:], change.old, change.with, 1)
				}
				want := change.want
				switch {
				case key == "timestamp" && how == "wrong type":
					want = "WB007" // a number can be read
				case key == "message_type" && how == "missing":
					continue // a chat
				}
				assert.Equal(t, want, onlyFinding(t, with(lines, i, line)), "%s of line %d: %s", key, i+1, how)
			}
		}
	}
}

// without is a message without one of its fields.
func without(t *testing.T, fields map[string]json.RawMessage, key string) string {
	t.Helper()
	rest := map[string]json.RawMessage{}
	for k, v := range fields {
		if k != key {
			rest[k] = v
		}
	}
	line, err := json.Marshal(rest)
	require.NoError(t, err)
	return string(line)
}

// wrongValue is a value of another type.
func wrongValue(value []byte) string {
	if bytes.HasPrefix(value, []byte{'"'}) {
		return "5"
	}
	return `"x"`
}

// A message that comes twice, two that change places, and a line that is lost,
// cut or of another program are one finding.
func TestOneMistakeInAList(t *testing.T) {
	lines := constructedLines(t, "messages.jsonl")
	together := []int{1, 6, 9, 11} // less than a second after the line before
	for i := range lines {
		twice := append(append(append([]string{}, lines[:i+1]...), lines[i]), lines[i+1:]...)
		assert.Equal(t, "WB009", onlyFinding(t, twice), "line %d twice", i+1)
		assert.Contains(t, "LMC001 LMC005", onlyFinding(t, with(lines, i, lines[i][:len(lines[i])/2])), "half of line %d", i+1)
		assert.Equal(t, "WB011", onlyFinding(t, with(lines, i, `{"level": "info"}`)), "instead of line %d", i+1)
		if i > 0 && !slices.Contains(together, i) {
			assert.Equal(t, "WB010", onlyFinding(t, with(with(lines, i, lines[i-1]), i-1, lines[i])), "lines %d and %d", i, i+1)
		}
	}
}

// The lines of an export that break an import are one finding each, and nothing
// is said of what depends on them.
func TestOneMistakeInAnExport(t *testing.T) {
	lines := constructedLines(t, "export_workbench.jsonl")
	for i, line := range lines {
		for how, change := range map[string]struct{ old, with, want string }{
			"unknown table": {`"type":"`, `"type":"Old`, "WB301"},
			"no type":       {`"type":"`, `"typ":"`, "WB301"},
			"no data":       {`"data":{`, `"daten":{`, "WB301"},
			"data of text":  {`"data":{`, `"data":"x","more":{`, "WB301"},
		} {
			assert.Equal(t, change.want, onlyFinding(t, with(lines, i, strings.Replace(line, change.old, change.with, 1))), "line %d: %s", i+1, how)
		}
		if strings.Contains(line, `"ConversationMessage"`) {
			assert.Equal(t, "WB301", onlyFinding(t, with(lines, i, strings.Replace(line, `"message_id"`, `"id"`, 1))), "line %d", i+1)
			assert.Equal(t, "WB004", onlyFinding(t, with(lines, i, strings.Replace(line, `"filenames":[`, `"filenames":null,"x":[`, 1))), "line %d", i+1)
		}
	}
}
