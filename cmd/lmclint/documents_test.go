package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
)

// documentsFolder has the examples of the documentation, each unchanged.
const documentsFolder = "../../testdata/documents"

var (
	// documentBlock is one example of a page: the word after its language, and its text.
	documentBlock = regexp.MustCompile("(?ms)^```python (\\w+)\n(.*?)^```$")
	// formatRow is a row of the table of types and formats.
	formatRow = regexp.MustCompile(`(?m)^\| (message|console|image|code|audio) \| ([\w.]+) \| [\w, ]+ \|$`)
	// documentedMessage is an item of the list of message types of Semantic Workbench.
	documentedMessage = regexp.MustCompile("(?m)^- `(\\w+)`$")
	commentLine       = regexp.MustCompile(`(?m)^#.*\n`)
)

// reportOn gives a text to the command, as a file with a name that ends in ext, or on
// standard input if ext is empty, and returns the exit status and the findings.
func reportOn(t *testing.T, ext, text string, flags ...string) string {
	t.Helper()
	var out bytes.Buffer
	name := "-"
	if ext != "" {
		name = filepath.Join(t.TempDir(), "document"+ext)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	c := Command{Stdin: strings.NewReader(text), Stdout: &out, Stderr: io.Discard}
	said := fmt.Sprint("status ", c.Main(append([]string{"check", "--isolated", "--format", "json", name}, flags...)))
	var report struct {
		Findings []struct {
			Rule, Severity string
			Line           int
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	for _, f := range report.Findings {
		if f.Severity == "note" && !strings.HasPrefix(f.Rule, "WB") {
			continue // about the form
		}
		said += fmt.Sprintf(", line %d %s %s", f.Line, f.Severity, f.Rule)
	}
	return said
}

func readDocument(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(documentsFolder, name))
	require.NoError(t, err)
	return string(text)
}

// The examples of the documentation, copied unchanged, have no errors. Where releases
// disagree there is one warning. In data, where each line counts, comments are one
// error. An excerpt alone is a stream with missing parts, and nothing else is
// wrong with it. Any role can produce any of the formats of the table.
func TestGeneratedDocuments(t *testing.T) {
	var out strings.Builder
	row := func(what, ext, text string, flags ...string) {
		fmt.Fprintf(&out, "%s: %s\n", strings.TrimSpace(fmt.Sprintf("%s as %s %s", what, ext, strings.Join(flags, " "))), reportOn(t, ext, text, flags...))
	}
	for _, name := range []string{"lmc-messages.md", "lmc-messages-text.md", "lmc-messages-lines.md", "streaming-response.md"} {
		for _, ext := range []string{".md", ".txt"} {
			row(name, ext, readDocument(t, name))
		}
		for i, block := range documentBlock.FindAllStringSubmatch(readDocument(t, name), -1) {
			what, text := fmt.Sprintf("%s, %s %d", name, block[1], i+1), block[2]
			switch block[1] {
			case "template":
				continue
			case "excerpt":
				row(what, ".jsonl", text)
				continue
			}
			for _, ext := range []string{".txt", ".md", ".jsonl", ".json", ""} {
				row(what, ext, text)
			}
			for _, dialect := range []string{"interpreter", "docs"} {
				row(what, ".jsonl", commentLine.ReplaceAllString(text, ""), "--dialect", dialect)
			}
		}
	}
	contents := map[string]string{
		"message": "Hi", "active_line": "1", "output": "1\n", "path": "/tmp/plot.png", "html": "<b>1</b>", "wav": "/tmp/question.wav",
		"base64": onePNG, "base64.png": onePNG, "base64.jpeg": oneJPEG,
	}
	for _, format := range formatRow.FindAllStringSubmatch(readDocument(t, "lmc-messages.md"), -1) {
		for _, role := range []string{"user", "assistant", "computer"} {
			message := map[string]any{"role": role, "type": format[1], "content": "1"}
			if format[2] != "None" {
				message["format"] = format[2]
			}
			for _, key := range []string{format[1], format[2]} {
				if content, ok := contents[key]; ok {
					message["content"] = content
				}
			}
			last, err := json.Marshal(message)
			require.NoError(t, err)
			inEveryForm(row, format[1]+" "+format[2]+" of "+role, `{"role": "user", "type": "message", "content": "What is 1?"}`,
				`{"role": "assistant", "type": "code", "format": "python", "content": "print(1)"}`, string(last))
		}
	}
	var messages []string
	for _, one := range documentedMessage.FindAllStringSubmatch(readDocument(t, "message-types.md"), -1) {
		role, content := "assistant", "Done."
		if one[1] == "command" {
			role, content = "user", "/summarize"
		}
		messages = append(messages, `{"message_type": "`+one[1]+`", "content": "`+content+`", "sender": {"participant_id": "`+role+`", "participant_role": "`+role+`"}}`)
	}
	inEveryForm(row, "message types", messages...)
	row("message types in an envelope", "", `{"messages": [`+strings.Join(messages, ", ")+`]}`)
	generated.File(t, "testdata/documents.txt", []byte(out.String()))
}

func inEveryForm(row func(what, ext, text string, flags ...string), what string, records ...string) {
	row(what, ".json", "["+strings.Join(records, ",\n")+"]")
	row(what, ".jsonl", strings.Join(records, "\n"))
	row(what, "", strings.Join(records, "\n"))
}

// Images of one pixel.
const (
	onePNG  = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AAYAA+e4F9gAAAAASUVORK5CYII=`
	oneJPEG = `/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z`
)
