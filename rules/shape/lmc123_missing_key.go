package shape

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var missingKey = &lint.Rule{
	ID: "LMC123", Name: "missing-key",
	Summary: "A record lacks a key that its type or role requires",
	Rationale: "The community's fork describes edits and tool calls with additional keys and reads them without a default: " +
		"an edit without a target raises a KeyError when the conversation is sent to the model, and a tool's answer " +
		"without a tool_call_id belongs to no call, so that the API refuses the request.",
	Evidence: []string{
		"endolith/open-interpreter, convert_to_openai_messages.py, convert_to_openai_messages(): message[\"target\"] of an edit",
		"endolith/open-interpreter, respond_and_store: the first chunk of an edit becomes the message, with its keys",
	},
	Requirements: []string{"LMC-REC-13"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "an edit of no file", Config: lint.Config{Dialect: "classic"},
		Input: `[{"role": "user", "type": "message", "content": "Fix the typo"},
 {"role": "assistant", "type": "edit", "format": "sed", "content": "s/colour/color/"}]
`,
		Edits: []string{`"s/colour/color/"`, `"s/colour/color/", "target": "/tmp/notes.txt"`},
		Want:  []string{"LMC123 2:2"},
	}, {
		Name: "a tool's answer to no call", Config: lint.Config{Dialect: "classic"},
		Input: `[{"role": "user", "type": "message", "content": "Show it"},
 {"role": "assistant", "type": "tool_call", "tool_call_id": "call_1", "name": "view_image", "arguments": "{}"},
 {"role": "tool", "type": "message", "content": "view_image: path is required"}]
`,
		Edits: []string{`l", "type": "message", "content":`, `l", "type": "message", "tool_call_id": "call_1", "content":`},
		Want:  []string{"LMC123 3:2"},
	}, {
		Name: "the first chunk of an edit", Config: lint.Config{Dialect: "classic"},
		Input: `{"role": "assistant", "type": "edit", "format": "sed", "start": true}
{"role": "assistant", "type": "edit", "format": "sed", "content": "s/colour/color/"}
{"role": "assistant", "type": "edit", "format": "sed", "end": true}
`,
		Edits: []string{`"s/colour/color/"`, `"s/colour/color/", "target": "/tmp/notes.txt"`},
		Want:  []string{"LMC123 2:1"},
	}},
	Good: []lint.Example{{
		Name: "an edit and a tool call", Config: lint.Config{Dialect: "classic"},
		Input: `[{"role": "user", "type": "message", "content": "Fix the typo"},
 {"role": "assistant", "type": "edit", "format": "sed", "content": "s/colour/color/", "target": "/home/me/notes.txt"},
 {"role": "computer", "type": "console", "format": "output", "content": "sed: OK"},
 {"role": "assistant", "type": "tool_call", "tool_call_id": "call_1", "name": "view_image", "arguments": "{}"},
 {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "view_image: path is required"}]
`,
	}, {
		Name: "an edit in two chunks, the target in the first", Config: lint.Config{Dialect: "classic"},
		Input: `{"role": "assistant", "type": "edit", "format": "sed", "start": true}
{"role": "assistant", "type": "edit", "format": "sed", "content": "s/colour/", "target": "/home/me/notes.txt"}
{"role": "assistant", "type": "edit", "format": "sed", "content": "color/"}
{"role": "assistant", "type": "edit", "format": "sed", "end": true}
`,
	}},
	New: newMissingKey,
}

func newMissingKey(p *lint.Pass) []lint.Hook {
	words := func(r *lmc.Record, key, where string) lint.Finding {
		use := "it joins a call and its answer"
		switch key {
		case "target":
			use = "it is the path of the file to change"
		case "path", "paths":
			use = "it says which image to show"
		case "name":
			use = "it is the tool that was called"
		}
		return lint.Finding{Cause: "no " + key, Message: protocol.Subject(r) + " has no " + key, Help: "add " + protocol.Quoted(key) + where + "; " + use}
	}
	return []lint.Hook{protocol.OnViolation(p, func(v *protocol.Violation) lint.Finding {
		return withRemedy(p, v, []string{v.Key}, words(v.Record, v.Key, ""))
	}), protocol.On(lmc.Content, func(e *lmc.ContentEvent) {
		t, ok := protocol.StateOf(p).Dialect.Type(e.Block.Type)
		if !ok || e.Block.Contents > 1 || e.Block.Lossy || e.Record.Flag() || e.Record.Binary {
			return
		}
		for _, key := range t.Keys {
			if e.Record.Key(key) == nil {
				f := words(e.Record, key, " to the first chunk of the block")
				f.Place = e.Record.Place()
				p.Report(f)
			}
		}
	})}
}
