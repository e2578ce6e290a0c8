package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/conformance"
	"github.com/lmclint/lmclint/internal/suite"
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
const theSuite = `{"$schema": "", "version": "1.0",
"requirements": [
 {"id": "LMC-STR-2", "level": "must", "title": "Streams", "text": "A block MUST end before another starts.", "rules": ["LMC202"]},
 {"id": "LMC-REC-9", "level": "should", "title": "Records", "text": "", "rules": ["LMC110"]},
 {"id": "LMC-INP-1", "level": "must", "title": "Input", "text": "", "rules": ["LMC001"]},
 {"id": "LMC-CON-1", "level": "must", "title": "Consumers", "text": "", "rules": []},
 {"id": "LMC-CON-2", "level": "must", "title": "Consumers", "text": "", "rules": []},
 {"id": "LMC-CON-3", "level": "must", "title": "Consumers", "text": "", "rules": []},
 {"id": "LMC-CON-4", "level": "must", "title": "Consumers", "text": "", "rules": []},
 {"id": "LMC-CON-5", "level": "must", "title": "Consumers", "text": "", "rules": []}],
"cases": [
 {"id": "a/broken", "file": "broken.jsonl", "note": "The first end is lost.", "level": "must", "requirements": ["LMC-STR-2"], "features": ["form:jsonl"], "options": {"dialect": "docs"},
  "detected": {"protocol": "lmc", "kind": "stream", "form": "jsonl", "dialect": "docs"},
  "findings": [{"rule": "LMC202", "level": "must", "severity": "error", "line": 3, "column": 1, "record": 2}, {"rule": "LMC207", "level": "should", "severity": "warning", "line": 6, "column": 1, "record": 5}]},
 {"id": "a/foreign", "file": "foreign.txt", "level": "must", "requirements": ["LMC-INP-1"], "features": ["foreign"], "options": {}, "foreign": true, "findings": []},
 {"id": "a/healthy", "file": "healthy.jsonl", "level": "must", "requirements": ["LMC-STR-2"], "features": ["form:jsonl"], "options": {},
  "detected": {"protocol": "lmc", "kind": "stream", "form": "jsonl", "dialect": "interpreter"}, "findings": []},
 {"id": "a/transcript", "file": "transcript.json", "level": "must", "requirements": ["LMC-STR-2"], "features": ["form:json"], "options": {},
  "detected": {"protocol": "lmc", "kind": "transcript", "form": "json", "dialect": "interpreter"}, "findings": []},
 {"id": "json/bad", "file": "bad.json", "level": "must", "requirements": ["LMC-INP-1"], "features": ["json"], "options": {}, "json": "invalid", "findings": []},
 {"id": "json/good", "file": "good.json", "level": "must", "requirements": ["LMC-INP-1"], "features": ["json"], "options": {}, "json": "valid", "findings": []}
]}`

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

func (fakeReference) Assemble(_ context.Context, _ string, _ bool, stream []byte) ([]byte, bool, error) {
	return []byte(`[{"role": "assistant", "type": "message", "content": "Hi"}]`), string(stream) != broken, nil
}

func (fakeReference) Check(_ context.Context, _ string, _ bool, stream []byte) ([]suite.Finding, error) {
	if strings.Contains(string(stream), "dirty") {
		return []suite.Finding{{Rule: "LMC202", Level: suite.Must, Severity: "error", Line: 1, Column: 1}}, nil
	}
	if !strings.Contains(string(stream), "{") {
		return nil, errors.New("plain text")
	}
	return nil, nil
}

func newRunner(t *testing.T, kind conformance.Kind, behavior string) *conformance.Runner {
	t.Helper()
	m, err := suite.Read(strings.NewReader(theSuite))
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
		Manifest: m, Files: files, Root: "/suite", Kind: kind, Reference: fakeReference{}, Jobs: 4, Level: suite.Must,
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

func TestChecker(t *testing.T) {
	for _, c := range []struct{ name, id, level, answer, want string }{
		{"right", "a/broken", "must", `exit 1 {"findings": [{"rule": "LMC202", "line": 3}]}`, "passed"},
		{"by requirement and record", "a/broken", "must", `say {"findings": [{"requirement": "LMC-STR-2", "record": 2}]}`, "passed"},
		{"by place", "a/broken", "must", `say [{"line": 3}]`, "passed"},
		{"no place", "a/broken", "must", `say [{"rule": "LMC202"}]`, "failed: missing: LMC202 (error) in line 3, column 1, record 2: unexpected: LMC202"},
		{"a warning does not count", "a/broken", "must", `say [{"line": 3}, {"rule": "LMC207", "line": 6}, {"rule": "LMC208", "severity": "warning", "line": 2}]`, "passed"},
		{"a warning counts", "a/broken", "should", `say [{"line": 3}]`, "failed: missing: LMC207 (warning) in line 6, column 1, record 5"},
		{"nothing", "a/broken", "must", `say {"findings": []}`, "failed: missing: LMC202 (error) in line 3, column 1, record 2"},
		{"another rule", "a/broken", "must", `say [{"rule": "LMC204", "line": 3}]`, "failed: missing: LMC202 (error) in line 3, column 1, record 2: unexpected: LMC204 in line 3, which the suite does not know"},
		{"another line", "a/broken", "must", `say [{"rule": "LMC202", "line": 4, "record": 2}]`, "failed: missing: LMC202 (error) in line 3, column 1, record 2"},
		{"a consequence", "a/broken", "must", `say [{"line": 3}, {"requirement": "LMC-STR-2", "line": 5}]`, "passed"},
		{"a consequence is one too many", "a/broken", "one", `say [{"line": 3}, {"requirement": "LMC-STR-2", "line": 5}]`, "failed: unexpected: LMC-STR-2 in line 5"},
		{"before the mistake", "a/broken", "must", `say [{"line": 3}, {"requirement": "LMC-STR-2", "record": 1}]`, "failed: unexpected: LMC-STR-2 in record 1"},
		{"a requirement that is a should", "a/broken", "must", `say [{"line": 3}, {"requirement": "LMC-REC-9", "line": 1}]`, "passed"},
		{"unknown rule", "a/healthy", "must", `say [{"rule": "LMC999", "line": 1}]`, "failed: unexpected: LMC999 in line 1, which the suite does not know"},
		{"false alarm", "a/healthy", "must", `say [{"requirement": "LMC-STR-2", "line": 1}]`, "failed: unexpected: LMC-STR-2 in line 1"},
		{"rejected", "a/healthy", "must", `exit 2 `, "failed: was rejected, but is lmc"},
		{"rejected rightly", "a/foreign", "must", `exit 2 `, "passed"},
		{"rejected in words", "a/foreign", "must", `say {"foreign": true}`, "passed"},
		{"not rejected", "a/foreign", "must", `say []`, "failed: is neither LMC nor Semantic Workbench, and was not rejected"},
		{"invalid JSON", "json/bad", "must", `say [{"rule": "LMC001", "line": 1}]`, "passed"},
		{"invalid JSON not seen", "json/bad", "must", `say [{"rule": "LMC202", "line": 1}]`, "failed: is JSON that is invalid, and was not reported so"},
		{"valid JSON", "json/good", "must", `say [{"rule": "LMC101", "line": 1}]`, "passed"},
		{"valid JSON not read", "json/good", "must", `say [{"requirement": "LMC-INP-1", "line": 1}]`, "failed: is JSON that is valid, and was not reported so"},
		{"no answer", "a/healthy", "must", `say `, "failed: no answer on standard output"},
		{"a line as text", "a/healthy", "must", `say [{"rule":"LMC202","line":"3"}]`, `failed: the answer is not a list of findings: "line" is a string, expected an integer`},
		{"no findings", "a/healthy", "must", `say {"findings":["LMC202"]}`, `failed: the answer is not an object with findings: "findings" is a string, expected an object`},
		{"no JSON", "a/healthy", "must", `say ok`, "failed: the answer is not an object with findings: invalid JSON: invalid character 'o' looking for beginning of value"},
		{"no findings", "a/healthy", "must", `say {}`, `failed: the answer has no "findings"`},
		{"an exception", "a/healthy", "must", `exit 3 {"findings": []}`, "failed: crashes: exit status 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t, conformance.Checker, c.answer)
			r.IDs, r.Level = []string{c.id}, suite.Level(c.level)
			assert.Equal(t, c.want, results(t, r)[c.id])
		})
	}
}

func TestStrictChecker(t *testing.T) {
	for answer, want := range map[string]string{
		`say [{"rule": "LMC202", "line": 3, "column": 1, "record": 2, "severity": "error"}]`:   "passed",
		`say [{"rule": "LMC202", "line": 3, "column": 2, "record": 2, "severity": "error"}]`:   "failed",
		`say [{"rule": "LMC202", "line": 3, "column": 1, "record": 2, "severity": "warning"}]`: "failed",
	} {
		r := newRunner(t, conformance.Checker, answer)
		r.IDs, r.Strict = []string{"a/broken"}, true
		assert.True(t, strings.HasPrefix(results(t, r)["a/broken"], want), answer)
	}
}

func TestConsumer(t *testing.T) {
	message := func(text string) string {
		return fmt.Sprintf(`{"role": "assistant", "type": "message", "content": %q}`, text)
	}
	for _, c := range []struct{ name, id, answer, want string }{
		{"right", "a/healthy", "say [" + message("Hi") + "]", "passed"},
		{"other keys and empty messages", "a/healthy", `say [{"id": 1, "type": "message", "content": "Hi", "role": "assistant"}, {"role": "computer", "type": "console", "content": ""}]`, "passed"},
		{"other text", "a/healthy", "say [" + message("Hi!") + "]", `failed: message 0 is assistant message "Hi!", expected assistant message "Hi"`},
		{"nothing", "a/healthy", "say []", `failed: message 0 is missing: assistant message "Hi"`},
		{"too much", "a/healthy", "say [" + message("Hi") + "," + message("Hi") + "]", `failed: message 1 is unexpected: assistant message "Hi"`},
		{"crash", "a/healthy", "exit 1 ", "failed: no answer on standard output; exit status 1"},
		{"crash after the answer", "a/healthy", "exit 1 [" + message("Hi") + "]", "failed: crashes: exit status 1"},
		{"broken", "a/broken", "say [" + message("lost") + "," + message("whole") + "]", "passed"},
		{"broken, said so", "a/broken", "exit 1 [" + message("whole") + "]", "passed"},
		{"broken, with more text", "a/broken", "say [" + message("wholesome") + "]", "passed"},
		{"whole message lost", "a/broken", "say [" + message("lost") + "]", `failed: lost although it is complete in the stream, or merged into another message: assistant message "whole"`},
		{"broken, and it crashes", "a/broken", "exit 1 ", "failed: no answer on standard output; exit status 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t, conformance.Consumer, c.answer)
			r.IDs = []string{c.id}
			assert.Equal(t, c.want, results(t, r)[c.id])
		})
	}
}

func TestProducer(t *testing.T) {
	for _, c := range []struct{ name, answer, want string }{
		{"right", "say {}", "passed"},
		{"not clean", `say {"dirty": 1}`, "failed: the stream is not clean: LMC202 (error) in line 1, column 1"},
		{"not LMC", "say x", "failed: the answer is not a stream of LMC: plain text"},
		{"nothing", "say ", "failed: no answer on standard output"},
		{"crash", "exit 1 {}", "failed: crashes: exit status 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, map[string]string{"a/transcript": c.want}, results(t, newRunner(t, conformance.Producer, c.answer)))
		})
	}
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
	assert.NotContains(t, done.Text(strings.Clone), "failed a/broken")

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

// Consumers get streams that have a record per line.
func TestConsumersGetARecordPerLine(t *testing.T) {
	for input, want := range map[string]string{
		"{\"role\":  1}\r\n\n{\"type\": 2}":        "",
		"{\"role\": 1}{\"role\": 2}\r\n":           "line 1 is not one record",
		"{\"role\": 1}\n[{\"role\": 2}]\n":         "line 2 is not one record",
		"{\"seq\": 1, \"chunk\": {\"role\": 1}}\n": "line 1 is not one record",
		"{\n\"role\": 1}\n":                        "line 1 is not one record",
	} {
		r := newRunner(t, conformance.Consumer, "environment")
		r.IDs = []string{"a/healthy"}
		r.Files.(fstest.MapFS)["healthy.jsonl"] = &fstest.MapFile{Data: []byte(input)}
		plan, err := r.Plan()
		require.NoError(t, err)
		require.NoError(t, r.Run(t.Context(), plan))
		if want != "" {
			assert.Equal(t, []string{want}, plan[0].Reasons, input)
			continue
		}
		assert.NotEqual(t, conformance.Skipped, plan[0].Outcome, input)
		assert.Contains(t, plan[0].Stderr, fmt.Sprintf("|%d", len(input)), input)
	}

	r := newRunner(t, conformance.Consumer, `say [{"role": "assistant", "type": "message", "content": "whole"}]`)
	r.IDs = []string{"a/broken"}
	r.Files.(fstest.MapFS)["broken.jsonl"] = &fstest.MapFile{Data: []byte(strings.Replace(broken, "\n", "\nno JSON\n", 1))}
	assert.Equal(t, "skipped: line 2 is not one record", results(t, r)["a/broken"])
	c := &r.Manifest.Cases[0]
	c.Findings[0].Line, c.Findings[1].Line = 2, 3
	assert.NotContains(t, results(t, r)["a/broken"], "skipped")
}

// What a consumer keeps of a strange value is compared as JSON.
func TestStrangeValues(t *testing.T) {
	for answer, want := range map[string]string{
		`say [{"role": 5, "type": "message", "content": "Hi"}]`: `failed: message 0 is 5 message "Hi", expected assistant message "Hi"`,
		`say [5]`: "failed: the answer is not a list of messages: element 0 is 5",
		`say {}`:  "failed: the answer is not a list of messages: an element is an object, expected an array",
		`say hi`:  "failed: the answer is not a list of messages: invalid JSON: invalid character 'h' looking for beginning of value",
	} {
		r := newRunner(t, conformance.Consumer, answer)
		r.IDs = []string{"a/healthy"}
		assert.Equal(t, want, results(t, r)["a/healthy"])
	}
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
	text := r.NewReport("", plan).Text(strings.Clone)
	assert.Contains(t, text, "failed a/broken\n  The first end is lost.\n")
	assert.Contains(t, text, "Read next: docs/protocol.md, section Streams, LMC-STR-2 (docs/protocol.md#lmc-str-2)\n")
}

func TestReports(t *testing.T) {
	r := newRunner(t, conformance.Checker, `exit 1 [{"line": 3}]`)
	r.Without = []string{"json"}
	plan, err := r.Plan()
	require.NoError(t, err)
	require.NoError(t, r.Run(t.Context(), plan))
	done := r.NewReport("the checker", plan)
	assert.Equal(t, "must: 1 of 4 passed, 2 skipped\n", done.Summary())

	text := done.Text(func(s string) string { return strings.ReplaceAll(s, "\x1b", "ESC") })
	assert.Contains(t, text, "failed a/healthy\n  unexpected: a finding without a rule in line 3\n       3 | {")
	assert.Contains(t, text, "  standard error:\n    on standard errorESC[31m\n")
	assert.Contains(t, text, "LMC-STR-2    must   1       2       0        Streams\n")
	assert.Contains(t, text, "LMC-INP-1    must   0       1       2        Input\n")

	written, err := done.JSON()
	require.NoError(t, err)
	published := jsonschema.MustCompileString("suite-report.schema.json", string(schema.SuiteReport()))
	var document any
	require.NoError(t, json.Unmarshal(written, &document))
	require.NoError(t, published.Validate(document))
	var parsed struct {
		Total  conformance.Count
		Levels map[string]conformance.Count
		Cases  []struct{ ID, Outcome string }
	}
	require.NoError(t, json.Unmarshal(written, &parsed))
	assert.Equal(t, conformance.Count{Passed: 1, Failed: 3, Skipped: 2}, parsed.Total)
	assert.Len(t, parsed.Cases, 6)

	written, err = done.JUnit(func(s string) string { return strings.ReplaceAll(s, "\x1b", "ESC") })
	require.NoError(t, err)
	var junit struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Name string `xml:"name,attr"`
		} `xml:"testcase"`
	}
	require.NoError(t, xml.Unmarshal(written, &junit))
	assert.Equal(t, []int{6, 3, 2, 6}, []int{junit.Tests, junit.Failures, junit.Skipped, len(junit.Cases)})

	written, err = done.BadgeJSON()
	require.NoError(t, err)
	assert.JSONEq(t, `{"schemaVersion": 1, "label": "LMC conformance", "message": "1 of 4 must", "color": "#b26a00"}`, string(written))
	require.NoError(t, xml.Unmarshal(done.BadgeSVG(), new(struct{})))
	assert.Contains(t, string(done.BadgeSVG()), "1 of 4 must")
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
