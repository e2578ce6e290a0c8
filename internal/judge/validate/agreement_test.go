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

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/source"
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

// A record has a violation exactly if the published schema rejects it. The
// records are those of the tables and of recordings, unchanged in all dialects
// and with single mistakes in their own. With -cases the verdicts are written to
// a file for another validator to compare.
func TestAgreement(t *testing.T) {
	t.Parallel()
	var cases []agreementCase
	for _, dialect := range schema.Names() {
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			j := newJudge(t, dialect, part)
			for _, record := range recordsFor(t, dialect, part) {
				cases = append(cases, agreementCase{dialect, part.String(), json.RawMessage(record), j.agree(t, record)})
			}
		}
	}
	assert.Greater(t, len(cases), 1500)
	if *casesFile != "" {
		writeCases(t, cases)
	}
}

// judge returns both verdicts on a record.
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
	verdict := j.published.Validate(validate.ShortenNumbers(root.Value()))
	require.Equal(t, verdict == nil, len(violations) == 0, "%s: %s %s but %v", j.published, record, causesOf(violations), verdict)
	return verdict == nil
}

// recordsFor returns valid and invalid records for a part of a dialect: all of
// them in exhaustive tests and for another validator, otherwise a sample.
func recordsFor(t *testing.T, dialect string, part schema.Part) []string {
	sample := exhaustive.Sample[string]
	if *casesFile != "" {
		sample = func(records []string, _ int) []string { return records }
	}
	all := append(tableRecords(t), recorded(t, "*", "*")...)
	own := recorded(t, dialect, part.String())
	for _, v := range verdicts(t) {
		if v.dialect == dialect && v.part == part.String() {
			own = append(own, v.record)
		}
	}
	for _, record := range sample(own, 6) {
		all = append(all, mutants(t, record)...)
	}
	slices.Sort(all)
	return sample(slices.Compact(all), 120)
}

func tableRecords(t testing.TB) (records []string) {
	t.Helper()
	for _, v := range verdicts(t) {
		records = append(records, v.record)
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
		is := func(number string) bool { return strings.Contains(string(c.Record), number) }
		if is("e-400000") || is("e1000001") || is("00000000000000000001") {
			continue // no number in JavaScript, or another one
		}
		require.NoError(t, encoder.Encode(c))
	}
	require.NoError(t, os.WriteFile(*casesFile, lines.Bytes(), 0o644))
}

// FuzzCheck compares verdicts with the published schemas, and with themselves
// when repeated.
func FuzzCheck(f *testing.F) {
	var judges []*judge
	for _, dialect := range schema.Names() {
		judges = append(judges, newJudge(f, dialect, schema.Message), newJudge(f, dialect, schema.Chunk))
	}
	for i, record := range append(tableRecords(f), recorded(f, "*", "*")...) {
		f.Add(record, uint8(i))
	}
	f.Fuzz(func(t *testing.T, record string, number uint8) {
		root := readable(record)
		if root == nil {
			return
		}
		j := judges[int(number)%len(judges)]
		first, err := j.validator.Check(root, j.part)
		require.NoError(t, err)
		second, err := j.validator.Check(root, j.part)
		require.NoError(t, err)
		assert.Equal(t, first, second)
		assert.Equal(t, j.published.Validate(validate.ShortenNumbers(root.Value())) == nil, len(first) == 0, causesOf(first))
	})
}

// readable returns the first record of an input, or nil if it is not a valid
// object.
func readable(input string) *source.Node {
	reader := source.NewReader(strings.NewReader(input), source.Options{Form: source.FormJSONL})
	r, err := reader.Next()
	if err != nil || r.Root == nil || r.Root.Kind != source.Object {
		return nil
	}
	for _, problem := range r.Problems {
		if problem.IsFatal() {
			return nil
		}
	}
	return r.Clone().Root
}

func text(t testing.TB, p schema.PublishedSchema) []byte {
	t.Helper()
	source, err := schema.Source(p.Name, p.Folder())
	require.NoError(t, err)
	return source
}

func value(t testing.TB, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	require.NoError(t, decoder.Decode(&v))
	return v
}

// compile compiles a published schema without any other document.
func compile(t testing.TB, id string, text []byte) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource(id, bytes.NewReader(text)))
	compiled, err := compiler.Compile(id)
	require.NoError(t, err)
	return compiled
}
