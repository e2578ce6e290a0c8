package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/hostile"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/rules"
)

// doubled are the commands that read recordings, with their arguments before the input.
var doubled = [][]string{
	{"convert", "--to", "jsonl"},
	{"check", "--isolated", "--format", "json"},
	{"fix", "--isolated", "--unsafe", "--check"},
	{"timeline", "--isolated"},
	{"diff", "--isolated"},
	{"reduce", "--isolated", "--keep", "all", "--max-runs", "4"},
	{"reduce", "--isolated", "--redact"},
}

// hostileContents are what a content is made of, as JSON: each may make a rule, a
// reader or a fix look at the whole content for each part of it.
var hostileContents = []string{
	`\u001b`, `\u001b[31m`, "\u009b31m", `##active_line1##`, `\n`, `\"`, `\\`, `\ud800`, `\u0000`, "漢", "{", "[", "{'", "`py` ", " ", "</",
	`iVBORw0KGgo=`, "A", "// ", "# ",
}

// The work for a finding and its fix is proportional to the input. It is the number
// of statements that the program executes: when the content doubles, so may what is
// executed for it; if it grows by more than three times, the work is quadratic.
//
// It builds the program anew to count them, which takes longer than all other tests: it
// is one of the exhaustive tests, for which CI has the time. They try each rule with a
// few of the contents, others for each, so that each content meets several rules.
func TestWorkIsLinear(t *testing.T) {
	program := countingProgram(t)
	type hostile struct{ name, kind, protocol, dialect, text, content string }
	var all []hostile
	for _, rule := range rules.All() {
		if rule.Fixes == 0 {
			continue
		}
		e := rule.Bad[0]
		config, err := protocol.ExampleConfig(e)
		require.NoError(t, err)
		of := ""
		if rule.Protocol != nil {
			of = rule.Protocol.Name()
		}
		for _, content := range append([]string{""}, hostileContents...) {
			all = append(all, hostile{rule.ID, config.Kind, of, config.Dialect, e.Text(), content})
		}
	}
	path := filepath.Join(t.TempDir(), "input")
	for i := 0; i < len(all); i += 11 {
		h := all[i]
		var work [3]int
		for size := range work {
			require.NoError(t, os.WriteFile(path, []byte(enlarged(h.text, h.content, leastBytes<<size)), 0o600))
			arguments := []string{"--isolated", "--allow-empty", path}
			for flag, value := range map[string]string{"--kind": h.kind, "--protocol": h.protocol, "--dialect": h.dialect} {
				if value != "" {
					arguments = append(arguments, flag, value)
				}
			}
			work[size] = program.statements(t, append([]string{"check", "--format", "json"}, arguments...), append([]string{"fix", "--unsafe", "--check"}, arguments...))
		}
		assertLinear(t, work, fmt.Sprintf("%d: %s with %q", i, h.name, h.content))
	}
}

// leastBytes is the size of an input, or of its content, which doubles twice.
const leastBytes = 6 << 10

// assertLinear checks the statements for an input, for one of twice its size, and for one of
// four times its size.
func assertLinear(t *testing.T, work [3]int, what string) {
	t.Helper()
	const (
		most  = 3.0     // times as much
		noise = 500_000 // statements: buffers grow in steps; a loop for each byte over all others takes 36 million
	)
	first, second := work[1]-work[0], work[2]-work[1]
	assert.LessOrEqual(t, float64(second), most*float64(max(first, 0))+noise,
		"%s: %d statements, of twice the size %d, of four times %d", what, work[0], work[1], work[2])
}

// Each command executes for a hostile input as many statements as its size asks for. Each part in each form
// is tried in one command.
func TestWorkOfHostileInputs(t *testing.T) {
	program := countingProgram(t)
	parts := len(hostile.Parts())
	directory := t.TempDir()
	for i, in := range hostile.Inputs() {
		if (i/parts+i%parts)%9 != 0 { // others in each form
			continue
		}
		command := doubled[i%len(doubled)]
		path := filepath.Join(directory, in.File)
		arguments := append(slices.Clone(command), path)
		if n := slices.Index(command, "--max-runs"); n >= 0 {
			arguments[n+1] = "1" // some of several end early, at a new finding: together they are not proportional
		}
		if command[0] == "diff" {
			arguments = append(arguments, path)
		}
		var work [3]int
		for size := range work {
			require.NoError(t, os.WriteFile(path, in.Make(leastBytes<<size), 0o600))
			work[size] = program.statements(t, arguments)
		}
		assertLinear(t, work, command[0]+" of "+in.Name)
	}
}

// repeatedMistakes are mistakes by their name: of each, an input has the records over
// and over. The extension says the form.
var repeatedMistakes = map[string]string{
	"starts.jsonl":        `{"role": "assistant", "type": "message", "start": true}`,
	"ends.jsonl":          `{"role": "assistant", "type": "message", "end": true}`,
	"empty blocks.jsonl":  `{"role": "assistant", "type": "message", "start": true}` + "\n" + `{"role": "assistant", "type": "message", "end": true}`,
	"roles.jsonl":         `{"role": "asistant", "type": "message", "content": "Hello, this is some text"}`,
	"types.jsonl":         `{"role": "assistant", "type": "mesage", "content": "Hello, this is some text"}`,
	"no roles.jsonl":      `{"type": "message", "content": "Hello, this is some text"}`,
	"keys.jsonl":          `{"role": "assistant", "colour": "red", "type": "message", "start": true}` + "\n" + `{"role": "assistant", "type": "message", "end": true}`,
	"flags.jsonl":         `{"role": "assistant", "type": "message", "start": 1}` + "\n" + `{"role": "assistant", "type": "message", "end": 1}`,
	"formats.jsonl":       `{"role": "assistant", "type": "code", "start": true}` + "\n" + `{"role": "assistant", "type": "code", "end": true}`,
	"languages.jsonl":     `{"role": "assistant", "type": "code", "format": "pyt", "start": true}` + "\n" + `{"role": "assistant", "type": "code", "format": "pyt", "end": true}`,
	"surrogates.jsonl":    `{"role": "assistant", "type": "message", "content": "\ud800 is half of a pair"}`,
	"comments.jsonl":      `{"role": "user", "type": "message", "content": "Hi"}` + "\n# a comment\n// another one",
	"commas.jsonl":        `{"role": "user", "type": "message", "content": "Hi",}`,
	"Python.ndjson":       `{'role': 'assistant', 'type': 'message', 'start': True}` + "\n" + `{'role': 'assistant', 'type': 'message', 'end': True}`,
	"contents.json":       `{"role": "user", "type": "message", "content": 5}`,
	"types.json":          `{"role": "assistant", "type": "mesage", "content": "Hello, this is some text"}`,
	"blank messages.json": `{"role": "user", "type": "message", "content": " "}`,
	"starts.sse":          `data: {"role": "assistant", "type": "message", "start": true}` + "\n",
	"starts.log":          `12:00:00 {"role": "assistant", "type": "message", "start": true}`,
	"commands.ndjson":     `{"dir": "send", "frame": {"role": "user", "type": "command", "content": "go"}}`,
}

// However often an input has a mistake, its check executes at most 30 statements for
// each of a healthy stream of its size, and its fix 40.
func TestWorkOfMistakes(t *testing.T) {
	program := countingProgram(t)
	const healthy = `{"role": "assistant", "type": "message", "start": true}` + "\n" + `{"role": "assistant", "type": "message", "content": "Hello."}` + "\n" +
		`{"role": "assistant", "type": "message", "end": true}`
	directory := t.TempDir()
	perByte := func(name, records, command string) float64 {
		var work [2]int
		sizes := [2]int{24 << 10, 72 << 10}
		for i, size := range sizes {
			text := strings.Repeat(records+"\n", size/(len(records)+1))
			switch filepath.Ext(name) {
			case ".jsonl":
				text = healthy + "\n" + text // it is a stream
			case ".json":
				text = "[" + strings.Repeat(records+",\n", size/(len(records)+2)) + records + "]"
			}
			path := filepath.Join(directory, strconv.Itoa(i)+name)
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			arguments := []string{command, "--isolated", path}
			if command == "fix" {
				arguments = append(arguments, "--unsafe", "--check")
			}
			work[i] = program.statements(t, arguments)
		}
		return float64(work[1]-work[0]) / float64(sizes[1]-sizes[0])
	}
	least := perByte("healthy.jsonl", healthy, "check")
	for name, records := range repeatedMistakes {
		assert.LessOrEqual(t, perByte(name, records, "check"), 30*least, "check of %s", name)
		assert.LessOrEqual(t, perByte(name, records, "fix"), 40*least, "fix of %s", name)
	}
}

// contentText is a content that is a string.
var contentText = regexp.MustCompile(`(["']content["']: ["'])((?:[^"'\\]|\\.)*)(["'])`)

// enlarged returns an example whose contents have that many bytes more of a hostile
// content, or that is repeated if it has no content or that is empty.
func enlarged(text, content string, bytes int) string {
	if content == "" || !contentText.MatchString(text) {
		return strings.Repeat(text, 1+bytes/len(text))
	}
	return contentText.ReplaceAllStringFunc(text, func(member string) string {
		parts := contentText.FindStringSubmatch(member)
		return parts[1] + parts[2] + strings.Repeat(content, bytes/len(content)) + parts[3]
	})
}

// counting is a program that counts the statements that it executes.
type counting struct{ path, covdata string }

func countingProgram(t *testing.T) counting {
	t.Helper()
	if !exhaustive.Enabled() {
		t.Skip("set " + exhaustive.Variable + " to run it: it builds the program again")
	}
	path := filepath.Join(t.TempDir(), "lmclint")
	const module = "github.com/lmclint/lmclint"
	build := exec.Command("go", "build", "-cover", "-covermode=count", "-coverpkg="+module+"/...", "-o", path, ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command("go", "tool", "-n", "covdata").Output()
	require.NoError(t, err)
	return counting{path, strings.TrimSpace(string(out))}
}

// statements returns how many statements some runs execute. How they end does not
// matter, as long as they do not fail.
func (c *counting) statements(t *testing.T, runs ...[]string) (count int) {
	t.Helper()
	dir := t.TempDir()
	for _, arguments := range runs {
		run := exec.Command(c.path, arguments...)
		run.Env = append(os.Environ(), "GOCOVERDIR="+dir)
		out, err := run.CombinedOutput()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = nil
		}
		require.NoError(t, err)
		require.NotContains(t, string(out), "internal error", "%q", arguments)
	}
	profile := filepath.Join(dir, "profile")
	out, err := exec.Command(c.covdata, "textfmt", "-i", dir, "-o", profile).CombinedOutput()
	require.NoError(t, err, "%s", out)
	file, err := os.Open(profile)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue // the mode
		}
		statements, err := strconv.Atoi(fields[1])
		require.NoError(t, err)
		times, err := strconv.Atoi(fields[2])
		require.NoError(t, err)
		count += statements * times
	}
	return count
}
