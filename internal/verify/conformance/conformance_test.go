package conformance_test

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/internal/verify/conformance"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/schema"
)

// subjectVariable makes the test program a subject that behaves as its value says.
const subjectVariable = "CONFORMANCE_SUBJECT"

func TestMain(m *testing.M) {
	if behavior := os.Getenv(subjectVariable); behavior != "" {
		os.Exit(behave(behavior))
	}
	os.Exit(m.Run())
}

// behave is a subject: "say TEXT" answers with a text, "say-and-exit N TEXT" with
// an exit status, too.
func behave(behavior string) int {
	verb, text, _ := strings.Cut(behavior, " ")
	input, _ := io.ReadAll(os.Stdin)
	switch verb {
	case "say":
		fmt.Print(text)
	case "exit":
		fmt.Fprintln(os.Stderr, "on standard error\x1b[31m")
		status := 0
		_, _ = fmt.Sscanf(text, "%d", &status)
		_, answer, _ := strings.Cut(text, " ")
		fmt.Print(answer)
		return status
	case "hang":
		select {}
	case "flood":
		for {
			if _, err := os.Stdout.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
				return 0
			}
		}
	case "environment":
		fmt.Fprintf(os.Stderr, "%s|%s|%s|%s|%d", os.Getenv("LMC_CASE"), os.Getenv("LMC_DIALECT"), os.Getenv("LMC_STALE"), strings.Join(os.Args[1:], " "), len(input))
		return 9
	}
	return 0
}

// theSuite is a manifest with one case of each sort.
//
//go:embed testdata/suite.json
var theSuite []byte

const healthy = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`

// broken has a message without an end, one that is whole, and an empty one.
const broken = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "lost"}
{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "whole"}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "end": true}
`

// fakeReference knows the messages of the valid stream.
type fakeReference struct{}

func (fakeReference) Records(_ context.Context, stream []byte) (records []conformance.Record, err error) {
	reader := text.NewReader(bytes.NewReader(stream), source.Options{Form: source.FormJSONL, Detect: protocol.MeaningOf})
	for {
		r, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			return records, nil
		case err != nil:
			return nil, err
		}
		if data := bytes.Trim(bytes.Clone(r.Data), conformance.Blanks); len(data) > 0 {
			records = append(records, conformance.Record{Data: data, Line: r.Start.Line, Column: r.Start.Column})
		}
	}
}

func (fakeReference) Assemble(_ context.Context, _ string, _ bool, stream []byte) ([]byte, bool, error) {
	return []byte(`[{"role": "assistant", "type": "message", "content": "Hi"}]`), string(stream) != broken, nil
}

func (fakeReference) Check(_ context.Context, _ string, _ bool, stream []byte) ([]suite.Finding, error) {
	for word, f := range map[string]suite.Finding{
		"dirty":    {Rule: "LMC202", Level: suite.Must, Severity: "error", Line: 1, Column: 1},
		"repeated": {Rule: "LMC305", Level: suite.Should, Severity: "warning", Line: 1, Column: 1},
		"cut":      {Rule: "LMC310", Level: suite.May, Severity: "note", Line: 1, Column: 1},
		"escapes":  {Rule: "LMC407", Level: suite.May, Severity: "note", Line: 1, Column: 1},
	} {
		if strings.Contains(string(stream), word) {
			return []suite.Finding{f}, nil
		}
	}
	if !strings.Contains(string(stream), "{") {
		return nil, errors.New("plain text")
	}
	return nil, nil
}

func newRunner(t *testing.T, kind conformance.Kind, behavior string) *conformance.Runner {
	t.Helper()
	m, err := suite.Read(bytes.NewReader(theSuite))
	require.NoError(t, err)
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"broken.jsonl": broken, "healthy.jsonl": healthy, "foreign.txt": "x", "bad.json": "{", "good.json": "{}",
		"transcript.json": `[{"role": "user", "type": "message", "content": "Hey"}, {"role": "assistant", "type": "message", "content": "Hi"}]`,
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	program, err := os.Executable()
	require.NoError(t, err)
	return &conformance.Runner{
		Manifest: m, Files: files, Root: "/suite", Kind: kind, Reference: fakeReference{}, Jobs: 4, Profiles: suite.Profiles(), Level: suite.Must,
		Subject: conformance.Subject{Words: []string{program, "-dialect={dialect}", "{flags}"}, Env: append(os.Environ(), subjectVariable+"="+behavior, "LMC_STALE=1"), Timeout: time.Minute},
	}
}

// results runs a suite and returns what each case came to, by its id.
func results(t *testing.T, r *conformance.Runner) map[string]string {
	t.Helper()
	plan, err := r.Plan()
	require.NoError(t, err)
	require.NoError(t, r.Run(t.Context(), plan))
	came := map[string]string{}
	for _, result := range plan {
		came[result.Case.ID] = strings.Join(append([]string{string(result.Outcome)}, result.Reasons...), ": ")
	}
	return came
}

// answersFile has behaviors of subjects, each below the kind of the run, its level and
// the case, with the outcome, indented.
const answersFile = "testdata/answers.txt"

// Each answer comes to what the file says. Read the difference before you commit it.
func TestAnswers(t *testing.T) {
	text, err := os.ReadFile(answersFile)
	require.NoError(t, err)
	blocks := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	t.Run("all", func(t *testing.T) { // which waits for those in parallel
		for i, block := range blocks {
			lines := strings.Split(block, "\n")
			t.Run(strings.TrimPrefix(lines[0], "// "), func(t *testing.T) {
				t.Parallel()
				var kind, level, id string
				_, err := fmt.Sscan(lines[1], &kind, &level, &id)
				require.NoError(t, err)
				r := newRunner(t, conformance.Kind(strings.Replace(kind, "strict", "checker", 1)), lines[2])
				r.IDs, r.Level, r.Strict = []string{id}, suite.Level(level), kind == "strict"
				blocks[i] = strings.Join(append(lines[:3:3], "\t"+results(t, r)[id]), "\n")
			})
		}
	})
	generated.Expected(t, answersFile, []byte(strings.Join(blocks, "\n\n")+"\n"))
}

// The case of a producer is skipped if no stream has a message of the transcript.
func TestMessagesThatAreNotStreamed(t *testing.T) {
	for _, m := range []string{
		`{"role": "system", "type": "message", "content": "x"}`,
		`{"role": "assistant", "type": "review", "format": "safe", "content": "x"}`,
		`{"role": "computer", "type": "image", "format": "path", "content": "x"}`,
		`{"role": "computer", "type": "image", "format": "description", "content": "x"}`,
	} {
		r := newRunner(t, conformance.Producer, "say {}")
		r.Files.(fstest.MapFS)["transcript.json"] = &fstest.MapFile{Data: []byte("[" + m + "]")}
		assert.True(t, strings.HasPrefix(results(t, r)["a/transcript"], "skipped: no stream has "), m)
	}
}

// A subject that does not end is ended, and so is one that writes without end.
func TestSubjectsWithoutEnd(t *testing.T) {
	t.Parallel()
	r := newRunner(t, conformance.Consumer, "hang")
	r.Subject.Timeout = 50 * time.Millisecond
	assert.Equal(t, "failed: hangs: no end after 50ms", results(t, r)["a/healthy"])
	r = newRunner(t, conformance.Consumer, "flood")
	r.IDs = []string{"a/healthy"}
	assert.Equal(t, "failed: more than 64 MiB on standard output", results(t, r)["a/healthy"])
}

func TestInterruptedRun(t *testing.T) {
	r := newRunner(t, conformance.Consumer, "hang")
	plan, err := r.Plan()
	require.NoError(t, err)
	why := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	assert.ErrorIs(t, r.Run(ctx, plan), why)
}

// The program under test gets the options of a checker as arguments; a consumer also
// gets the protocol, kind and form of the input.
func TestWhatSubjectsAreTold(t *testing.T) {
	for kind, want := range map[conformance.Kind]string{
		conformance.Checker:  "a/broken|docs||-dialect=docs --dialect docs|",
		conformance.Consumer: "a/broken|docs||-dialect=docs --protocol lmc --dialect docs --kind stream --form jsonl|",
	} {
		r := newRunner(t, kind, "environment")
		r.IDs = []string{"a/broken"}
		plan, err := r.Plan()
		require.NoError(t, err)
		require.NoError(t, r.Run(t.Context(), plan))
		assert.Equal(t, want+fmt.Sprint(len(broken)), plan[0].Stderr)
	}
}

func TestMissingSubject(t *testing.T) {
	r := newRunner(t, conformance.Consumer, "say []")
	r.Subject.Words = []string{"/no/such/program"}
	plan, err := r.Plan()
	require.NoError(t, err)
	assert.ErrorContains(t, r.Run(t.Context(), plan), "start the subject")
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*conformance.Runner)
		want   []string
	}{
		{"features", func(r *conformance.Runner) { r.Features = []string{"form:jsonl"} }, []string{"a/broken", "-a/foreign", "a/healthy", "-a/transcript", "-json/bad", "-json/good"}},
		{"kinds of features", func(r *conformance.Runner) { r.Features = []string{"form"} }, []string{"a/broken", "-a/foreign", "a/healthy", "a/transcript", "-json/bad", "-json/good"}},
		{"without", func(r *conformance.Runner) { r.Without = []string{"form", "json"} }, []string{"-a/broken", "a/foreign", "-a/healthy", "-a/transcript", "-json/bad", "-json/good"}},
		{"ids", func(r *conformance.Runner) { r.IDs = []string{"a/*"} }, []string{"a/broken", "a/foreign", "a/healthy", "a/transcript"}},
		{"transcripts", func(r *conformance.Runner) { r.Kind = conformance.Producer }, []string{"a/transcript"}},
	} {
		r := newRunner(t, conformance.Checker, "")
		c.change(r)
		plan, err := r.Plan()
		require.NoError(t, err)
		var got []string
		for _, result := range plan {
			mark := ""
			if result.Outcome == conformance.Skipped {
				mark = "-"
				assert.NotEmpty(t, result.Reasons)
			}
			got = append(got, mark+result.Case.ID)
		}
		assert.Equal(t, c.want, got, c.name)
	}
	r := newRunner(t, conformance.Checker, "")
	r.IDs = []string{"nothing/*"}
	_, err := r.Plan()
	assert.ErrorContains(t, err, `no case of the suite has an id that matches "nothing/*"`)
	r.IDs = []string{"[", "a/*"}
	_, err = r.Plan()
	assert.ErrorContains(t, err, "invalid glob")
	r = newRunner(t, conformance.Checker, "")
	r.Expected = []string{"a/gone"}
	_, err = r.Plan()
	assert.EqualError(t, err, `"a/gone" is expected to fail, and is not in the suite: remove it`)
}

// A case that is known to fail is counted apart; one that passes all the same fails.
func TestExpectedFailures(t *testing.T) {
	r := newRunner(t, conformance.Consumer, `say [{"role": "assistant", "type": "message", "content": "Hi"}]`)
	r.Expected = []string{"a/broken"}
	plan, err := r.Plan()
	require.NoError(t, err)
	require.NoError(t, r.Run(t.Context(), plan))
	done := r.NewReport("", plan)
	assert.Equal(t, conformance.Count{Passed: 1, Known: 1}, done.Total())
	assert.Equal(t, "must: 1 of 2 passed, 1 known to fail\n", done.Summary())
	assert.NotContains(t, done.Text(strings.Clone, false), "failed a/broken")

	r.Expected = []string{"a/broken", "a/healthy"}
	assert.Equal(t, "failed: no longer fails: remove it from the expected failures", results(t, r)["a/healthy"])
}

func TestFailFast(t *testing.T) {
	r := newRunner(t, conformance.Checker, "say []")
	r.FailFast, r.Jobs = true, 1
	came := results(t, r)
	assert.True(t, strings.HasPrefix(came["a/broken"], "failed"))
	assert.Equal(t, "skipped: another case failed before", came["a/healthy"])
}

// Consumers get a record per line, however the input divides them, and a finding
// is then where its record is.
func TestConsumersGetARecordPerLine(t *testing.T) {
	one := func(text string) string {
		return fmt.Sprintf("{\n  %q: %q,\n \"type\": \"message\", %s}", "role", "assistant", text)
	}
	for input, want := range map[string]string{
		one(`"start": true`) + one(`"content": "Hi"`) + "\n":                                                            `{"role":"assistant","type":"message","start":true}` + "\n" + `{"role":"assistant","type":"message","content":"Hi"}` + "\n",
		`[{"role": "assistant", "type": "message", "start": true}, {"role": "assistant", "type": "message", "end": 1}]`: `{"role":"assistant","type":"message","start":true}` + "\n" + `{"role":"assistant","type":"message","end":1}` + "\n",
		`{"seq": 1, "chunk": {"role": "assistant", "type": "message"}}`:                                                 `{"role":"assistant","type":"message"}` + "\n",
		`{"seq": 1, "chunks": [{"role": "assistant", "type": "message"}]}`:                                              `{"role":"assistant","type":"message"}` + "\n",
		"{\"role\": 1}{\"role\": 2}\r\n":                                                                                "{\"role\":1}\n{\"role\":2}\n",
		"{\"role\":  1}\r\n\nnot JSON {\n":                                                                              "{\"role\":  1}\r\n\nnot JSON {\n",
		"":                                                                                                              "",
	} {
		r := newRunner(t, conformance.Consumer, "environment")
		r.IDs = []string{"a/healthy"}
		r.Files.(fstest.MapFS)["healthy.jsonl"] = &fstest.MapFile{Data: []byte(input)}
		plan, err := r.Plan()
		require.NoError(t, err)
		require.NoError(t, r.Run(t.Context(), plan))
		_, size, _ := strings.Cut(plan[0].Stderr, "{flags}")
		assert.Contains(t, plan[0].Stderr, fmt.Sprintf("|%d", len(want)), "%s: %s", input, size)
	}

	r := newRunner(t, conformance.Consumer, `say [{"role": "assistant", "type": "message", "content": "lost"}, {"role": "assistant", "type": "message", "content": "whole"}]`)
	r.IDs = []string{"a/broken"}
	pretty := strings.ReplaceAll(broken, `{"role"`, "{\n\"role\"")
	r.Files.(fstest.MapFS)["broken.jsonl"] = &fstest.MapFile{Data: []byte(pretty)}
	c := &r.Manifest.Cases[0]
	c.Findings[0].Line, c.Findings[1].Line = 5, 11
	assert.Equal(t, "passed", results(t, r)["a/broken"])
}

// A failure shows the note, the line with the place, and the sentence.
func TestLesson(t *testing.T) {
	r := newRunner(t, conformance.Checker, `say [{"requirement": "LMC-STR-99", "line": 4}]`)
	r.IDs = []string{"a/broken"}
	plan, err := r.Plan()
	require.NoError(t, err)
	require.NoError(t, r.Run(t.Context(), plan))
	assert.Equal(t, `  The first end is lost.
  missing: LMC202 (error) in line 3, column 1, record 2
       3 | {"role": "assistant", "type": "message", "start": true}
         | ^
    LMC-STR-2: A block MUST end before another starts.
  unexpected: LMC-STR-99 in line 4, which the suite does not know
       4 | {"role": "assistant", "type": "message", "content": "whole"}
  the answer: LMC-STR-99 in line 4
`, plan[0].Lesson)
	text := r.NewReport("", plan).Text(strings.Clone, false)
	assert.Contains(t, text, "failed a/broken\n  The first end is lost.\n")
	assert.Contains(t, text, "Read next: docs/protocol.md, section Streams, LMC-STR-2 (docs/protocol.md#lmc-str-2)\n")
}

// The reports of a run are those of the files. Read the difference before you commit
// one that -update made.
func TestReports(t *testing.T) {
	r := newRunner(t, conformance.Checker, `exit 1 [{"rule": "LMC202", "line": 3}]`)
	r.Without = []string{"json"}
	plan, err := r.Plan()
	require.NoError(t, err)
	require.NoError(t, r.Run(t.Context(), plan))
	done := r.NewReport("the checker", plan)
	escape := func(s string) string { return strings.ReplaceAll(s, "\x1b", "ESC") }
	document, err := done.JSON()
	require.NoError(t, err)
	junit, err := done.JUnit(escape)
	require.NoError(t, err)
	badge, err := done.BadgeJSON()
	require.NoError(t, err)
	for name, got := range map[string]string{
		"summary.txt": done.Summary(), "report.txt": done.Text(escape, true), "report.json": string(document), "report.junit.xml": string(junit),
		"badge.json": string(badge), "badge.svg": string(done.BadgeSVG()),
	} {
		generated.Expected(t, filepath.Join("testdata", name), []byte(got))
	}
	source, err := schema.Source("suite-report", "")
	require.NoError(t, err)
	published := jsonschema.MustCompileString("suite-report.schema.json", string(source))
	var value any
	require.NoError(t, json.Unmarshal(document, &value))
	require.NoError(t, published.Validate(value))
	for _, text := range [][]byte{junit, done.BadgeSVG()} {
		require.NoError(t, xml.Unmarshal(text, new(struct{})))
	}
}

// Each of the requirements of consumers is shown, and a failure is one of it.
func TestRequirementsOfConsumers(t *testing.T) {
	r := newRunner(t, conformance.Consumer, `say [{"role": "assistant", "type": "message", "content": "Hi"}]`)
	plan, err := r.Plan()
	require.NoError(t, err)
	require.NoError(t, r.Run(t.Context(), plan))
	var got []string
	for _, q := range r.NewReport("", plan).ByRequirement() {
		got = append(got, fmt.Sprintf("%s %d/%d", q.ID, q.Passed, q.Run()))
	}
	assert.Equal(t, []string{"LMC-CON-1 1/1", "LMC-CON-2 2/2", "LMC-CON-3 1/1", "LMC-CON-4 0/1"}, got)
}

// Checkers that look at nothing pass less than one that finds a mistake: one that
// answers with nothing, with the same, or with each record.
func TestCheckersThatGuess(t *testing.T) {
	passed := func(answer string) int {
		r := newRunner(t, conformance.Checker, "say "+answer)
		r.IDs, r.Level = []string{"a/broken", "a/healthy", "a/transcript"}, suite.One
		plan, err := r.Plan()
		require.NoError(t, err)
		require.NoError(t, r.Run(t.Context(), plan))
		return r.NewReport("", plan).At(suite.One).Passed
	}
	var each []string
	for i := range 60 {
		each = append(each, fmt.Sprintf(`{"requirement": "LMC-STR-2", "record": %d}`, i))
	}
	assert.Equal(t, 2, passed("[]"), "healthy inputs")
	assert.Zero(t, passed("["+strings.Join(each, ", ")+"]"))
	assert.Zero(t, passed(strings.ReplaceAll("["+strings.Join(each, ", ")+"]", `"requirement": "LMC-STR-2", `, "")))
	assert.Equal(t, 1, passed(`[{"rule": "LMC202", "record": 2}]`), "the broken one")
}

func TestSplit(t *testing.T) {
	for command, want := range map[string][]string{
		`a b`:                      {"a", "b"},
		"  a\tb\n":                 {"a", "b"},
		`a 'b c' "d e"f`:           {"a", "b c", "d ef"},
		`a "" ''`:                  {"a", "", ""},
		`a\ b "c\"d" "e\f" 'g\h'`:  {"a b", `c"d`, `e\f`, `g\h`},
		`python3 -c "print('[]')"`: {"python3", "-c", "print('[]')"},
	} {
		got, err := conformance.Split(command)
		require.NoError(t, err, command)
		assert.Equal(t, want, got, command)
	}
	for command, want := range map[string]string{"": "no command", " ": "no command", `a "b`: "an unterminated quote", `a \`: "a backslash at the end"} {
		_, err := conformance.Split(command)
		assert.EqualError(t, err, want, command)
	}
}
