package convert_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/convert"
	"github.com/lmclint/lmclint/internal/source/value"
)

// What cannot be kept is listed, and what surrounds it is converted.
func TestLosses(t *testing.T) {
	const pair, pairError = `'\ud83d\ude00'`, "left out: a string has both halves of a surrogate pair as two characters, which JSON reads as one"
	for _, test := range []struct {
		name     string
		o        convert.Options
		in, want string
		losses   []string // with their lines
	}{
		{
			"messages that are not streamed",
			convert.Options{To: convert.Chunks, Dialect: dialect(t, "classic")},
			`[{"role": "user", "type": "message", "content": "a"},
{"role": "assistant", "type": "tool_call", "content": "b"},
{"role": "assistant", "type": "message", "start": true},
{"role": "assistant", "type": "message"},
{"role": "assistant", "type": "message", "content": ""},
"c"]`,
			`{"role": "user", "type": "message", "start": true}
{"role": "user", "type": "message", "content": "a"}
{"role": "user", "type": "message", "end": true}`,
			[]string{
				"2: left out: type tool_call is not streamed",
				"3: left out: not a message: transcripts do not contain it",
				"4: left out: the message has no content",
				"5: left out: the message is empty, and no chunk is",
				"6: left out: not an object, so not a message",
			},
		},
		{
			"a format that is not streamed",
			convert.Options{To: convert.Chunks},
			`[{"role": "user", "type": "image", "format": "description", "content": "a"}]`, "[]",
			[]string{"1: left out: type image is not streamed in format description"},
		},
		{
			"a message that JSON cannot express",
			convert.Options{To: convert.Chunks},
			`[{'role': 'user', 'type': 'message', 'content': ` + pair + `},
{'role': 'user', 'type': 'message', 'content': 'b'}]`,
			`{"role": "user", "type": "message", "start": true}
{"role": "user", "type": "message", "content": "b"}
{"role": "user", "type": "message", "end": true}`,
			[]string{"1: " + pairError},
		},
		{
			"an old message that JSON cannot express",
			convert.Options{To: convert.JSON, FromVersion: convert.PreLMC},
			`[{'role': 'user', 'message': ` + pair + `}, {'role': 'user', 'message': 'b'}]`,
			"[\n" + `{"role": "user", "type": "message", "content": "b"}` + "\n]",
			[]string{"1: " + pairError},
		},
		{
			"old messages",
			convert.Options{To: convert.JSONL, FromVersion: convert.PreLMC},
			`{"role": "assistant", "message": "a", "code": "f()"}
{"role": "assistant", "message": "b", "message": "c"}
{"role": "assistant", "message": "d", "language": "python"}
{"role": "assistant", "language": "", "code": ""}`,
			`{"role": "assistant", "type": "message", "content": "a"}
{"role": "assistant", "type": "code", "format": "python", "content": "f()"}
{"role": "assistant", "type": "message", "content": "d"}`,
			[]string{
				"1: changed: the code has no language; python was assumed",
				"2: left out: a key occurs twice, so that the message may be either",
				"3: changed: the language is left out: the message has no code",
				"4: left out: the message has no text, code or output",
			},
		},
		{
			"old chunks",
			convert.Options{To: convert.JSONL, FromVersion: convert.PreLMC},
			`{"start_of_code": true}
{"code": "f()"}
{"end_of_code": true}
{"executing": {"language": "python"}}
{"output": "a", "colour": "red"}
{"end_of_execution": true}
{"end_of_execution": true}`,
			`{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "f()"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "a"}
{"role": "computer", "type": "console", "end": true}`,
			[]string{
				"2: changed: the code has no language; python was assumed",
				"4: left out: executing has no code and language",
				"5: changed: the key colour is left out: LMC has no such key",
			},
		},
		{
			"a binary frame and a frame that is not a chunk",
			convert.Options{To: convert.Messages},
			`{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "content": "a"}}
{"dir": "recv", "bytes_base64": "AAAA"}
{"dir": "recv", "frame": 1}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true}}`,
			"[\n" + `{"role": "assistant", "type": "message", "content": "a"}` + "\n]",
			[]string{"3: lost: binary frame skipped", "4: left out: found a number, expected an object"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, losses, err := converted([]byte(test.in), test.o)
			require.NoError(t, err)
			assert.Equal(t, test.want, strings.TrimSuffix(string(out), "\n"))
			assert.Equal(t, test.losses, lossLines(losses))
		})
	}
}

// A record that has too many values only when something is added is left out, too.
func TestTooManyValues(t *testing.T) {
	list := "[" + strings.Repeat("1, ", value.MaxValues-4) + "1]"
	text := `[{"role": "assistant", "code": ` + list + `}, {"role": "user", "message": "a"}]`
	out, losses, err := converted([]byte(text), convert.Options{To: convert.JSON, FromVersion: convert.PreLMC})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"1: changed: the code has no language; python was assumed",
		"1: left out: the record has more than 131,072 values",
	}, lossLines(losses))
	assert.Contains(t, string(out), `"content": "a"`)
	assert.NotContains(t, string(out), `"code"`)
}

// lossLines returns the losses with their lines.
func lossLines(losses []convert.Loss) (lines []string) {
	for _, l := range losses {
		lines = append(lines, fmt.Sprintf("%d: %s: %s", l.Place.Span.Start.Line, l.Kind, l.Message))
	}
	return lines
}
