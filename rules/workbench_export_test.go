package rules_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// exportLine is a line of an export.
type exportLine struct {
	Type string         `json:"type"`
	Data map[string]any `json:"data"`
}

// exportLines returns the lines of a valid export, which has every table.
func exportLines(t *testing.T) (lines []exportLine) {
	t.Helper()
	text, err := os.ReadFile(suiteRoot + "/workbench/constructed/export_workbench.jsonl")
	require.NoError(t, err)
	for line := range bytes.Lines(text) {
		var l exportLine
		require.NoError(t, json.Unmarshal(line, &l))
		lines = append(lines, l)
	}
	return lines
}

// withChange returns the lines as text, with the data of one of them changed.
func withChange(t *testing.T, lines []exportLine, i int, change func(data map[string]any)) string {
	t.Helper()
	var b strings.Builder
	for n, line := range lines {
		if n == i {
			data := map[string]any{}
			for key, value := range line.Data {
				data[key] = value
			}
			change(data)
			line.Data = data
		}
		text, err := json.Marshal(line)
		require.NoError(t, err)
		b.Write(append(text, '\n'))
	}
	return b.String()
}

// worst returns the highest severity of the findings on a line of an input, and
// the rules of these findings.
func worst(t *testing.T, l *lint.Linter, input string, line int) (severity lint.Severity, ids []string) {
	t.Helper()
	for f, err := range l.Lint(t.Context(), "export", strings.NewReader(input)) {
		require.NoError(t, err)
		if f.Place.Span.Start.Line == line {
			severity = max(severity, f.Severity)
			ids = append(ids, f.Rule.ID)
		}
	}
	return severity, ids
}

// defaulted lists the columns for which an import has a default, so that it loses
// little without them.
var defaulted = []string{
	"created_datetime", "meta_data", "image", "service_user", "joined_datetime", "status", "status_updated_datetime",
	"active_participant", "data", "sequence", "filenames",
}

// The service refuses an import of each of these.
func TestEveryColumnOfAnExportIsChecked(t *testing.T) {
	lines, l := exportLines(t), linttest.MustNew(rules.All())
	seen := map[string]bool{}
	for i, line := range lines {
		if seen[line.Type] {
			continue
		}
		seen[line.Type] = true
		for column := range line.Data {
			missing := withChange(t, lines, i, func(data map[string]any) { delete(data, column) })
			severity, ids := worst(t, l, missing, i+1)
			switch isMessage := line.Type == "ConversationMessage"; {
			case slices.Contains(defaulted, column) && (!isMessage || column != "created_datetime"), column == "name" && line.Type != "Assistant":
				assert.LessOrEqual(t, severity, lint.SeverityWarning, "%s without %s: %v", line.Type, column, ids)
			default:
				assert.Equal(t, lint.SeverityError, severity, "%s without %s: %v", line.Type, column, ids)
			}
			for _, value := range []any{5.5, true, "no such value", []any{}, map[string]any{}, nil} {
				if !isWrong(column, value, line.Data[column]) {
					continue
				}
				wrong := withChange(t, lines, i, func(data map[string]any) { data[column] = value })
				severity, ids := worst(t, l, wrong, i+1)
				assert.Equal(t, lint.SeverityError, severity, "%s with %s %v: %v", line.Type, column, value, ids)
			}
		}
	}
	assert.Len(t, seen, 8, "every table")
}

// isWrong reports whether an import refuses a value of a column that has a valid
// one. It converts booleans to numbers, and ignores the sequence.
func isWrong(column string, value, valid any) bool {
	if column == "sequence" {
		return false
	}
	optional := []string{"image", "status", "imported_from_assistant_id", "imported_from_conversation_id"}
	switch value := value.(type) {
	case nil:
		return !slices.Contains(optional, column)
	case string:
		if strings.HasSuffix(column, "_id") && !slices.Contains([]string{"owner_id", "user_id", "assistant_service_id", "template_id", "sender_participant_id", "participant_id"}, column) {
			return true
		}
		_, isText := valid.(string)
		return !isText && !slices.Contains([]string{"image", "status"}, column) || strings.HasSuffix(column, "_datetime")
	case float64:
		return !strings.HasSuffix(column, "_datetime")
	case bool:
		_, isBool := valid.(bool)
		_, isNumber := valid.(float64)
		return !isBool && !isNumber && value
	case []any:
		return column != "filenames"
	default:
		return column != "meta_data" && column != "data"
	}
}

// An import refuses what refers to nothing.
func TestEveryReferenceOfAnExportIsChecked(t *testing.T) {
	lines, l := exportLines(t), linttest.MustNew(rules.All())
	const unknown = "00000000-0000-4000-8000-00000000beef"
	for table, column := range map[string]string{
		"ConversationMessage": "conversation_id", "ConversationMessageDebug": "message_id", "UserParticipant": "conversation_id",
		"AssistantParticipant": "conversation_id", "File": "conversation_id", "FileVersion": "file_id",
	} {
		i := slices.IndexFunc(lines, func(line exportLine) bool { return line.Type == table })
		input := withChange(t, lines, i, func(data map[string]any) { data[column] = unknown })
		severity, ids := worst(t, l, input, i+1)
		assert.Equal(t, lint.SeverityError, severity, "%s: %v", table, ids)
		assert.Equal(t, []string{"WB302"}, ids, table)
		for n := range lines {
			if n != i && table != "File" {
				severity, ids := worst(t, l, input, n+1)
				assert.Less(t, severity, lint.SeverityWarning, "line %d, of an unknown %s in %s: %v", n+1, column, table, ids)
			}
		}
	}
	for table, role := range map[string]string{"ConversationMessage": "sender_participant", "FileVersion": "participant"} {
		i := slices.IndexFunc(lines, func(line exportLine) bool { return line.Type == table })
		input := withChange(t, lines, i, func(data map[string]any) { data[role+"_role"], data[role+"_id"] = "assistant", "helper" })
		severity, ids := worst(t, l, input, i+1)
		assert.Equal(t, lint.SeverityError, severity, "%s: %v", table, ids)
	}
	i := slices.IndexFunc(lines, func(line exportLine) bool { return line.Type == "AssistantParticipant" })
	input := withChange(t, lines, i, func(data map[string]any) { data["assistant_id"] = unknown })
	severity, ids := worst(t, l, input, i+1)
	assert.Equal(t, lint.SeverityNote, severity, "an export of one assistant has the others as participants: %v", ids)
}

// An import refuses a line with the key of an earlier one. Messages, files and
// conversations get new ids.
func TestEveryKeyOfAnExportIsUnique(t *testing.T) {
	lines, l := exportLines(t), linttest.MustNew(rules.All())
	for _, line := range lines {
		severity, ids := worst(t, l, withChange(t, append(slices.Clone(lines), line), -1, nil), len(lines)+1)
		switch line.Type {
		case "Assistant", "Conversation":
			assert.Zero(t, severity, line.Type)
		default:
			assert.Equal(t, []string{"WB009"}, ids, line.Type)
			assert.Equal(t, lint.SeverityError, severity, line.Type)
		}
	}
}

// Without a line, what refers to it is wrong.
func TestEveryReferencedLineOfAnExportIsNeeded(t *testing.T) {
	lines, l := exportLines(t), linttest.MustNew(rules.All())
	for _, table := range []string{"Conversation", "File"} {
		i := slices.IndexFunc(lines, func(line exportLine) bool { return line.Type == table })
		input := withChange(t, slices.Delete(slices.Clone(lines), i, i+1), -1, nil)
		errors := 0
		for f, err := range l.Lint(t.Context(), "export", strings.NewReader(input)) {
			require.NoError(t, err)
			if f.Severity == lint.SeverityError {
				errors++
				assert.Equal(t, "WB302", f.Rule.ID)
			}
		}
		assert.Equal(t, 1, errors, table)
	}
}
