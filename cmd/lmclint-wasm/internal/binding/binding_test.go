package binding_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint-wasm/internal/binding"
	"github.com/lmclint/lmclint/internal/dev/exhaustive"
)

// answer is what the functions answer with.
type answer struct {
	Error    string
	Usage    bool
	Findings []finding
	Report   *struct{ Findings []finding }
	Summary  *struct{ Records, Errors int }
}

type finding struct {
	Rule, Severity, Pointer string
	Line, Column            int
	Record                  *int
}

func decode(t *testing.T, text []byte) (a answer) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, &a), string(text))
	return a
}

// Every case of the conformance suite gives its findings.
func TestCheckGivesTheFindingsOfTheSuite(t *testing.T) {
	var inputs []string
	for _, pattern := range []string{"core/*/*", "forms/*/*", "detect/*/*", "workbench/*/*"} {
		found, err := filepath.Glob(filepath.Join("../../../../testdata", pattern+".expect.json"))
		require.NoError(t, err)
		require.NotEmpty(t, found)
		inputs = append(inputs, found...)
	}
	b := binding.New("test")
	for _, path := range exhaustive.Sample(inputs, 150) {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var want struct {
			Options  map[string]any
			Findings []finding
			Foreign  bool
		}
		want.Options = map[string]any{}
		require.NoError(t, json.Unmarshal(data, &want))
		if name, ok := want.Options["against"].(string); ok {
			stored, err := os.ReadFile(filepath.Join(filepath.Dir(path), name))
			require.NoError(t, err)
			want.Options["against"] = string(stored)
		}
		want.Options["each"] = true
		want.Options["path"] = filepath.Base(strings.TrimSuffix(path, ".expect.json"))
		options, err := json.Marshal(want.Options)
		require.NoError(t, err)
		text, err := os.ReadFile(strings.TrimSuffix(path, ".expect.json"))
		require.NoError(t, err)
		got := decode(t, b.Check(text, string(options)))
		if got.Report != nil { // nothing was read
			got.Findings = got.Report.Findings
		}
		assert.ElementsMatch(t, want.Findings, got.Findings, "%s: if TestConformance in rules fails for it, too, see there", path)
		assert.Equal(t, want.Foreign, strings.HasPrefix(got.Error, "unknown protocol"), "%s: %s", path, got.Error)
	}
}

// The answer of a check is the JSON report, with a failure, too.
func TestCheckAnswersWithTheReport(t *testing.T) {
	text, err := os.ReadFile("../../../../schema/report.schema.json")
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	require.NoError(t, compiler.AddResource("report.schema.json", bytes.NewReader(text)))
	published := compiler.MustCompile("report.schema.json")
	b := binding.New("test")
	for _, input := range []string{"", stream, "[]", "\x1f\x8b\x08", `{"jsonrpc": "2.0", "method": "ping"}`, "\xff\xfe{", "<p>\u2028</p>"} {
		text := b.Check([]byte(input), `{"path": "a.jsonl"}`)
		var report any
		require.NoError(t, json.Unmarshal(text, &report))
		if failed, ok := report.(map[string]any)["error"]; ok {
			assert.NotEmpty(t, failed)
			report = report.(map[string]any)["report"]
		}
		assert.NoError(t, published.Validate(report), "%q", input)
	}
}

const (
	start  = `{"role": "assistant", "type": "message", "start": true}`
	stream = start + "\n" + `{"role": "assistant", "type": "message", "content": 1}` + "\n"
)

func TestCompressedInputIsRefused(t *testing.T) {
	got := decode(t, binding.New("test").Check([]byte("\x1f\x8b\x08\x00"), ""))
	assert.Contains(t, got.Error, "gzip data")
}

// Wrong options are the caller's mistake, and say which.
func TestWrongOptions(t *testing.T) {
	b := binding.New("test")
	for options, want := range map[string]string{
		`{"dialekt": "docs"}`:        `unknown option "dialekt"`,
		`{"maxDepth": 5}`:            `unknown option "maxDepth"`,
		`{"dialect": 1}`:             `option dialect is a number`,
		`[]`:                         `options are a array, expected an object`,
		`{"select": "LMC2"}`:         `option select is a string`,
		`{"select": ["LMC999"]}`:     `select: unknown rule "LMC999"`,
		`{"kind": "film"}`:           `"film"`,
		`{"form": "xml"}`:            `"xml"`,
		`{"dialect": "x"}`:           `"x"`,
		`{"protocol": "x"}`:          `"x"`,
		`{"maxRecordBytes": -1}`:     `-1`,
		`{"against": "no messages"}`: `against: `,
		`{} {}`:                      `options are not one object`,
		`{`:                          `options: `,
	} {
		number, opened := b.Open(options)
		assert.Zero(t, number, options)
		for _, text := range [][]byte{b.Check([]byte(stream), options), opened} {
			got := decode(t, text)
			assert.True(t, got.Usage, options)
			assert.Contains(t, got.Error, want, options)
		}
	}
}

func TestPush(t *testing.T) {
	b := binding.New("test")
	first, failed := b.Open(`{"path": "first"}`)
	require.Nil(t, failed)
	second, failed := b.Open(`{"ignore": ["LMC109"]}`)
	require.Nil(t, failed)
	for number, rules := range map[int]int{first: 1, second: 0} {
		lines := strings.Split(strings.TrimSpace(stream), "\n")
		assert.Empty(t, decode(t, b.Push(number, []byte(lines[0]))).Findings)
		assert.Len(t, decode(t, b.Push(number, []byte(lines[1]))).Findings, rules)
	}
	assert.Equal(t, 2, b.Pending())
	ended := decode(t, b.End(first))
	require.Len(t, ended.Findings, 1)
	assert.Equal(t, "LMC203", ended.Findings[0].Rule)
	assert.Equal(t, 2, ended.Summary.Records)
	assert.Equal(t, 2, ended.Summary.Errors)
	assert.True(t, decode(t, b.Push(first, []byte(start))).Usage, "it has ended")
	assert.True(t, decode(t, b.End(first)).Usage)
	b.Close(first)
	b.Close(second)
	assert.Zero(t, b.Pending())
}

// A session is pushed as the frames of its log.
func TestPushSession(t *testing.T) {
	b := binding.New("test")
	number, failed := b.Open(`{"kind": "session", "dialect": "server"}`)
	require.Nil(t, failed)
	assert.Empty(t, decode(t, b.Push(number, []byte(`{"dir": "send", "frame": {"role": "user", "start": true}}`))).Findings)
	assert.Empty(t, decode(t, b.Push(number, []byte(`{"dir": "send", "frame": {"role": "user", "end": true}}`))).Error)
	var ended struct{ File struct{ Kind, Form string } }
	require.NoError(t, json.Unmarshal(b.End(number), &ended))
	assert.Equal(t, "session", ended.File.Kind)
	assert.Equal(t, "session-log", ended.File.Form)
}

// A conversation is compared with streams only.
func TestAgainst(t *testing.T) {
	b := binding.New("test")
	against, err := json.Marshal(map[string]string{"against": `[{"role": "assistant", "type": "message", "content": "stored"}]`, "againstPath": "stored.json"})
	require.NoError(t, err)
	got := decode(t, b.Check([]byte(start+"\n"+strings.ReplaceAll(start, `"start"`, `"end"`)+"\n"), string(against)))
	assert.Empty(t, got.Error)
	assert.NotEmpty(t, got.Findings)
	got = decode(t, b.Check([]byte(`[{"role": "user", "type": "message", "content": "a"}]`), string(against)))
	assert.Contains(t, got.Error, "not compared with stored.json")
}

// Inputs with the same options share a linter, and many options do not add up.
func TestManyInputs(t *testing.T) {
	b := binding.New("test")
	for i := range 1000 {
		options, err := json.Marshal(map[string]any{"path": strconv.Itoa(i), "maxRecordBytes": 1000 + i%20})
		require.NoError(t, err)
		number, failed := b.Open(string(options))
		require.Nil(t, failed)
		assert.Empty(t, decode(t, b.Push(number, []byte(start))).Error)
		if i%2 == 0 {
			b.Close(number)
		} else {
			b.End(number)
		}
	}
	assert.Zero(t, b.Pending())
}

// The examples that a program can load give the findings that the rules promise,
// as documents of the page.
func TestExamplesCanBeViewed(t *testing.T) {
	b := binding.New("test")
	var catalog struct {
		Dialects []string
		Rules    []struct {
			ID       string
			Examples []struct {
				Bad     bool
				Input   string
				Options json.RawMessage
			}
		}
	}
	require.NoError(t, json.Unmarshal(b.Examples(), &catalog))
	assert.Contains(t, catalog.Dialects, "interpreter")
	assert.Greater(t, len(catalog.Rules), 80)
	seen := 0
	for _, r := range catalog.Rules {
		for _, e := range r.Examples {
			if seen++; seen%7 != 0 && os.Getenv("LMCLINT_EXHAUSTIVE") == "" {
				continue
			}
			var page struct {
				Error    string
				Files    []struct{ Views []any }
				Findings []finding
			}
			require.NoError(t, json.Unmarshal(b.View([]byte(e.Input), string(e.Options), func(int) {}), &page))
			assert.Empty(t, page.Error, e.Input)
			assert.NotEmpty(t, page.Files[0].Views, e.Input)
			ids := []string{}
			for _, f := range page.Findings {
				ids = append(ids, f.Rule)
			}
			if e.Bad {
				assert.Contains(t, ids, r.ID, e.Input)
			} else {
				assert.NotContains(t, ids, r.ID, e.Input)
			}
		}
	}
}

func TestViewOfWrongInput(t *testing.T) {
	b := binding.New("test")
	assert.True(t, decode(t, b.View(nil, `{"odd": 1}`, nil)).Usage)
	assert.Contains(t, string(b.View([]byte(`[{"role": "user", "content": "Hi"}]`), "", nil)), `"failure":"unknown protocol`)
}

// An input that is not read is not said to be empty.
func TestCheckNamesTheEncoding(t *testing.T) {
	answer := string(binding.New("1").Check([]byte("\xff\xfe{\x00}\x00"), "{}"))
	assert.Contains(t, answer, `"error":"the input is UTF-16, expected UTF-8; nothing of it was read"`)
	assert.Contains(t, answer, `"LMC002"`)
}
