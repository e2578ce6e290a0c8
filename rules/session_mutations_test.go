package rules_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/lint"
)

// healthySessions are recordings without any mistake.
var healthySessions = []string{"ws_ack", "ws_go", "ws_image_typed", "ws_msg", "ws_msg_chunked", "ws_msg_typed", "ws_review", "ws_shell_autorun"}

// frameKind says what the frame of a line is: "user start", "command content",
// "answer end", "null", "complete", "ack" and so on.
func frameKind(t *testing.T, line string) string {
	t.Helper()
	var entry struct{ Frame map[string]any }
	require.NoError(t, json.Unmarshal([]byte(line), &entry))
	who, event := entry.Frame["role"], "content"
	for _, flag := range []string{"start", "end"} {
		if entry.Frame[flag] != nil {
			event = flag
		}
	}
	switch {
	case entry.Frame["ack"] != nil:
		return "ack"
	case who == "server":
		return "complete"
	case entry.Frame["auth"] != nil:
		return "auth"
	case entry.Frame["format"] == "active_line" && entry.Frame["content"] == nil:
		return "null"
	case entry.Frame["type"] == "command":
		who = "command"
	case who == "user" && entry.Frame["type"] == nil:
		who = "typeless"
	case who != "user":
		who = "answer"
	}
	return fmt.Sprint(who, " ", event)
}

// replaced replaces texts of a line.
func replaced(oldNew ...string) func(log []string, i int) []string {
	return func(log []string, i int) []string {
		return with(log, i, strings.NewReplacer(oldNew...).Replace(log[i]))
	}
}

// sessionMutations are what may happen to the line at i of a log.
var sessionMutations = []struct {
	name string
	do   func(log []string, i int) []string
}{
	{"drop", func(log []string, i int) []string { return slices.Delete(slices.Clone(log), i, i+1) }},
	{"double", func(log []string, i int) []string { return slices.Insert(slices.Clone(log), i, log[i]) }},
	{"cut after it", func(log []string, i int) []string { return log[:i+1] }},
	{"log it on the wrong side", replaced(`"dir": "send"`, `"dir": "recv"`, `"dir": "recv"`, `"dir": "send"`)},
	{"give it the role of the other side", replaced(`"role": "user"`, `"role": "assistant"`, `"role": "assistant"`, `"role": "user"`, `"role": "computer"`, `"role": "user"`)},
	{"end it where it starts", replaced(`"start": true`, `"end": true`)},
	{"swap it with the next", func(log []string, i int) []string {
		if i+1 == len(log) {
			return log
		}
		return with(with(log, i, log[i+1]), i+1, log[i])
	}},
	{"misspell it", replaced(`"go"`, `"goo"`)},
	{"leave it without its flags", func(log []string, i int) []string {
		if i == 0 || i+2 > len(log) {
			return log
		}
		return slices.Concat(log[:i-1], log[i:i+1], log[i+2:])
	}},
	{"acknowledge another id", replaced(`"ack": "`, `"ack": "x`)},
	{"misspell its id", replaced(`"id": "`, `"idd": "`)},
}

// One mistake in a healthy session is one finding, at its frame: the table has what is
// found for each kind of frame, with the line, counted from the frame. In acknowledge
// mode, the ids of frames show which of them are missing from a log.
func TestGeneratedSessionMistakes(t *testing.T) {
	table := map[string]map[string]int{} // how often each finding, by mistake and kind
	for _, name := range healthySessions {
		data, err := os.ReadFile(filepath.Join(suiteRoot, "recorded/v0.4.2", name+".ws.jsonl"))
		require.NoError(t, err)
		log := slices.Collect(strings.Lines(string(data)))
		mode := ""
		if name == "ws_ack" {
			mode = " in acknowledge mode"
		}
		for i, line := range log {
			for _, m := range sessionMutations {
				changed := m.do(log, i)
				if slices.Equal(changed, log) {
					continue
				}
				var places []string
				for _, f := range found(t, lint.Example{Input: strings.Join(changed, ""), Config: lint.Config{AutoRun: name == "ws_ack" || name == "ws_shell_autorun"}}) {
					var at int
					rule, place, _ := strings.Cut(f, " ")
					_, err := fmt.Sscanf(place, "%d:", &at)
					require.NoError(t, err)
					places = append(places, fmt.Sprintf("%s %+d", rule, min(max(at-1-i, -4), 4)))
				}
				row := m.name + mode + ": " + frameKind(t, line)
				if table[row] == nil {
					table[row] = map[string]int{}
				}
				table[row][strings.Join(places, ", ")]++
			}
		}
	}
	var out strings.Builder
	for _, row := range slices.Sorted(maps.Keys(table)) {
		out.WriteString(row + "\n")
		for _, places := range slices.Sorted(maps.Keys(table[row])) {
			fmt.Fprintf(&out, "\t%d times: %s\n", table[row][places], cmp.Or(places, "nothing"))
		}
	}
	generated.File(t, "testdata/session_mistakes.txt", []byte(out.String()))
}
