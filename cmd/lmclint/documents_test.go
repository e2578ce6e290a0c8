package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documentsFolder has the examples of the documentation, each unchanged.
const documentsFolder = "../../testdata/documents"

// documentBlock is one example of a page: the word after its language, and its text.
var documentBlock = regexp.MustCompile("(?ms)^```python (\\w+)\n(.*?)^```$")

// formatRow is a row of the table of types and formats.
var formatRow = regexp.MustCompile(`(?m)^\| (message|console|image|code|audio) \| ([\w.]+) \| [\w, ]+ \|$`)

// documentedMessage is an item of the list of message types of Semantic Workbench.
var documentedMessage = regexp.MustCompile("(?m)^- `(\\w+)`$")

// found is what the command reports of one input.
type found struct {
	status                  int
	errors, warnings, notes []string // rules
	first                   int      // line of the first error
}

// lintDocument gives a text to the command: as a file with a name that ends in ext, or
// on standard input if ext is empty.
func lintDocument(t *testing.T, ext, text string, flags ...string) found {
	t.Helper()
	var out, stderr bytes.Buffer
	name := "-"
	if ext != "" {
		name = filepath.Join(t.TempDir(), "document"+ext)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	c := Command{Stdin: strings.NewReader(text), Stdout: &out, Stderr: &stderr}
	f := found{status: c.Main(append([]string{"check", "--isolated", "--format", "json", name}, flags...))}
	var report struct {
		Findings []struct {
			Rule, Severity string
			Line           int
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &report), "%s: %s", ext, stderr.String())
	for _, one := range report.Findings {
		switch one.Severity {
		case "error":
			if len(f.errors) == 0 {
				f.first = one.Line
			}
			f.errors = append(f.errors, one.Rule)
		case "warning":
			f.warnings = append(f.warnings, one.Rule)
		default:
			f.notes = append(f.notes, one.Rule)
		}
	}
	return f
}

// readDocument returns a page of the documentation.
func readDocument(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(documentsFolder, name))
	require.NoError(t, err)
	return string(text)
}

// streamWarnings are what releases disagree with in the documented stream.
var streamWarnings = []string{"LMC114", "LMC307"}

// The examples of the documentation, copied unchanged, have no errors. Where releases
// disagree there is one warning. In data, where each line counts, comments are one error.
func TestDocumentedExamples(t *testing.T) {
	t.Parallel()
	examples := 0
	for _, name := range []string{"lmc-messages.md", "lmc-messages-text.md", "lmc-messages-lines.md", "streaming-response.md"} {
		for _, block := range documentBlock.FindAllStringSubmatch(readDocument(t, name), -1) {
			kind, text := block[1], block[2]
			if kind != "conversation" && kind != "stream" {
				continue
			}
			examples++
			var warnings, named []string
			if strings.Contains(text, "confirmation") {
				warnings, named = streamWarnings, streamWarnings
			}
			for _, ext := range []string{".txt", ".md"} {
				f := lintDocument(t, ext, text)
				assert.Equal(t, exitClean, f.status, "%s %s", name, ext)
				assert.Empty(t, f.errors, "%s %s", name, ext)
				assert.Equal(t, warnings, f.warnings, "%s %s", name, ext)
			}
			for _, ext := range []string{".jsonl", ".json", ""} {
				f := lintDocument(t, ext, text)
				assert.Equal(t, warnings, f.warnings, "%s %s", name, ext)
				if !strings.HasPrefix(text, "#") {
					assert.Equal(t, exitClean, f.status, "%s %s", name, ext)
					assert.Empty(t, f.errors, "%s %s", name, ext)
					continue
				}
				assert.Equal(t, exitFindings, f.status, "%s %s", name, ext)
				assert.Equal(t, []string{"LMC001"}, f.errors, "%s %s", name, ext)
				assert.Equal(t, 1, f.first, "%s %s", name, ext)
			}
			assert.Equal(t, named, lintDocument(t, ".jsonl", withoutComments(text), "--dialect", "interpreter").errors, name)
			f := lintDocument(t, ".jsonl", withoutComments(text), "--dialect", "docs")
			assert.Equal(t, exitClean, f.status, name)
			assert.Empty(t, f.warnings, name)
		}
	}
	assert.Equal(t, 5, examples)
}

// withoutComments returns the lines of a text that are not comments.
func withoutComments(text string) string {
	return regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(text, "")
}

// A whole page has excerpts of its examples, in which something is always missing.
func TestDocumentedPages(t *testing.T) {
	t.Parallel()
	for name, warnings := range map[string][]string{
		"lmc-messages.md": nil, "lmc-messages-text.md": nil, "lmc-messages-lines.md": nil, "streaming-response.md": streamWarnings,
	} {
		for _, ext := range []string{".md", ".txt"} {
			f := lintDocument(t, ext, readDocument(t, name))
			assert.Equal(t, exitClean, f.status, "%s %s", name, ext)
			assert.Empty(t, f.errors, "%s %s", name, ext)
			assert.Equal(t, warnings, f.warnings, "%s %s", name, ext)
		}
	}
}

// Alone, as data, an excerpt is a stream of which the rest is missing. That is all that is
// wrong with it. A single content of the console is a row of the table of messages.
func TestDocumentedExcerpts(t *testing.T) {
	t.Parallel()
	incomplete := []string{"LMC201", "LMC203", "LMC204", "LMC302", "LMC114"}
	excerpts := 0
	for _, block := range documentBlock.FindAllStringSubmatch(readDocument(t, "streaming-response.md"), -1) {
		if block[1] != "excerpt" {
			continue
		}
		excerpts++
		f := lintDocument(t, ".jsonl", block[2])
		if isRow := strings.Contains(block[2], `"type": "console", "format"`); isRow {
			assert.Empty(t, f.errors, block[2])
			assert.Subset(t, []string{"LMC502"}, f.warnings, block[2])
			continue
		}
		assert.Len(t, f.errors, 1, block[2])
		assert.Subset(t, incomplete, append(f.errors, f.warnings...), block[2])
	}
	assert.Equal(t, 7, excerpts)
}

// Any role can produce any of the formats of the table, in a list and in lines. Of what
// releases do not accept there is one warning.
func TestDocumentedFormats(t *testing.T) {
	t.Parallel()
	contents := map[string]string{
		"message": "Hi", "active_line": "1", "output": "1\n", "path": "/tmp/plot.png", "html": "<b>1</b>", "wav": "/tmp/question.wav",
		"base64": onePNG, "base64.png": onePNG, "base64.jpeg": oneJPEG,
	}
	rows := formatRow.FindAllStringSubmatch(readDocument(t, "lmc-messages.md"), -1)
	require.Len(t, rows, 14)
	for _, row := range rows {
		for _, role := range []string{"user", "assistant", "computer"} {
			message := map[string]any{"role": role, "type": row[1], "content": "1"}
			if row[2] != "None" {
				message["format"] = row[2]
			}
			for _, key := range []string{row[1], row[2]} {
				if content, ok := contents[key]; ok {
					message["content"] = content
				}
			}
			var warnings []string
			switch row[2] {
			case "active_line":
				warnings = []string{"LMC502"}
			case "wav":
				warnings = []string{"LMC508"}
			}
			last, err := json.Marshal(message)
			require.NoError(t, err)
			records := []string{
				`{"role": "user", "type": "message", "content": "What is 1?"}`,
				`{"role": "assistant", "type": "code", "format": "python", "content": "print(1)"}`,
				string(last),
			}
			for ext, text := range map[string]string{".json": "[" + strings.Join(records, ",\n") + "]", ".jsonl": strings.Join(records, "\n"), "": strings.Join(records, "\n")} {
				f := lintDocument(t, ext, text)
				assert.Equal(t, exitClean, f.status, "%s %s", ext, last)
				assert.Empty(t, f.errors, "%s %s", ext, last)
				assert.Equal(t, warnings, f.warnings, "%s %s", ext, last)
			}
		}
	}
}

// Images of one pixel.
const (
	onePNG  = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AAYAA+e4F9gAAAAASUVORK5CYII=`
	oneJPEG = `/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z`
)

// The types of Semantic Workbench, in the order in which its page describes them, make a
// conversation without errors and warnings.
func TestDocumentedMessageTypes(t *testing.T) {
	t.Parallel()
	types := documentedMessage.FindAllStringSubmatch(readDocument(t, "message-types.md"), -1)
	require.Len(t, types, 6)
	var messages []string
	for _, one := range types {
		role, content := "assistant", "Done."
		if one[1] == "command" {
			role, content = "user", "/summarize"
		}
		messages = append(messages, `{"message_type": "`+one[1]+`", "content": "`+content+`", "sender": {"participant_id": "`+role+`", "participant_role": "`+role+`"}}`)
	}
	for ext, text := range map[string]string{
		".json": "[" + strings.Join(messages, ",\n") + "]", ".jsonl": strings.Join(messages, "\n"), "": `{"messages": [` + strings.Join(messages, ", ") + `]}`,
	} {
		f := lintDocument(t, ext, text)
		assert.Equal(t, exitClean, f.status, ext)
		assert.Empty(t, append(f.errors, f.warnings...), ext)
		assert.Equal(t, []string{"WB002"}, f.notes, ext)
	}
}
