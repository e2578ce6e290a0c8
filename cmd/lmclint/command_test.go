package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

const unclosed = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "start": true}
`

// run runs the program within the test.
func run(args ...string) (status int, stdout string) {
	var out bytes.Buffer
	c := Command{Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard}
	status = c.Main(args)
	return status, out.String()
}

func TestHelpFitsOneScreen(t *testing.T) {
	const lines, columns = 40, 80
	for _, args := range append([][]string{{"help"}}, helpOfEach()...) {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			status, out := run(args...)
			assert.Equal(t, exitClean, status)
			assert.Contains(t, out, "\nUsage:\n")
			if len(args) > 1 && args[1] != "completion" { // which is cobra's
				assert.Contains(t, out, "\nExamples:\n  lmclint ")
			}
			assert.LessOrEqual(t, strings.Count(out, "\n"), lines)
			for line := range strings.Lines(out) {
				assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), columns, line)
			}
		})
	}
}

func helpOfEach() [][]string {
	var calls [][]string
	for _, cmd := range commandsForTest() {
		calls = append(calls, []string{"help", cmd})
	}
	return calls
}

// commandsForTest are the names of the commands, in the order of the help.
func commandsForTest() []string { return commandNames((&Command{}).newRoot()) }

func TestSchemasArePrintedAsTheyArePublished(t *testing.T) {
	published, err := schema.Published()
	require.NoError(t, err)
	for _, s := range published {
		want, err := os.ReadFile(filepath.Join("..", "..", "schema", s.Folder(), s.Name+".schema.json"))
		require.NoError(t, err)
		status, out := run("schema", s.Name, "--protocol", s.Protocol, "--dialect", cmp.Or(s.Dialect, "interpreter"))
		assert.Equal(t, exitClean, status)
		assert.Equal(t, string(want), out, "%s of %s", s.Name, s.Dialect)
	}
	want, err := os.ReadFile(filepath.Join("..", "..", "schema", "report.schema.json"))
	require.NoError(t, err)
	_, out := run("schema", "report")
	assert.Equal(t, string(want), out)
}

func TestEveryRuleIsListedAndExplained(t *testing.T) {
	_, text := run("rules", "--format", "json")
	var listed []struct{ ID, Name, Summary string }
	require.NoError(t, json.Unmarshal([]byte(text), &listed))
	all := rules.All()
	require.Len(t, listed, len(all))
	for i, r := range all {
		assert.Equal(t, r.ID, listed[i].ID)
	}
	for _, r := range exhaustive.Sample(all, 30) {
		status, out := run("explain", r.Name)
		assert.Equal(t, exitClean, status, r.Name)
		assert.Contains(t, out, r.ID+" "+r.Name+"\n")
		for line := range strings.Lines(out) {
			line = strings.TrimSuffix(line, "\n")
			assert.Equal(t, report.EscapeControls(line), line)
		}
	}
}

func TestWrap(t *testing.T) {
	long := strings.Repeat("word ", 40)
	for line := range strings.Lines(wrapTo(long, "  - ", "    ", helpColumns)) {
		assert.LessOrEqual(t, len(line), helpColumns+1)
	}
	assert.Equal(t, "- a b\n", wrapTo("a\nb", "- ", "  ", helpColumns))
	assert.Equal(t, "- a\n\n  b\n", wrapTo("a\n\nb", "- ", "  ", helpColumns))
	assert.Equal(t, "  "+strings.Repeat("x", 100)+"\n", wrapTo(strings.Repeat("x", 100), "  ", "  ", helpColumns))
}

// The manual has a page for each command, in the macros of man(7).
func TestManualPages(t *testing.T) {
	for _, command := range append(commandsForTest(), "") {
		args := []string{"man", command}
		if command == "" {
			args = args[:1]
		}
		status, page := run(args...)
		require.Equal(t, exitClean, status)
		assert.Contains(t, page, "\n.SH SYNOPSIS\n")
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, ".") {
				assert.Regexp(t, `^\.(TH|SH|PP|TP|RS|RE|nh|EX|EE)\b`, line)
			}
		}
	}
}
