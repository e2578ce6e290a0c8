package rules_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/lint"
)

// healthySessions are recordings without any mistake.
var healthySessions = []string{"ws_go", "ws_image_typed", "ws_msg", "ws_msg_chunked", "ws_msg_typed", "ws_review", "ws_shell_autorun"}

// logged is a line of a recorded session with what its frame is: "user start",
// "command content", "assistant end", "null", "complete", "ack" and so on.
type logged struct{ line, kind string }

// kindFor returns the kind of the frame under which a table has it: some tables
// distinguish the user's flags without a type from others.
func (l logged) kindFor(table map[string]expected) string {
	typeless := strings.Replace(l.kind, "user", "typeless", 1)
	if _, tells := table[typeless]; tells && !strings.Contains(l.line, `"type"`) {
		return typeless
	}
	return l.kind
}

func recordedSession(t *testing.T, name string) []logged {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(suiteRoot, "recorded/v0.4.2", name+".ws.jsonl"))
	require.NoError(t, err)
	var log []logged
	for line := range strings.Lines(string(data)) {
		log = append(log, logged{line, frameKind(t, line)})
	}
	return log
}

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
	case entry.Frame["format"] == "active_line" && entry.Frame["content"] == nil:
		return "null"
	case entry.Frame["type"] == "command":
		who = "command"
	case who != "user":
		who = "answer"
	}
	return fmt.Sprint(who, " ", event)
}

// sessionMistake is one mistake: what it does to the line at i of a log, and what is
// to be found at which line, counted from i. Kinds of lines that it says
// nothing about are left alone.
type sessionMistake struct {
	name string
	do   func(log []string, i int) []string
	want map[string]expected
}

type expected struct {
	rule string
	line int
}

func dropped(log []string, i int) []string { return slices.Delete(slices.Clone(log), i, i+1) }
func doubled(log []string, i int) []string { return slices.Insert(slices.Clone(log), i, log[i]) }
func cut(log []string, i int) []string     { return log[:i+1] }

func turned(log []string, i int) []string {
	turned := strings.NewReplacer(`"dir": "send"`, `"dir": "recv"`, `"dir": "recv"`, `"dir": "send"`).Replace(log[i])
	return slices.Concat(log[:i], []string{turned}, log[i+1:])
}

// disguised gives a frame the role of the other side.
func disguised(log []string, i int) []string {
	line := strings.NewReplacer(`"role": "user"`, `"role": "assistant"`, `"role": "assistant"`, `"role": "user"`, `"role": "computer"`, `"role": "user"`).Replace(log[i])
	return slices.Concat(log[:i], []string{line}, log[i+1:])
}

// unmeant turns a start into an end.
func unmeant(log []string, i int) []string {
	return slices.Concat(log[:i], []string{strings.Replace(log[i], `"start": true`, `"end": true`, 1)}, log[i+1:])
}

func swapped(log []string, i int) []string {
	log = slices.Clone(log)
	log[i], log[i+1] = log[i+1], log[i]
	return log
}

func misspelled(log []string, i int) []string {
	return slices.Concat(log[:i], []string{strings.Replace(log[i], `"go"`, `"goo"`, 1)}, log[i+1:])
}

func bare(log []string, i int) []string { return slices.Concat(log[:i-1], log[i:i+1], log[i+2:]) }

func unsent(log []string, i int) []string { return slices.Concat(log[:i-1], log[i+2:]) }

var sessionMutations = []sessionMistake{
	{"drop", dropped, map[string]expected{
		"user start": {"LMC609", 0}, "user content": {"LMC610", -1}, "user end": {"LMC202", 0},
		"command start": {"LMC604", 0}, "command content": {"LMC610", -1}, "command end": {"LMC202", 0},
		"answer start": {"LMC201", 0}, "answer end": {"LMC202", 0}, "complete": {"LMC601", -1},
	}},
	{"double", doubled, map[string]expected{
		"user start": {"LMC202", 1}, "user end": {"LMC204", 1},
		"command start": {"LMC202", 1}, "command content": {"LMC605", 0}, "command end": {"LMC204", 1},
		"answer start": {"LMC202", 1}, "answer end": {"LMC204", 1}, "null": {"LMC309", 1},
	}},
	{"cut", cut, map[string]expected{
		"user start": {"LMC203", 0}, "user content": {"LMC203", 0}, "command start": {"LMC203", 0}, "command content": {"LMC203", 0},
		"answer start": {"LMC203", 0}, "answer content": {"LMC203", 0}, "null": {"LMC203", 0},
		"answer end": {"LMC601", 0}, "command end": {"LMC601", 0},
	}},
	{"log on the wrong side", turned, map[string]expected{
		"user start": {"LMC116", 0}, "user content": {"LMC116", 0}, "user end": {"LMC116", 0},
		"command start": {"LMC116", 0}, "command content": {"LMC116", 0}, "command end": {"LMC116", 0},
		"answer start": {"LMC116", 0}, "answer content": {"LMC116", 0}, "answer end": {"LMC116", 0}, "complete": {"LMC116", 0},
	}},
	{"give it the role of the other side", disguised, map[string]expected{
		"typeless start": {"LMC103", 0}, "typeless end": {"LMC103", 0}, "user start": {"LMC116", 0}, "user content": {"LMC116", 0}, "user end": {"LMC116", 0},
		"command start": {"LMC116", 0}, "command content": {"LMC116", 0}, "command end": {"LMC116", 0},
		"answer start": {"LMC116", 0}, "answer content": {"LMC116", 0}, "answer end": {"LMC116", 0},
	}},
	{"end it where it starts", unmeant, map[string]expected{
		"user start": {"LMC204", 0}, "command start": {"LMC204", 0}, "answer start": {"LMC204", 0},
	}},
	{"swap with the next", swapped, map[string]expected{
		"user start": {"LMC609", 0}, "user end": {"LMC202", 0}, "command start": {"LMC604", 0}, "command content": {"LMC604", 1},
		"command end": {"LMC202", 0}, "answer start": {"LMC201", 0}, "answer end": {"LMC202", 0},
	}},
	{"misspell", misspelled, map[string]expected{"command content": {"LMC605", 0}}},
	{"leave the command bare", bare, map[string]expected{"command content": {"LMC604", -1}}},
	{"leave the command out", unsent, map[string]expected{"command content": {"LMC602", -1}}},
}

// One mistake in a healthy session gives one finding, at its frame.
func TestSessionMutations(t *testing.T) {
	for _, name := range healthySessions {
		log := recordedSession(t, name)
		lines, at := make([]string, len(log)), make([]int, len(log))
		for i := range log {
			lines[i], at[i] = log[i].line, i
		}
		for _, m := range sessionMutations {
			for _, i := range exhaustive.Sample(at, 12) {
				want, applies := m.want[log[i].kindFor(m.want)]
				if !applies || !leavesMistake(m.name, log, i) {
					continue
				}
				e := lint.Example{Input: strings.Join(m.do(lines, i), ""), AutoRun: name == "ws_shell_autorun"}
				at := fmt.Sprintf("%s %d:", want.rule, i+1+want.line)
				got := found(t, e)
				if assert.Len(t, got, 1, "%s: %s line %d, %s", name, m.name, i+1, log[i].kind) {
					assert.True(t, strings.HasPrefix(got[0], at), "%s: %s line %d, %s: want %s, got %s", name, m.name, i+1, log[i].kind, at, got[0])
				}
			}
		}
	}
}

// leavesMistake reports whether a mutation leaves a mistake: a message in two chunks
// may lose one, and nothing follows the last line.
func leavesMistake(name string, log []logged, i int) bool {
	switch name {
	case "drop":
		return log[i].kind != "user content" || log[i-1].kind == "user start" && log[i+1].kind == "user end"
	case "swap with the next":
		return i+1 < len(log)
	}
	return true
}

// In acknowledge mode, the ids of frames show which of them are missing from a log.
func TestAcknowledgedSessionMutations(t *testing.T) {
	log := recordedSession(t, "ws_ack")
	lines := make([]string, len(log))
	for i := range log {
		lines[i] = log[i].line
	}
	wrong := func(log []string, i int) []string {
		return slices.Concat(log[:i], []string{strings.Replace(log[i], `"ack": "`, `"ack": "x`, 1)}, log[i+1:])
	}
	unnamed := func(log []string, i int) []string {
		return slices.Concat(log[:i], []string{strings.Replace(log[i], `"id": "`, `"idd": "`, 1)}, log[i+1:])
	}
	for _, m := range []sessionMistake{
		{"misspell the id", unnamed, map[string]expected{
			"answer start": {"LMC110", 0}, "answer content": {"LMC110", 0}, "answer end": {"LMC110", 0}, "null": {"LMC110", 0},
		}},
		{"drop", dropped, map[string]expected{
			"ack": {"LMC607", -1}, "answer start": {"LMC607", 0}, "answer content": {"LMC607", 0}, "answer end": {"LMC607", 0}, "null": {"LMC607", 0},
		}},
		{"double", doubled, map[string]expected{
			"answer start": {"LMC608", 1}, "answer content": {"LMC608", 1}, "answer end": {"LMC608", 1}, "null": {"LMC608", 1},
		}},
		{"swap with the next", swapped, map[string]expected{"answer start": {"LMC607", 0}, "answer content": {"LMC607", 0}, "answer end": {"LMC607", 0}}},
		{"acknowledge another id", wrong, map[string]expected{"ack": {"LMC607", 0}}},
	} {
		for i := range log {
			want, applies := m.want[log[i].kind]
			if !applies {
				continue
			}
			got := found(t, lint.Example{Input: strings.Join(m.do(lines, i), ""), AutoRun: true})
			if assert.Len(t, got, 1, "%s line %d, %s", m.name, i+1, log[i].kind) {
				at := fmt.Sprintf("%s %d:", want.rule, i+1+want.line)
				assert.True(t, strings.HasPrefix(got[0], at), "%s line %d, %s: want %s, got %s", m.name, i+1, log[i].kind, at, got[0])
			}
		}
	}
}
