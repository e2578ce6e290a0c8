package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// pair is a recorded stream with the conversation that was stored.
type pair struct {
	name         string
	stream       []string // lines
	conversation []json.RawMessage
	options      suite.Options
}

// pairs reads the recordings that have both.
func pairs(t *testing.T) []pair {
	t.Helper()
	streams, err := filepath.Glob(filepath.Join(suiteRoot, "recorded", "v*", "*.chunks.jsonl"))
	require.NoError(t, err)
	var all []pair
	for _, path := range streams {
		stored, err := os.ReadFile(strings.TrimSuffix(path, ".chunks.jsonl") + ".messages.json")
		if errors.Is(err, os.ErrNotExist) || strings.Contains(path, "v0.1.16") {
			continue
		}
		require.NoError(t, err)
		stream, err := os.ReadFile(path)
		require.NoError(t, err)
		p := pair{
			name:    filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path),
			stream:  strings.SplitAfter(strings.TrimSuffix(string(stream), "\n"), "\n"),
			options: readExpectation(t, path).Options,
		}
		require.NoError(t, json.Unmarshal(stored, &p.conversation))
		all = append(all, p)
	}
	require.Greater(t, len(all), 75)
	return all
}

// disagreements compares a stream with a conversation, and returns what the
// rules for that find. It also checks each record as if it were the first of
// its kind, which must make no difference.
func disagreements(t *testing.T, o suite.Options, stream []string, conversation []json.RawMessage) []string {
	t.Helper()
	stored, err := json.Marshal(conversation)
	require.NoError(t, err)
	against, err := protocol.ReadConversation("conversation.json", bytes.NewReader(stored), source.Options{})
	require.NoError(t, err)
	config := lint.Config{Kind: "stream", Dialect: o.Dialect, AutoRun: o.AutoRun, AllowEmpty: true, Against: against}
	lanes := [][]lint.Option{{lint.WithConfig(config)}, {lint.WithConfig(config), lint.WithoutFastPath()}}
	var found [2][]string
	for i, lane := range lanes {
		for _, f := range lintAll(t, linttest.MustNew(rules.All(), lane...), "stream.jsonl", []byte(strings.Join(stream, ""))) {
			if strings.HasPrefix(f.Rule.ID, "LMC7") {
				found[i] = append(found[i], fmt.Sprintf("%s %s %s:%d %s", f.Rule.ID, f.Severity, f.Path, f.Place.Span.Start.Line, f.Message))
			}
		}
	}
	assert.Equal(t, found[1], found[0])
	return found[0]
}

// spoiled are the recordings in which the interpreter itself has spoiled what
// it stored.
var spoiled = map[string]bool{"py_image_mid": true, "py_plot": true, "py_display_html_js": true}

// Of what was recorded, everything that differs is explained, but for what is
// spoiled.
func TestAgreementRecorded(t *testing.T) {
	for _, p := range pairs(t) {
		t.Run(p.name, func(t *testing.T) {
			for _, f := range disagreements(t, p.options, p.stream, p.conversation) {
				scenario, _, _ := strings.Cut(filepath.Base(p.name), ".")
				assert.True(t, strings.Contains(f, " note ") || spoiled[scenario], f)
			}
		})
	}
}

// storedOf lists the messages that a stream gives: those of the assistant and
// of the computer, but for empty ones.
func storedOf(t *testing.T, conversation []json.RawMessage) (at []int) {
	t.Helper()
	for i, raw := range conversation {
		var m struct{ Role, Content string }
		require.NoError(t, json.Unmarshal(raw, &m))
		if m.Role != "user" && m.Content != "" {
			at = append(at, i)
		}
	}
	return at
}

// One mistake in the conversation of a recording is one finding.
func TestAgreementMutations(t *testing.T) {
	t.Parallel()
	seeds := map[string]func(messages []json.RawMessage, i int) []json.RawMessage{
		"dropped": func(m []json.RawMessage, i int) []json.RawMessage { return splice(m, i, 1) },
		"doubled": func(m []json.RawMessage, i int) []json.RawMessage { return splice(m, i, 0, m[i]) },
		"added": func(m []json.RawMessage, i int) []json.RawMessage {
			return splice(m, i, 0, json.RawMessage(`{"role": "assistant", "type": "message", "content": "never streamed"}`))
		},
		"changed": func(m []json.RawMessage, i int) []json.RawMessage {
			return splice(m, i, 1, json.RawMessage(bytes.Replace(m[i], []byte(`"content": "`), []byte(`"content": "#`), 1)))
		},
		"cut wrongly": func(m []json.RawMessage, i int) []json.RawMessage {
			if !bytes.Contains(m[i], []byte(`"output"`)) {
				return nil
			}
			return splice(m, i, 1, json.RawMessage(`{"role": "computer", "type": "console", "format": "output", "content": "Output truncated. Showing the last 4 characters.\n\n####"}`))
		},
		"in another language": func(m []json.RawMessage, i int) []json.RawMessage {
			if !bytes.Contains(m[i], []byte(`"assistant", "type": "code"`)) || bytes.Contains(m[i], []byte(`"applescript"`)) {
				return nil
			}
			before, after, _ := bytes.Cut(m[i], []byte(`"format": "`))
			_, rest, _ := bytes.Cut(after, []byte(`"`))
			return splice(m, i, 1, json.RawMessage(string(before)+`"format": "applescript"`+string(rest)))
		},
	}
	for _, p := range pairs(t) {
		if len(disagreements(t, p.options, p.stream, p.conversation)) > 0 || isBroken(p) {
			continue
		}
		for _, i := range exhaustive.Sample(storedOf(t, p.conversation), 1) {
			for name, seed := range seeds {
				if mutant := seed(p.conversation, i); mutant != nil {
					assert.Len(t, disagreements(t, p.options, p.stream, mutant), 1, "%s: message %d %s", p.name, i, name)
				}
			}
		}
	}
}

// isBroken reports whether something else is wrong with a recording: blocks
// that were cut off or doubled are compared with patience.
func isBroken(p pair) bool {
	for _, word := range []string{"close_mid", "llm_raise", "collected_alias"} {
		if strings.Contains(p.name, word) {
			return true
		}
	}
	return false
}

func splice(messages []json.RawMessage, at, gone int, instead ...json.RawMessage) []json.RawMessage {
	return append(append(append([]json.RawMessage{}, messages[:at]...), instead...), messages[at+gone:]...)
}

// Long streams are compared a part at a time, and a mistake anywhere in them is
// one finding at its place.
func TestAgreementOfLongStreams(t *testing.T) {
	const turns = 500
	block := func(i int) string {
		base := `{"role": "assistant", "type": "message", `
		return base + "\"start\": true}\n" + base + fmt.Sprintf("\"content\": \"answer %d\"}\n", i) + base + "\"end\": true}\n"
	}
	message := func(i int) []json.RawMessage {
		return []json.RawMessage{
			json.RawMessage(`{"role": "user", "type": "message", "content": "question"}`),
			json.RawMessage(fmt.Sprintf(`{"role": "assistant", "type": "message", "content": "answer %d"}`, i)),
		}
	}
	for _, test := range []struct {
		name             string
		streamed, stored func(i int) bool
		want             []string
	}{
		{"equal", always, always, nil},
		{"a lost block", except(250, 251), always, []string{"LMC701 error conversation.json:1 stored assistant message was not streamed"}},
		{"a lost message", always, except(250, 251), []string{"LMC702 error stream.jsonl:751 assistant message is not stored in conversation.json"}},
		{"many lost blocks", except(100, 400), always, []string{"LMC701 error conversation.json:1 stored assistant message was not streamed, nor were the next 299 messages"}},
		{"many lost messages", always, except(100, 400), []string{"LMC702 error stream.jsonl:301 assistant message is not stored in conversation.json, nor were the next 299 blocks"}},
		{"the last turns alone", except(0, 400), always, []string{"LMC701 note conversation.json:1 400 messages from turns before the stream; the comparison starts after them"}},
		{"the first turns alone", except(100, turns), always, []string{"LMC701 note conversation.json:1 400 messages from turns after the stream; the comparison ends here"}},
		{"nothing in common", except(200, turns), except(0, 200), []string{
			"LMC701 error conversation.json:1 stored assistant message was not streamed, nor were the next 299 messages",
			"LMC702 error stream.jsonl:1 assistant message is not stored in conversation.json, nor were the next 199 blocks",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stream []string
			var conversation []json.RawMessage
			for i := range turns {
				if test.streamed(i) {
					stream = append(stream, block(i))
				}
				if test.stored(i) {
					conversation = append(conversation, message(i)...)
				}
			}
			assert.ElementsMatch(t, test.want, disagreements(t, suite.Options{}, stream, conversation))
		})
	}
}

func always(int) bool { return true }

// except is everything but what is from one number to before another.
func except(from, to int) func(int) bool { return func(i int) bool { return i < from || i >= to } }

func TestReadConversation(t *testing.T) {
	for _, test := range []struct{ name, input, want string }{
		{"a list", `[{"role": "user", "type": "message", "content": "x"}]`, ""},
		{"lines", `{"role": "user", "type": "message", "content": "x"}` + "\n" + `{"role": "assistant", "type": "message", "content": "y"}`, ""},
		{"Python", `[{'role': 'user', 'type': 'message', 'content': 'x'}]`, ""},
		{"a stream", `{"role": "assistant", "type": "message", "start": true}`, "this is a stream, expected a stored conversation"},
		{"something else", `{"a": 1}`, "not LMC: "},
		{"broken", "[{\"role\": \"user\", \"type\": \"message\", \"content\": \"x\"},\n {\"role\" \"user\"}]", "line 2, column 10: unreadable message: "},
		{"several", "[{\"role\": \"user\", \"type\": \"message\", \"content\": \"x\"}]\n[{\"role\": \"user\", \"type\": \"message\", \"content\": \"x\"}]", "it contains several conversations, expected one"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := protocol.ReadConversation("conversation.json", strings.NewReader(test.input), source.Options{})
			if test.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, test.want)
		})
	}
}

// Whatever a stream and a conversation hold, they can be compared, and a
// record is checked in the same way whether it was recognised or not.
func FuzzAgreement(f *testing.F) {
	f.Add(`{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "a"}
{"role": "assistant", "type": "message", "content": "b"}
{"role": "assistant", "type": "message", "end": true}
`, `[{"role": "user", "type": "message", "content": "x"}, {"role": "assistant", "type": "message", "content": "ab"}]`)
	f.Add(`{"role": "computer", "type": "console", "format": "output", "content": "123"}`+"\n",
		`[{"role": "computer", "type": "console", "format": "output", "content": "Output truncated. Showing the last 2 characters.\n\n23"}]`)
	f.Fuzz(func(t *testing.T, stream, conversation string) {
		against, err := protocol.ReadConversation("conversation", strings.NewReader(conversation), source.Options{})
		if err != nil {
			return
		}
		config := lint.Config{Kind: "stream", Dialect: "interpreter", Against: against}
		var found [2][]string
		for i, lane := range [][]lint.Option{{lint.WithConfig(config)}, {lint.WithConfig(config), lint.WithoutFastPath()}} {
			for finding, err := range linttest.MustNew(rules.All(), lane...).Lint(context.Background(), "stream", strings.NewReader(stream)) {
				if err != nil {
					t.Fatal(err)
				}
				found[i] = append(found[i], fmt.Sprint(finding.Rule.ID, finding.Path, finding.Place.Span, finding.Message))
			}
		}
		if a, b := strings.Join(found[0], "\n"), strings.Join(found[1], "\n"); a != b {
			t.Errorf("recognised:\n%s\nread:\n%s", a, b)
		}
	})
}
