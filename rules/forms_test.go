package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/lint"
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
	"envelopes":         func(n int, record string) string { return fmt.Sprintf(`{"seq": %d, "chunk": %s}`+"\n", n, record) },
	"envelopes of text": func(_ int, record string) string { return `{"event": "chunk", "data": ` + quotedText(record) + "}\n" },
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

// A record has the same findings in every form.
func TestFormsAgree(t *testing.T) {
	both := newLanes(lint.Config{Kind: "stream", Dialect: "interpreter"})
	checked := 0
	for _, pattern := range []string{"bad/lmc[1-4]*.jsonl", "ok/*.jsonl", "recorded/v0.4.2/*.chunks.jsonl", "recorded/v0.3.4/*.chunks.jsonl"} {
		files, err := filepath.Glob(filepath.Join(suite, pattern))
		require.NoError(t, err)
		for _, file := range exhaustive.Sample(files, 25) {
			records, ok := recordsOf(t, file)
			if !ok {
				continue
			}
			checked++
			want := findingsByRecord(t, both.fast, []byte(strings.Join(records, "\n")))
			for name, render := range renderings {
				var text strings.Builder
				for i, record := range records {
					text.WriteString(render(i, record))
				}
				require.Equal(t, want, findingsByRecord(t, both.fast, []byte(text.String())), "%s as %s", file, name)
				both.agree(t, []byte(text.String()+text.String()))
			}
		}
	}
	require.Greater(t, checked, 50)
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
		case line[0] != '{' || !json.Valid([]byte(line)) || !strings.Contains(line, `"role"`) || len(data) > 50_000 || isPacked.MatchString(line):
			return nil, false
		default:
			records = append(records, line)
		}
	}
	return records, len(records) > 0
}

// isPacked matches what is no record by itself, or too deep to be wrapped.
var isPacked = regexp.MustCompile(`"(messages|dir)"|\[\[\[\[`)

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
