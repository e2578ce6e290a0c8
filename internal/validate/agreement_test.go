package validate_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

var casesFile = flag.String("cases", "", "write the records of TestAgreement with their verdicts to this file")

// agreementCase is a record with our verdict, for other validators to check.
type agreementCase struct {
	Dialect string          `json:"dialect"`
	Part    string          `json:"part"`
	Record  json.RawMessage `json:"record"`
	Valid   bool            `json:"valid"`
}

// TestAgreement holds Check and the published schemas together: a record
// gives a violation exactly when the schema finds it invalid. The records are
// those of the tables and of recordings, as they are in all dialects, and
// damaged in each way that mutants knows in their own.
func TestAgreement(t *testing.T) {
	var cases []agreementCase
	for _, dialect := range schema.Names() {
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			j := newJudge(t, dialect, part)
			for _, record := range recordsFor(t, dialect, part) {
				cases = append(cases, agreementCase{dialect, part.String(), json.RawMessage(record), j.agree(t, record)})
			}
		}
	}
	assert.Greater(t, len(cases), 10000)
	if *casesFile != "" {
		writeCases(t, cases)
	}
}

// judge has both verdicts on a record.
type judge struct {
	part      schema.Part
	validator *validate.Validator
	published *jsonschema.Schema
}

func newJudge(t testing.TB, dialect string, part schema.Part) *judge {
	t.Helper()
	p := schema.PublishedSchema{Name: part.String(), Dialect: dialect}
	return &judge{part, validate.NewValidator(named(t, dialect)), compile(t, named(t, dialect).ID(p.Name), text(t, p))}
}

// agree returns the verdict that Check and the published schema share.
func (j *judge) agree(t testing.TB, record string) bool {
	t.Helper()
	root := parse(t, record)
	violations, err := j.validator.Check(root, j.part)
	require.NoError(t, err, record)
	verdict := j.published.Validate(root.Value())
	require.Equal(t, verdict == nil, len(violations) == 0, "%s: %s %s but %#v", j.published, record, causesOf(violations), verdict)
	return verdict == nil
}

func recordsFor(t *testing.T, dialect string, part schema.Part) []string {
	all := append(tableRecords(), recorded(t, "*", "*")...)
	own := recorded(t, dialect, part.String())
	for _, v := range map[schema.Part][]verdict{schema.Chunk: chunkVerdicts()[dialect], schema.Message: messageVerdicts()[dialect]}[part] {
		own = append(own, v.record)
	}
	for _, record := range own {
		all = append(all, mutants(t, record)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func tableRecords() []string {
	var records []string
	for _, table := range []map[string][]verdict{chunkVerdicts(), messageVerdicts()} {
		for _, verdicts := range table {
			for _, v := range verdicts {
				records = append(records, v.record)
			}
		}
	}
	return records
}

// recorded returns records that Open Interpreter emitted or stored.
func recorded(t testing.TB, dialect, part string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "recorded", dialect+"."+part+".jsonl"))
	require.NoError(t, err)
	var records []string
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		records = append(records, strings.Split(strings.TrimSpace(string(content)), "\n")...)
	}
	return records
}

func TestRecordedIsValid(t *testing.T) {
	checked := 0
	for _, dialect := range schema.Names() {
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			validator := validate.NewValidator(named(t, dialect))
			for _, record := range recorded(t, dialect, part.String()) {
				violations, err := validator.Check(parse(t, record), part)
				require.NoError(t, err)
				assert.Empty(t, causesOf(violations), "%s: %s", dialect, record)
				checked++
			}
		}
	}
	assert.Equal(t, 280, checked)
}

// mutants returns the record with each key removed, renamed and given other
// values, and with keys that it did not have.
func mutants(t *testing.T, record string) []string {
	var keys map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(record), &keys))
	values := []string{`null`, `true`, `false`, `0`, `2`, `1.5`, `""`, `"1"`, `"python"`, `[]`, `{}`}
	var records []string
	with := func(key, value string) {
		changed := map[string]json.RawMessage{key: json.RawMessage(value)}
		records = append(records, merged(t, keys, key, changed))
	}
	for key, value := range keys {
		records = append(records, merged(t, keys, key, nil))
		records = append(records, merged(t, keys, key, map[string]json.RawMessage{key + "x": value}))
		for _, other := range values {
			with(key, other)
		}
	}
	for _, key := range []string{"role", "type", "format", "content", "start", "end", "stop", "recipient", "id", "auth", "ack", "mood"} {
		if _, ok := keys[key]; !ok {
			with(key, `true`)
			with(key, `"user"`)
		}
	}
	return records
}

// merged returns the members without one, and with others, as JSON.
func merged(t *testing.T, members map[string]json.RawMessage, without string, others map[string]json.RawMessage) string {
	result := map[string]json.RawMessage{}
	for key, value := range members {
		if key != without {
			result[key] = value
		}
	}
	for key, value := range others {
		result[key] = value
	}
	record, err := json.Marshal(result)
	require.NoError(t, err)
	return string(record)
}

func writeCases(t *testing.T, cases []agreementCase) {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, c := range cases {
		if strings.Contains(string(c.Record), "e-400000") || strings.Contains(string(c.Record), "e1000001") {
			continue // no number in JavaScript
		}
		require.NoError(t, encoder.Encode(c))
	}
	require.NoError(t, os.WriteFile(*casesFile, lines.Bytes(), 0o644))
}
