package rules_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/lint"
)

const constructed = suiteRoot + "/workbench/constructed/"

// A mistake is one finding, or two where what is wrong is also missing elsewhere. The
// table has what is found of each mistake in each field of valid messages and of each
// table of a valid export: read its difference, and see whether it is what an import,
// or the app, makes of it.
func TestGeneratedWorkbenchMistakes(t *testing.T) {
	var out strings.Builder
	for _, file := range []string{"messages.jsonl", "export_workbench.jsonl"} {
		data, err := os.ReadFile(constructed + file)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		seen := map[string]bool{}
		for i, line := range lines {
			record, name, format := recordOfLine(t, line)
			shape := fmt.Sprint(name, slices.Sorted(maps.Keys(record)))
			if seen[shape] {
				continue
			}
			seen[shape] = true
			fmt.Fprintf(&out, "%s, line %d of %s\n\tthe line:", name, i+1, file)
			for _, how := range lineMistakes {
				fmt.Fprintf(&out, " %s %s;", how.name, rulesIn(t, how.change(lines, i)))
			}
			out.WriteString("\n")
			for _, key := range slices.Sorted(maps.Keys(record)) {
				fmt.Fprintf(&out, "\t%s:", key)
				for _, how := range fieldMistakes {
					if changed := how.change(key, record); changed != "" {
						fmt.Fprintf(&out, " %s %s;", how.name, rulesIn(t, with(lines, i, fmt.Sprintf(format, changed))))
					}
				}
				out.WriteString("\n")
			}
		}
	}
	generated.File(t, "testdata/workbench_mistakes.txt", []byte(out.String()))
}

// recordOfLine returns the fields of a message or of a line of an export, what it is,
// and the format of its line.
func recordOfLine(t *testing.T, line string) (record map[string]json.RawMessage, name, format string) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(line), &record))
	table, data := string(record["type"]), record["data"]
	if table == "" {
		return record, "message", "%s"
	}
	record = nil
	require.NoError(t, json.Unmarshal(data, &record))
	return record, table, `{"type": ` + table + `, "data": %s}`
}

// lineMistakes are mistakes of a whole line.
var lineMistakes = []struct {
	name   string
	change func(lines []string, i int) []string
}{
	{"missing", func(lines []string, i int) []string { return slices.Delete(slices.Clone(lines), i, i+1) }},
	{"twice", func(lines []string, i int) []string { return slices.Insert(slices.Clone(lines), i, lines[i]) }},
	{"half", func(lines []string, i int) []string { return with(lines, i, lines[i][:len(lines[i])/2]) }},
	{"another object", func(lines []string, i int) []string { return with(lines, i, `{"level": "info"}`) }},
	{"after the next", func(lines []string, i int) []string {
		if i+1 == len(lines) {
			return lines
		}
		return with(with(lines, i, lines[i+1]), i+1, lines[i])
	}},
	{"another type", func(lines []string, i int) []string {
		return with(lines, i, strings.Replace(lines[i], `"type":"`, `"type":"Old`, 1))
	}},
	{"no type", func(lines []string, i int) []string {
		return with(lines, i, strings.Replace(lines[i], `"type":"`, `"typ":"`, 1))
	}},
	{"no data", func(lines []string, i int) []string {
		return with(lines, i, strings.Replace(lines[i], `"data":{`, `"daten":{`, 1))
	}},
	{"data of text", func(lines []string, i int) []string {
		return with(lines, i, strings.Replace(lines[i], `"data":{`, `"data":"x","more":{`, 1))
	}},
}

// fieldMistakes write a record with a mistake in one field, or nothing if the value
// would stay as it is.
var fieldMistakes = []struct {
	name   string
	change func(key string, record map[string]json.RawMessage) string
}{
	{"missing", func(key string, r map[string]json.RawMessage) string { return recordWith(r, key, "", "") }},
	{"misspelled", func(key string, r map[string]json.RawMessage) string {
		return recordWith(r, key, key[:1]+key, string(r[key]))
	}},
	{"twice", func(key string, r map[string]json.RawMessage) string {
		return recordWith(r, key, key, fmt.Sprintf("%s, %q: %s", r[key], key, r[key]))
	}},
	{"null", replacedBy("null")},
	{"5.5", replacedBy("5.5")},
	{"true", replacedBy("true")},
	{"text", replacedBy(`"no such value"`)},
	{"list", replacedBy("[]")},
	{"object", replacedBy("{}")},
	{"another id", func(key string, r map[string]json.RawMessage) string {
		if !strings.HasSuffix(key, "_id") {
			return ""
		}
		return recordWith(r, key, key, `"00000000-0000-4000-8000-00000000beef"`)
	}},
}

func replacedBy(value string) func(string, map[string]json.RawMessage) string {
	return func(key string, r map[string]json.RawMessage) string {
		if string(r[key]) == value {
			return ""
		}
		return recordWith(r, key, key, value)
	}
}

// recordWith writes a record with another field instead of one.
func recordWith(record map[string]json.RawMessage, key, instead, value string) string {
	var members []string
	for _, name := range slices.Sorted(maps.Keys(record)) {
		switch {
		case name != key:
			members = append(members, fmt.Sprintf("%q: %s", name, record[name]))
		case instead != "":
			members = append(members, fmt.Sprintf("%q: %s", instead, value))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// with is the lines with one of them in another way.
func with(lines []string, i int, line string) []string {
	changed := slices.Clone(lines)
	changed[i] = line
	return changed
}

// rulesIn returns the rules that find something in lines above a note, in the order
// of their places, or the first note.
func rulesIn(t *testing.T, lines []string) string {
	t.Helper()
	var found, notes []string
	for _, f := range lintBytes(t, []byte(strings.Join(lines, "\n")+"\n"), lint.Config{}) {
		word := fmt.Sprintf("%s %s", f.Rule.ID, f.Severity)
		if f.Severity == lint.SeverityNote {
			notes = append(notes, word)
			continue
		}
		found = append(found, word)
	}
	found = append(found, notes[:min(len(notes), 1)]...)
	if len(found) == 0 {
		return "-"
	}
	return strings.Join(found, ", ")
}
