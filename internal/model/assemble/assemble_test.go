package assemble_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/schema"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// assembled feeds lines to an assembler and returns the transcript and the
// deviations, each with its line. A line may begin with > or <, for who sent it.
func assembled(t *testing.T, assembly assemble.Options, input string) (transcript string, deviations []string) {
	t.Helper()
	var messages []string
	assembler := assemble.New(assembly,
		func(message []byte) {
			assert.True(t, json.Valid(message), "%s", message)
			messages = append(messages, string(message))
		},
		func(m assemble.Deviation) {
			deviations = append(deviations, fmt.Sprintf("%d %s: %s", m.Place.Span.Start.Line, m.Kind, m.Message))
		})
	directions := map[byte]source.Direction{'>': source.Sent, '<': source.Received}
	var sent []source.Direction
	lines := strings.Split(strings.TrimSuffix(input, "\n"), "\n")
	for i, line := range lines {
		sent = append(sent, directions[line[0]])
		lines[i] = strings.TrimLeft(line, "<>")
	}
	reader := text.NewReader(strings.NewReader(strings.Join(lines, "\n")), source.Options{Form: source.FormJSONL})
	for {
		src, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		src.Direction = sent[src.Index]
		if !assembler.Add(lmc.NewRecord(src)) {
			break
		}
	}
	assembler.Finish()
	return "[" + strings.Join(messages, ", ") + "]", deviations
}

const greeting = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "content": " there"}
{"role": "assistant", "type": "message", "end": true}
`

const ranCode = `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "f()"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "f()"}}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": 1}
{"role": "computer", "type": "console", "format": "output", "content": "one\n"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`

const (
	greetingStored = `{"role": "assistant", "type": "message", "content": "Hi there"}`
	codeStored     = `{"role": "assistant", "type": "code", "format": "python", "content": "f()"}`
	outputStored   = `{"role": "computer", "type": "console", "format": "output", "content": "one\n"}`
)

func TestAssembleWhatIsSound(t *testing.T) {
	for _, test := range []struct {
		name     string
		assembly assemble.Options
		input    string
		want     string
	}{
		{"the interpreter", assemble.Options{As: assemble.Interpreter}, greeting + ranCode, greetingStored + ", " + codeStored + ", " + outputStored},
		{"turns are messages of their own", assemble.Options{As: assemble.Interpreter}, greeting + greeting, greetingStored + ", " + greetingStored},
		{"the server, of what a client sends", assemble.Options{As: assemble.Server}, strings.ReplaceAll(greeting, "assistant", "user"), strings.ReplaceAll(greetingStored, "assistant", "user")},
		{"nothing", assemble.Options{As: assemble.Interpreter}, "{\"role\": \"assistant\", \"type\": \"message\", \"start\": true}\n", ""},
		{
			"an execution without output",
			assemble.Options{As: assemble.Interpreter},
			strings.Replace(ranCode, outputStored+"\n", "", 1),
			codeStored + `, {"role": "computer", "type": "console", "format": "output", "content": ""}`,
		},
		{
			"an empty message at a confirmation takes up the output",
			assemble.Options{As: assemble.Interpreter, StorageRules: schema.StorageRules{EmptyConsole: true, AppendsToAnyMessage: true}},
			ranCode, codeStored + ", " + outputStored,
		},
		{
			"reasoning that is replaced",
			assemble.Options{As: assemble.Interpreter},
			`{"role": "assistant", "type": "message", "format": "reasoning", "content": "I shuold"}
{"role": "assistant", "type": "message", "format": "reasoning", "content": "I should list", "replace": true}
{"role": "assistant", "type": "message", "format": "reasoning", "content": " them."}`,
			`{"role": "assistant", "type": "message", "format": "reasoning", "content": "I should list them."}`,
		},
		{
			"a note becomes a message",
			assemble.Options{As: assemble.Interpreter, StorageRules: schema.StorageRules{Rewrites: true}},
			"{\"role\": \"assistant\", \"type\": \"code\", \"format\": \"text\", \"content\": \"a note\"}",
			`{"role": "assistant", "type": "message", "content": "` + "```\\na note\\n```" + `"}`,
		},
		{
			"a call is unwrapped",
			assemble.Options{As: assemble.Interpreter, StorageRules: schema.StorageRules{Rewrites: true}},
			`{"role": "assistant", "type": "code", "format": "Python", "content": "functions.execute({\"language\": \"shell\", \"code\": \"ls\"})"}`,
			`{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}`,
		},
		{
			"an object is unwrapped",
			assemble.Options{As: assemble.Interpreter, StorageRules: schema.StorageRules{Rewrites: true}},
			`{"role": "assistant", "type": "code", "format": "json", "content": "{\n \"language\": \"shell\",\n \"code\": \"ls\"}"}`,
			`{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}`,
		},
		{
			"halves of a surrogate pair meet",
			assemble.Options{As: assemble.Interpreter},
			"{\"role\": \"assistant\", \"type\": \"message\", \"content\": \"\\ud83c\"}\n{\"role\": \"assistant\", \"type\": \"message\", \"content\": \"\\udf89\\u007f\\u00e4\"}",
			`{"role": "assistant", "type": "message", "content": "\ud83c\udf89\u007f\u00e4"}`,
		},
		{
			"keys of the first chunk stay, in their order",
			assemble.Options{As: assemble.Interpreter},
			`{"type": "message", "role": "assistant", "content": "x", "tags": [1.50, {"a": true, "a": null}], "recipient": "user"}`,
			`{"type": "message", "role": "assistant", "content": "x", "tags": [1.50, {"a": null}], "recipient": "user"}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, deviations := assembled(t, test.assembly, test.input)
			assert.Equal(t, "["+test.want+"]", got)
			assert.Empty(t, deviations)
		})
	}
}

func TestAssembleCutsOutput(t *testing.T) {
	assembly := assemble.Options{As: assemble.Interpreter, StorageRules: schema.StorageRules{MaxOutput: 3, CutNotice: "(%d)"}}
	chunk := func(text string) string {
		return fmt.Sprintf("{\"role\": \"computer\", \"type\": \"console\", \"format\": \"output\", \"content\": %q}\n", text)
	}
	for _, test := range []struct{ name, input, want, mishap string }{
		{"short", chunk("ab") + chunk("ä"), "abä", ""},
		{"long", chunk("ab") + chunk("äß") + chunk("c"), "(3)äßc", "2 lost: output exceeds 3 characters; only the last ones are stored"},
		{"that looks as if it had been cut", chunk("(3)ab"), "(3)ab", "1 lost: output exceeds 3 characters; only the last ones are stored"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, deviations := assembled(t, assembly, test.input)
			var messages []struct{ Content string }
			require.NoError(t, json.Unmarshal([]byte(got), &messages))
			require.Len(t, messages, 1)
			assert.Equal(t, test.want, messages[0].Content)
			assert.Equal(t, test.mishap, strings.Join(deviations, "\n"))
		})
	}
}

func TestAssembleMishaps(t *testing.T) {
	const (
		image  = `{"role": "computer", "type": "image", "format": "base64.png", "content": "iVBORw0KGgo="}` + "\n"
		output = `{"role": "computer", "type": "console", "format": "output", "content": "x"}` + "\n"
		line   = `{"role": "computer", "type": "console", "format": "active_line", "content": 1}` + "\n"
		bare   = `{"role": "user", "type": "message", "content": "x"}` + "\n"
		status = `{"role": "server", "type": "status", "content": "complete"}` + "\n"
		start  = `{"role": "user", "type": "message", "start": true}` + "\n"
	)
	blind := assemble.Options{As: assemble.Interpreter, StorageRules: schema.StorageRules{AppendsToAnyMessage: true, EmptyConsole: true}}
	interpreter := assemble.Options{As: assemble.Interpreter}
	server := assemble.Options{As: assemble.Server}
	for _, test := range []struct {
		name     string
		assembly assemble.Options
		input    string
		want     []string
	}{
		{"a second image in a block", interpreter, image + image, []string{"2 merged: second image appended to the preceding image; neither can be decoded"}},
		{"output behind an image, up to 0.3.5", blind, image + line + output + output, []string{"3 merged: appended to the preceding computer image (base64.png)"}},
		{"output behind an image", interpreter, image + line + output, nil},
		{"a chunk with nothing", interpreter, `{"role": "assistant", "type": "message"}`, []string{"1 crash: KeyError: 'content'"}},
		{"a chunk without a type", interpreter, `{"role": "assistant", "content": "x"}`, []string{"1 crash: KeyError: 'type'"}},
		{"a chunk without a role", interpreter, `{"type": "message", "content": "x"}`, []string{"1 crash: KeyError: 'role'"}},
		{"console content without a format", interpreter, `{"role": "computer", "type": "console", "content": "x"}`, []string{"1 crash: KeyError: 'format'"}},
		{"a number behind text", interpreter, output + strings.Replace(output, `"x"`, "1", 1), []string{`2 crash: TypeError: can only concatenate str (not "int") to str`}},
		{"a number to cut", assemble.Options{As: assemble.Interpreter, StorageRules: schema.StorageRules{MaxOutput: 9}}, strings.Replace(output, `"x"`, "1.5", 1), []string{"1 crash: AttributeError: 'float' object has no attribute 'startswith'"}},
		{"it stops at a crash", interpreter, "{}\n{}", []string{"1 crash: KeyError: 'content'"}},
		{"it goes on if it is told to", assemble.Options{As: assemble.Interpreter, ContinueAfterCrash: true}, "{}\n{}", []string{"1 crash: KeyError: 'content'", "2 crash: KeyError: 'content'"}},

		{"content without a start, first of all", server, bare, []string{"1 crash: Exception: You must send a 'start: True' chunk first to create this message."}},
		{"an end, first of all", server, `{"role": "user", "end": true}`, []string{"1 crash: IndexError: list index out of range"}},
		{
			"content without a start", server, start + bare + `{"role": "user", "type": "message", "end": true}` + "\n" + bare + bare,
			[]string{"4 merged: no start: appended to the preceding user message"},
		},
		{
			"content of another role", server, start + strings.Replace(bare, "user", "assistant", 1),
			[]string{"2 merged: appended to the preceding user message, regardless of role"},
		},
		{"content of another type", server, start + image, []string{"2 split: differs from the preceding message; stored as another message without a start"}},
		{"parts of a block without a type", server, `{"role": "user", "start": true}` + "\n" + bare + strings.Replace(image, "computer", "user", 1), nil},
		{"a server's record", server, start + status, []string{"2 stored: stored as a message, but is not one"}},
		{"start and content in one", server, start + bare + strings.Replace(bare, `"content"`, `"start": true, "content"`, 1), []string{"3 merged: start is ignored on a record with content: appended to the preceding user message"}},
		{"content and end in one", server, start + strings.Replace(bare, `"content"`, `"end": true, "content"`, 1), []string{"2 lost: end is ignored on a record with content; the server waits for another"}},
		{"neither start nor content nor end", server, `{"role": "user", "type": "message"}`, []string{"1 lost: record has no start, content or end; the server skips it"}},
		{"a null behind text", server, start + strings.Replace(bare, `"x"`, "null", 1), []string{`2 crash: TypeError: can only concatenate str (not "NoneType") to str`}},
		{"it goes on after a crash", server, bare + bare, []string{
			"1 crash: Exception: You must send a 'start: True' chunk first to create this message.",
			"2 crash: Exception: You must send a 'start: True' chunk first to create this message.",
		}},
		{"what came before authentication", server, ">" + start + ">" + bare + `<{"auth": false}` + "\n" + `>{"auth": "key"}` + "\n" + `<{"auth": true}`, []string{"3 lost: the server dropped the frame before this answer: the client was not authenticated"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, got := assembled(t, test.assembly, test.input)
			assert.Equal(t, test.want, got)
		})
	}
}

func TestAssembleSession(t *testing.T) {
	got, deviations := assembled(t, assemble.Options{As: assemble.Server}, `>{"role": "user", "start": true}
>{"role": "user", "type": "message", "content": "Run it"}
>{"role": "user", "end": true}
<{"role": "assistant", "type": "code", "format": "python", "start": true}
<{"role": "assistant", "type": "code", "format": "python", "content": "f()"}
<{"role": "assistant", "type": "code", "format": "python", "end": true}
<{"role": "server", "type": "status", "content": "complete"}
>{"role": "user", "type": "command", "start": true}
>{"role": "user", "type": "command", "content": "go"}
>{"role": "user", "type": "command", "end": true}
<{"role": "computer", "type": "console", "start": true}
<{"role": "computer", "type": "console", "format": "active_line", "content": 1}
<{"role": "computer", "type": "console", "format": "output", "content": "one\n"}
<{"role": "computer", "type": "console", "end": true}
`)
	assert.Empty(t, deviations)
	assert.JSONEq(t, `[{"role": "user", "content": "Run it", "type": "message"}, `+codeStored+", "+outputStored+"]", got)
}
