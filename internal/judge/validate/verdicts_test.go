package validate_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// verdictsFile has records, each followed by its violations, indented, under a
// dialect and what they are records of.
const verdictsFile = "testdata/verdicts.txt"

// verdict is a record in a dialect, and what is wrong with it.
type verdict struct {
	dialect, part string
	record        string
	violations    string
}

func verdicts(t testing.TB) (list []verdict) {
	t.Helper()
	text, err := os.ReadFile(verdictsFile)
	require.NoError(t, err)
	var dialect, part string
	for line := range strings.Lines(string(text)) {
		switch line[0] {
		case '\t':
			list[len(list)-1].violations += line
		case '{':
			list = append(list, verdict{dialect, part, strings.TrimSuffix(line, "\n"), ""})
		default:
			_, err := fmt.Sscan(line, &dialect, &part)
			require.NoError(t, err)
		}
	}
	return list
}

// Each record has the violations that the file lists. Read the difference before you
// commit it.
func TestVerdicts(t *testing.T) {
	var out, section, all string
	validators := map[string]*validate.Validator{}
	for _, v := range verdicts(t) {
		violations := violationsOf(t, validators, v)
		if head := v.dialect + " " + v.part + "\n"; head != section {
			section = head
			out += head
		}
		got := ""
		for i := range violations {
			got += "\t" + detailOf(v.record, &violations[i]) + "\n"
		}
		all += got
		out += v.record + "\n" + got
	}
	for _, cause := range schemaCauses() {
		assert.Contains(t, all, "\t"+cause+" ")
	}
	generated.Expected(t, verdictsFile, []byte(out))
}

func violationsOf(t *testing.T, validators map[string]*validate.Validator, v verdict) (violations []validate.Violation) {
	t.Helper()
	var err error
	if v.dialect == schema.WorkbenchProtocol {
		violations, err = validate.NewWorkbenchValidator().Check(parse(t, v.record), "new-message")
	} else {
		if validators[v.dialect] == nil {
			validators[v.dialect] = validate.NewValidator(named(t, v.dialect))
		}
		part := map[string]schema.Part{"message": schema.Message, "chunk": schema.Chunk}[v.part]
		violations, err = validators[v.dialect].Check(parse(t, v.record), part)
	}
	require.NoError(t, err, v.record)
	return violations
}

func schemaCauses() []string {
	return []string{
		"missing-role", "unknown-role", "missing-type", "unknown-type", "missing-format", "invalid-format", "unexpected-format", "missing-content", "wrong-content-type",
		"unknown-key", "invalid-flag", "conflicting-keys", "invalid-confirmation", "legacy-confirmation", "invalid-recipient", "other-end-key", "invalid-active-line",
	}
}

// detailOf writes out a violation, with the text at its place.
func detailOf(record string, v *validate.Violation) string {
	place := record[v.Node.Start:v.Node.End]
	if v.AtKey {
		place = record[v.Node.NameStart:v.Node.NameEnd]
	}
	if place == record {
		place = "the record"
	}
	text := fmt.Sprintf("%s at %.60s", v.Cause, place)
	for _, fact := range []struct{ name, value string }{
		{"key", v.Key}, {"found", v.Found()}, {"expected", strings.Join(v.Expected, ", ")}, {"nearest", v.Suggest().Nearest}, {"instead", v.Instead}, {"type", v.Type},
	} {
		if fact.value != "" {
			text += fmt.Sprintf("; %s %s", fact.name, fact.value)
		}
	}
	return text
}

func TestCheckLongNumbers(t *testing.T) {
	validator := validate.NewValidator(named(t, "interpreter"))
	for _, sign := range []string{"", "-"} {
		violations, err := validator.Check(parse(t, `{"role":"computer","type":"console","format":"active_line","content":`+sign+strings.Repeat("7", 1<<20)+`}`), schema.Chunk)
		require.NoError(t, err)
		assert.Equal(t, "invalid-active-line", causesOf(violations))
	}
}

func TestFoundIsShort(t *testing.T) {
	t.Parallel()
	validator := validate.NewValidator(named(t, "interpreter"))
	long := strings.Repeat("é", 1<<20)
	violations, err := validator.Check(parse(t, `{"role":"`+long+`","type":"message","recipient":"`+long+`","start":true}`), schema.Chunk)
	require.NoError(t, err)
	require.Len(t, violations, 2)
	for _, v := range violations {
		assert.Equal(t, `"`+strings.Repeat("é", 40)+`…"`, v.Found())
	}
}

func TestCheckRejectsOtherValues(t *testing.T) {
	validator := validate.NewValidator(named(t, "docs"))
	_, err := validator.Check(nil, schema.Chunk)
	assert.Error(t, err)
	_, err = validator.Check(parse(t, `{"a":[]}`).Member("a"), schema.Chunk)
	assert.Error(t, err)
	_, err = validator.Check(parse(t, `{}`), schema.Part(9))
	assert.Error(t, err)
	_, err = validate.NewWorkbenchValidator().Check(nil, "message")
	assert.Error(t, err)
}

func named(t testing.TB, dialect string) *schema.Dialect {
	t.Helper()
	d, ok := schema.Lookup(dialect)
	require.True(t, ok, dialect)
	return d
}

// copied returns a copy of a published dialect, to change it.
func copied(t testing.TB, dialect string) *schema.Dialect {
	t.Helper()
	dialects, err := schema.NewDialects(schema.Extension{Name: dialect})
	require.NoError(t, err)
	d, ok := dialects.Lookup(dialect)
	require.True(t, ok, dialect)
	return d
}

// parse reads one record.
func parse(t testing.TB, record string) *source.Node {
	t.Helper()
	reader := source.NewReader(strings.NewReader(record), source.Options{Form: source.FormJSONL})
	r, err := reader.Next()
	require.NoError(t, err, record)
	require.NotNil(t, r.Root, record)
	return r.Clone().Root
}

func causesOf(violations []validate.Violation) string {
	var causes []string
	for _, v := range violations {
		causes = append(causes, v.Cause.String())
	}
	return strings.Join(causes, " ")
}
