package source_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
)

const (
	start   = `{"role": "assistant", "type": "message", "start": true}`
	content = `{"role": "assistant", "type": "message", "content": "Hi"}`
)

func logOptions() source.Options {
	return source.Options{Name: "x.log", Detect: protocol.MeaningOf}
}

// What is read of a text, however it arrives.
func TestText(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{"after a prefix", "12:00 INFO chunk: " + start + "\n12:01 INFO x\n", []string{"1:19 " + start, "3:1 ()", "  2:1-2:13 stray: 1 of 2 lines has no record"}},
		{"several on a line", start + ", " + content + " x\n", []string{"1:1 " + start, "1:58 " + content}},
		{"over lines", "x: {\n \"role\": \"user\",\n\n \"type\": \"message\",\n \"content\": \"a\"\n}\n", []string{"1:4 {\n \"role\": \"user\",\n\n \"type\": \"message\",\n \"content\": \"a\"\n}"}},
		{"a string ends on its line", "{\"role\": \"user\", \"type\": \"message\", \"content\": \"a\n" + start + "\n", []string{
			"1:1 !{\"role\": \"user\", \"type\": \"message\", \"content\": \"a", "  1:50-1:50 invalid-json: found a line break inside a string, expected `\"` or `\\n` (1:48)", "2:1 " + start,
		}},
		{"half a record above a record", "{\"role\": \"user\", \"type\": \"message\", \"content\":\n" + start + "\n", []string{
			"1:1 !{\"role\": \"user\", \"type\": \"message\", \"content\":", "  1:47-1:47 invalid-json: the record ends before it is closed", "2:1 " + start,
		}},
		{"the input ends inside a record", "{\"role\": \"user\", \"type\": \"message\", ", []string{
			"1:1 !{\"role\": \"user\", \"type\": \"message\",", "  1:36-1:36 truncated: the input ends before the record is closed",
		}},
		{"program code and templates", "f({\"role\": \"user\"})\n{\"role\": \"user\", \"type\": \"message\", \"content\": text}\n{\"role\": \"user\", \"type\": ...}\n" + start + "\n", []string{
			"4:1 " + start, "5:1 ()", "  1:1-1:20 stray: 3 of 4 lines have no record, this is the first of them",
		}},
		{"another object over lines after a record", start + " {\n\n  \"a\": 1}\n", []string{"1:1 " + start, "4:1 ()", "  3:1-3:10 stray: 1 of 2 lines has no record"}},
		{"an assignment", "x = " + start + "\nreturn " + start + "\n" + content + "\n", []string{"3:1 " + content, "4:1 ()", "  1:1-1:60 stray: 2 of 3 lines have no record, this is the first of them"}},
		{"a list", "all: [" + start + ", " + content + "]\n" + content + "\n", []string{"0/0/0 1:7 " + start, "0/1/1 1:64 " + content, "2:1 " + content}},
		{"an envelope behind a prefix", start + "\nJSON: {'messages': [{'role': 'user', 'content': 'a'}]}\n", []string{
			"1:1 " + start, "0/0/messages/0 2:21 {'role': 'user', 'content': 'a'}", "  2:21-2:53 python: records are Python literals, not JSON",
		}},
		{"a request", start + "\nJSON: {\"model\": \"x\", \"messages\": [{\"role\": \"user\", \"content\": \"a\"}]}\n", []string{
			"1:1 " + start, "3:1 ()", "  2:1-2:69 stray: 1 of 2 lines has no record",
		}},
		{"a numbered chunk", "{\"seq\": 1, \"chunk\": " + start + "}\n", []string{"1:21 " + start}},
		{"nothing", "x\n{\"a\": 1}\n", []string{"2:1 ({\"a\": 1})", "1:1 (x)", "2:1 ({\"a\": 1})"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for name, in := range piecewise(test.input) {
				got := outcomeOf(in, logOptions())
				require.NoError(t, got.Err)
				require.Equal(t, source.FormText, got.Form)
				var lines []string
				for _, line := range got.Lines {
					lines = append(lines, withoutIndex(line))
				}
				require.Equal(t, test.want, lines, name)
			}
		})
	}
}

// withoutIndex removes the number of a record that is in no list.
func withoutIndex(line string) string {
	if first, rest, ok := strings.Cut(line, " "); ok && first != "" && strings.Trim(first, "0123456789") == "" {
		return rest
	}
	return line
}

// A record belongs to the fragment of the one before if both follow one prefix, or begin
// their lines with only blank lines between.
func TestFragments(t *testing.T) {
	fragments := func(input, after string) (numbers []int) {
		options := logOptions()
		options.After = after
		reader := text.NewReader(strings.NewReader(input), options)
		for {
			rec, err := reader.Next()
			if err != nil {
				require.Equal(t, io.EOF, err)
				return numbers
			}
			if rec.Fragment > 0 {
				numbers = append(numbers, rec.Fragment)
			}
		}
	}
	require.Equal(t, []int{1, 1, 2}, fragments(start+"\n\n"+content+"\nx\n"+content+"\n", ""))
	require.Equal(t, []int{1, 1}, fragments("1 a: "+start+"\nx\n23 a: "+content+"\n", ""))
	require.Equal(t, []int{1, 2, 3}, fragments("a: "+start+"\nb: "+content+"\na: "+content+"\n", ""))
	require.Equal(t, []int{1, 1}, fragments("a: "+start+"\nb: "+content+"\na: "+content+"\n", "a: "))
	require.Equal(t, []int{1, 1}, fragments(start+"\n["+content+"]\n"+content+"\n", ""))
	require.Equal(t, []int{1, 3}, fragments(start+"\n{\"role\": \"assistant\", \"type\": \"message\", \"content\": ...}\n"+content+"\n", ""))
}

// A record of a pipe is returned when its line has arrived, whatever came before.
func TestRecordsDoNotWait(t *testing.T) {
	for _, before := range []string{"x", "{'a': <b>}", `{"a" b}`, `{"a": '`, `{"a": [1,`, `{"a": "\x"}`, "[1 2]", "{'a': b'", "{a}", "[x", "{'a': 1}}"} {
		t.Run(before, func(t *testing.T) {
			pipe := &livePipe{parts: []string{"INFO " + start + "\n", "INFO " + before + "\n", "INFO " + content + "\n", "\n"}}
			reader := text.NewReader(pipe, logOptions())
			for i, want := range []string{start, content} {
				rec, err := reader.Next()
				require.NoError(t, err)
				require.Equal(t, want, string(rec.Data))
				require.LessOrEqual(t, pipe.given, 1+2*i)
			}
		})
	}
}

// FuzzText reads anything as a text.
func FuzzText(f *testing.F) {
	for _, seed := range readerSeeds {
		f.Add([]byte(seed), uint16(0), "")
		f.Add([]byte("x: "+seed), uint16(40), "x: ")
	}
	f.Fuzz(func(t *testing.T, data []byte, limit uint16, after string) {
		options := logOptions()
		options.MaxRecordBytes, options.After = int64(limit), after
		requireSound(t, data, options)
	})
}
