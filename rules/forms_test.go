package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/internal/verify/suite/jsongrammar"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// renderings write a record, which has a number, as each form has it.
var renderings = map[string]func(number int, record string) string{
	"events":              func(_ int, record string) string { return "data: " + record + "\n\n" },
	"events with returns": func(_ int, record string) string { return "data:" + record + "\r\n\r\n" },
	"events without gaps": func(_ int, record string) string { return "data: " + record + "\n" },
	"named events":        func(n int, record string) string { return fmt.Sprintf("id: %d\nevent: chunk\ndata: %s\n\n", n, record) },
	"events over lines": func(_ int, record string) string {
		return "data: " + strings.ReplaceAll(indented(record), "\n", "\n: x\ndata:") + "\n\n"
	},
	"envelopes": func(n int, record string) string { return fmt.Sprintf(`{"seq": %d, "chunk": %s}`+"\n", n, record) },
	"envelopes in events": func(n int, record string) string {
		return fmt.Sprintf(`data: {"type": "chunk", "chunk": %s, "n": %d}`+"\n\n", record, n)
	},
	"session log": func(n int, record string) string {
		return fmt.Sprintf(`{"t": %d, "dir": "recv", "frame": %s}`+"\n", n, record)
	},
	"session log of text": func(_ int, record string) string { return `{"dir": "recv", "text": ` + quotedText(record) + "}\n" },
	"session log with notes": func(_ int, record string) string {
		return `{"dir": "note"}` + "\n" + `{"dir": "recv", "frame":` + record + "}\n"
	},
}

func indented(record string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(record), "", " ") != nil {
		return record
	}
	return out.String()
}

func quotedText(record string) string {
	text, err := json.Marshal(record)
	if err != nil {
		return `""`
	}
	return string(text)
}

// A record has the same findings in every form. One that is itself wrong (LMC1xx) may not
// show in an event or in another object that it is LMC.
func TestFormsAgree(t *testing.T) {
	t.Parallel()
	both := newLanes(lint.Config{Kind: "stream", Dialect: "interpreter"})
	checked := 0
	for _, pattern := range []string{"*/bad/lmc[2-4]*.jsonl", "*/ok/*.jsonl", "recorded/v0.4.2/*.chunks.jsonl", "recorded/v0.3.4/*.chunks.jsonl"} {
		files, err := filepath.Glob(filepath.Join(suiteRoot, pattern))
		require.NoError(t, err)
		for _, file := range exhaustive.Sample(files, 16) {
			records, ok := recordsOf(t, file)
			if !ok || strings.Contains(records[0], `"role": "start"`) { // no sign of LMC in an event
				continue
			}
			checked++
			want := findingsByRecord(t, both.fast, []byte(strings.Join(records, "\n")))
			for name, render := range renderings {
				if strings.Contains(render(0, ""), "event") && !strings.Contains(records[0], `"type"`) {
					continue // an event with a name may be of another protocol
				}
				var text strings.Builder
				for i, record := range records {
					text.WriteString(render(i, record))
				}
				require.Equal(t, want, findingsByRecord(t, both.fast, []byte(text.String())), "%s as %s", file, name)
				both.agree(t, []byte(text.String()+text.String()))
			}
		}
	}
	require.Greater(t, checked, 40)
}

// recordsOf returns the lines of a file that holds a record on each, and of
// which none is broken or very long.
func recordsOf(t *testing.T, file string) (records []string, ok bool) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case line[0] != '{' || !hasRole(line) || len(data) > 50_000 || isPacked.MatchString(line):
			return nil, false
		default:
			records = append(records, line)
		}
	}
	return records, len(records) > 0
}

// hasRole reports whether a line is valid JSON, an object with a role of its own.
func hasRole(line string) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal([]byte(line), &members) == nil && members["role"] != nil
}

// isPacked matches text that is not a record by itself, or too deep to be wrapped.
var isPacked = regexp.MustCompile(`"(messages|chunks|dir|lmc)"|\\"role\\"|\[\[\[\[`)

// findingsByRecord writes out what a linter finds, by records instead of places.
func findingsByRecord(t *testing.T, linter *lint.Linter, data []byte) string {
	t.Helper()
	var out strings.Builder
	_, err := linter.Run(context.Background(), "in", bytes.NewReader(data), func(f lint.Finding) error {
		fmt.Fprintf(&out, "%s %s %q %d %s", f.Rule.ID, f.Severity, f.Message, f.Place.Record, f.Place.Pointer)
		for _, related := range f.Related {
			fmt.Fprintf(&out, " %q %d %s", related.Message, related.Place.Record, related.Place.Pointer)
		}
		out.WriteString("\n")
		return nil
	})
	require.NoError(t, err)
	return out.String()
}

// Streams of events that are odd somewhere are the same for both lanes,
// however they arrive.
func TestLanesAgreeOnEvents(t *testing.T) {
	both := newLanes(lint.Config{Kind: "stream", Dialect: "interpreter"})
	start, content, end := `{"role": "assistant", "type": "message", "start": true}`, `{"role": "assistant", "type": "message", "content": "Hi"}`, `{"role": "assistant", "type": "message", "end": true}`
	for _, odd := range []string{
		"", ": comment\n\n", "event: x\ndata: " + content + "\n\n", "data:" + content + "\n\n", "data: " + content + "\r\n\r\n", "data: " + content + "\r\r",
		"data: " + content + "\n", "data: " + content + " x\n\n", "data: " + content + ",\n\n", "data: {\"role\":\n\n", "data: {\"role\": \"assistant\", \"type\": \"message\",\ndata: \"content\": \"a\"}\n\n",
		"{}\n\n", "data: [DONE]\n\n", "data\n\n", "data: " + strings.TrimSuffix(content, "}") + "\n\n", "data: " + content + content + "\n\n", "  data: " + content + "\n\n",
	} {
		var text strings.Builder
		for range 3 {
			for _, record := range []string{start, content, content, content, end} {
				text.WriteString("data: " + record + "\n\n")
			}
			text.WriteString("data: " + start + "\n\n" + odd + "data: " + content + "\n\n" + odd + "data: " + content + "\n\n" + "data: " + end + "\n\n")
		}
		data := []byte(text.String())
		both.agree(t, data)
		both.agreeInParts(t, data)
		both.agreeInParts(t, bytes.TrimSuffix(data, []byte("}\n\n")))
	}
}

// notJSON are the rules that report text that is not JSON.
var notJSON = []string{"LMC001", "LMC002", "LMC005", "LMC010"}

// TestJSON lints the table of the grammar of JSON: valid JSON is read, invalid JSON is
// reported, and both paths have the same findings.
func TestJSON(t *testing.T) {
	options := []lint.Option{lint.WithConfig(lint.Config{Form: "json", Kind: "transcript"})}
	fast, slow := linttest.MustNew(rules.All(), options...), linttest.MustNew(rules.All(), append(options, lint.WithoutFastPath())...)
	for _, c := range jsongrammar.Cases() {
		text := []byte(c.Text)
		assert.Equal(t, everything(slow, bytes.NewReader(text)), everything(fast, bytes.NewReader(text)), c.Name)
		var found []string
		for _, f := range lintAll(t, fast, c.Name, text) {
			found = append(found, f.Rule.ID)
		}
		unread := slices.ContainsFunc(found, func(id string) bool { return slices.Contains(notJSON, id) })
		switch {
		case c.Choice != "":
		case c.Reason == "":
			assert.False(t, unread, "%s is JSON: %v", c.Name, found)
		default:
			assert.True(t, unread || slices.Contains(found, "LMC011"), "%s is not JSON, %s: %v", c.Name, c.Reason, found)
		}
	}
}

// A recorded session gives the same findings about the same records, whether it
// is a log of the connection or a browser's recording of its traffic.
func TestTrafficGivesTheSame(t *testing.T) {
	recordings, err := filepath.Glob(filepath.Join(suiteRoot, "recorded", "*", "*.har"))
	require.NoError(t, err)
	require.NotEmpty(t, recordings)
	for _, traffic := range recordings {
		log := strings.TrimSuffix(traffic, ".har") + ".ws.jsonl"
		for _, o := range []suite.Options{{}, {Dialect: "interpreter"}, {Dialect: "docs"}} {
			want, foreign := judge(t, log, o)
			require.False(t, foreign, log)
			got, foreign := judge(t, traffic, o)
			require.False(t, foreign, traffic)
			assert.Equal(t, withoutPlaces(want), withoutPlaces(got), "%s under %q", traffic, o.Dialect)
		}
	}
}

// withoutPlaces clears the lines and columns of findings.
func withoutPlaces(findings []suite.Finding) []suite.Finding {
	for i := range findings {
		findings[i].Line, findings[i].Column = 0, 0
	}
	return findings
}

// A page shows streams in parts. What a part omits is not a mistake, and what
// is wrong within one is.
func TestParts(t *testing.T) {
	const (
		start   = `{"role": "assistant", "type": "message", "start": true}` + "\n"
		content = `{"role": "assistant", "type": "message", "content": "Hi"}` + "\n"
		end     = `{"role": "assistant", "type": "message", "end": true}` + "\n"
		console = `{"role": "computer", "type": "console", "start": true}` + "\n"
		output  = `{"role": "computer", "type": "console", "format": "output", "content": "1"}` + "\n"
		done    = `{"role": "computer", "type": "console", "end": true}` + "\n"
		words   = "\nThen it goes on:\n\n"
	)
	tests := []struct {
		name, page string
		want       []string
	}{
		{"one part over several", start + words + content + content + words + end, []string{"LMC012"}},
		{"single chunks", start + words + output + words + done + words + end + words + content, []string{"LMC012"}},
		{"a block without its code", start + content + end + words + console + output + done, []string{"LMC012"}},
		{"a whole block is lost behind a part", words + end + words + start + content + end, []string{"LMC012"}},
		{"lost end in a part", start + content + start + content + end + words + start + content + end, []string{"LMC202", "LMC012"}},
		{"lost start in a part", start + content + end + content + end + words + output, []string{"LMC201", "LMC012"}},
		{"the only part is cut", start + content, []string{"LMC012", "LMC203"}},
		{"the only part lacks a start", content + content + end, []string{"LMC012", "LMC201"}},
		{"a list parts nothing", start + "[" + strings.TrimSpace(console) + "]\n" + content + start + content + end, []string{"LMC501", "LMC202", "LMC012"}},
		{"shape is judged everywhere", start + words + `{"role": "assistant", "type": "mesage", "content": "Hi"}` + "\n", []string{"LMC104", "LMC012"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, f := range lintAll(t, linterFor(lint.Config{}), "page.md", []byte("## Chunks\n\n"+test.page)) {
				got = append(got, f.Rule.ID)
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// The fast path, which knows records of earlier inputs, notices that they are
// JSON.
func TestLanguageOnBothPaths(t *testing.T) {
	const healthy = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`
	both := newLanes(lint.Config{Kind: "stream", Dialect: "interpreter"})
	for _, text := range []string{healthy, strings.Replace(healthy+healthy, "end\": true}\n{", "end\": True}\n{", 1), healthy + strings.ReplaceAll(healthy, "true", "True")} {
		want := everything(both.slow, strings.NewReader(text))
		assert.Equal(t, want, everything(both.fast, strings.NewReader(text)))
		assert.Equal(t, want, everything(both.fast, strings.NewReader(text)))
	}
}
