package content

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var unrunToolCall = &lint.Rule{
	ID: "LMC413", Name: "unrun-tool-call",
	Summary: "A message is a call of a tool as JSON, and nothing ran",
	Rationale: "The model meant to run code, and wrote the call as its answer. Open Interpreter runs calls that the provider returns as such, and code blocks; " +
		"the text of a message is only shown, so that the user waits for a result that never comes. Local models do this when tool calling is on and they do not support it. " +
		"Only a message that is nothing but one JSON object is reported, of name and arguments or of language and code, and only if no code or output follows.",
	Evidence: []string{
		"Open Interpreter #1599, #1577, #1652: models of Ollama answer {\"name\": \"execute\", \"arguments\": {…}}, and nothing runs",
		"Open Interpreter #1514: with --no-llm_supports_functions, or interpreter.llm.supports_functions = False, models of Ollama work",
	},
	Requirements: []string{"LMC-CNT-12"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a call of execute in chunks",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "{\"name\": \"execute\", \"arguments\": "}
{"role": "assistant", "type": "message", "content": "{\"language\": \"shell\", \"code\": \"ls\"}}"}
{"role": "assistant", "type": "message", "end": true}
`,
		Edits: []string{`"{\"name\": \"execute\", \"arguments\": "`, `"I list the files: "`, `"{\"language\": \"shell\", \"code\": \"ls\"}}"`, `"\n"`, "\"end\": true}\n", "\"end\": true}\n" + example.ShellCode + example.Confirmed + example.Executed},
		Want:  []string{"LMC413 2:53"},
	}, {
		Name: "code in a fence, in a transcript",
		Input: `[{"role": "user", "type": "message", "content": "List the files."},
{"role": "assistant", "type": "message", "content": "` + "```json\\n" + `{\"language\": \"shell\", \"code\": \"ls\"}\n` + "```" + `"},
{"role": "user", "type": "message", "content": "Well?"}]
`,
		Edits: []string{`"message", "content": "` + "```json\\n" + `{\"language\": \"shell\", \"code\": \"ls\"}\n` + "```" + `"}`, `"code", "format": "shell", "content": "ls"},
{"role": "computer", "type": "console", "format": "output", "content": "build"}`},
		Want: []string{"LMC413 2:53"},
	}},
	Good: []lint.Example{{
		Name: "the code follows",
		Input: `[{"role": "user", "type": "message", "content": "List the files."},
{"role": "assistant", "type": "message", "content": "{\"name\": \"execute\", \"arguments\": {\"language\": \"shell\", \"code\": \"ls\"}}"},
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"},
{"role": "computer", "type": "console", "format": "output", "content": "build"}]
`,
	}, {
		Name: "an answer with JSON in it",
		Input: `[{"role": "user", "type": "message", "content": "What does a call look like?"},
{"role": "assistant", "type": "message", "content": "Like this: {\"name\": \"execute\", \"arguments\": {}}"}]
`,
	}},
	New: newUnrunToolCall,
}

func newUnrunToolCall(p *lint.Pass) []lint.Hook {
	var call string // what the last message calls, until what follows it is known; "" if it is no call
	var at source.PlaceRef
	report := func() {
		if call == "" {
			return
		}
		p.Report(lint.Finding{
			Place:   at.Place(),
			Message: "the message is " + call + " as JSON, which did not run",
			Help:    "set interpreter.llm.supports_functions = False for a model that writes calls as text",
		})
		call = ""
	}
	follow := func(role, typ string) {
		if typ == "message" || role == "user" {
			report()
		}
		call = ""
	}
	return []lint.Hook{
		protocol.On(lmc.Opened, func(e *lmc.OpenedEvent) { follow(e.Block.Role, e.Block.Type) }),
		protocol.On(lmc.Closed, func(e *lmc.ClosedEvent) {
			b := e.Block
			if b.Sent || b.Role != "assistant" || b.Type != "message" || b.Lossy || b.Cut || b.Stray {
				return
			}
			if text, first, ok := b.Text(); ok {
				if call = toolCall(text); call != "" {
					at.Copy(first)
				}
			}
		}),
		protocol.On(lmc.Message, func(e *lmc.ContentEvent) {
			r := e.Record
			if r == nil || r.Invalid != 0 || r.Flag() {
				call = ""
				return
			}
			follow(r.Role, r.Type)
			if r.Role != "assistant" || r.Type != "message" || r.Content == nil || r.Content.Kind != source.String || !mayBeCall(r.Content.RawContent()) {
				return
			}
			if call = toolCall([]byte(r.Text())); call != "" {
				at.Set(r.Source, r.Content)
			}
		}),
		protocol.On(lmc.Confirmation, func(*lmc.ConfirmationEvent) { call = "" }),
		protocol.On(lmc.Frame, func(*lmc.Record) { report() }),
		protocol.On(lmc.Finished, func(*source.PlaceRef) { report() }),
	}
}

// mayBeCall is a quick test of a text as it is written in the record.
func mayBeCall(raw []byte) bool {
	raw = bytes.TrimLeft(raw, " ")
	return len(raw) > 0 && strings.IndexByte("{`\\", raw[0]) >= 0 && (bytes.Contains(raw, []byte("arguments")) || bytes.Contains(raw, []byte("language")))
}

// toolCall returns what a text calls, in words, or "" if it is not a call. Other JSON is not
// read beyond its first key.
func toolCall(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] != '{' && text[0] != '`' {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(withoutFence(text)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	var name, language, code *string
	var arguments, ignored json.RawMessage
	for d.More() {
		key, _ := d.Token() // of a syntax error, nil
		var err error
		switch key {
		case "name":
			err = d.Decode(&name)
		case "language":
			err = d.Decode(&language)
		case "code":
			err = d.Decode(&code)
		case "arguments":
			err = d.Decode(&arguments)
		case "id", "type":
			err = d.Decode(&ignored)
		default:
			return ""
		}
		if err != nil {
			return ""
		}
	}
	if _, err := d.Token(); err != nil || !isAtEnd(d) {
		return ""
	}
	switch {
	case language == nil && code == nil && name != nil && len(arguments) > 0 && strings.IndexByte(`{"`, arguments[0]) >= 0:
		return "a call of " + protocol.Quoted(*name)
	case name == nil && arguments == nil && language != nil && code != nil:
		return "code in " + protocol.Quoted(*language)
	}
	return ""
}

// isAtEnd reports whether nothing follows.
func isAtEnd(d *json.Decoder) bool {
	_, err := d.Token()
	return errors.Is(err, io.EOF)
}

// withoutFence returns a text without the code fence or the backticks around it.
func withoutFence(text []byte) []byte {
	size := len(text) - len(bytes.TrimLeft(text, "`"))
	fence := text[:size]
	inner, isClosed := bytes.CutSuffix(text[size:], fence)
	if size == 0 || !isClosed {
		return text
	}
	if info, rest, hasLines := bytes.Cut(inner, []byte{'\n'}); hasLines && !bytes.ContainsAny(info, " {") {
		inner = rest
	}
	return bytes.TrimSpace(inner)
}
