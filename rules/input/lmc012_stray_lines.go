package input

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var strayLines = &lint.Rule{
	ID: "LMC012", Name: "stray-lines",
	Summary: "A text contains lines, or an event stream events, without a record",
	Rationale: "A log or a page contains more than the conversation, and lmclint skips the other lines; in a stream of server-sent events it skips " +
		"events with other names that contain no LMC record. A record that the program " +
		"wrote in an unknown way may be among them: the count shows how much was not checked.",
	Evidence: []string{
		"issue openinterpreter#1300: a server's log that mixes chunks, requests and startup messages",
	},
	Requirements: []string{"LMC-FRM-3"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a server's log",
		Input: `2025-02-15 12:00:00 INFO Uvicorn running on http://127.0.0.1:8000
2025-02-15 12:00:01 DEBUG Sending formatted chunk: {"role": "assistant", "type": "message", "start": true}
2025-02-15 12:00:01 DEBUG Sending formatted chunk: {"role": "assistant", "type": "message", "content": "Hello!"}
2025-02-15 12:00:02 DEBUG Sending formatted chunk: {"role": "assistant", "type": "message", "end": true}
2025-02-15 12:00:03 INFO connection closed
`,
		Want: []string{"LMC012 1:1"},
	}},
	Good: []lint.Example{{
		Name: "each line of the log contains a record",
		Input: `2025-02-15 12:00:01 DEBUG Sending formatted chunk: {"role": "assistant", "type": "message", "start": true}
2025-02-15 12:00:01 DEBUG Sending formatted chunk: {"role": "assistant", "type": "message", "content": "Hello!"}
2025-02-15 12:00:02 DEBUG Sending formatted chunk: {"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: newStrayLines,
}

func newStrayLines(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnProblem(source.StrayLines, func(e *protocol.Problem) {
		f := lint.Finding{Place: e.Place, Message: e.Detail, Help: "check that no part of the conversation is skipped; if each line is a record, pass --form jsonl"}
		if e.Prefix != "" {
			prefix := strings.ReplaceAll(e.Prefix, "'", `'\''`) // quoted for a shell
			f.Help = fmt.Sprintf("records follow different texts: to read those after one of them only, pass --after '%s'", prefix)
		}
		p.Report(f)
	}), {On: protocol.OtherEventsEvent, Do: func(event any) {
		others := event.(*protocol.OtherEvents)
		p.Report(lint.Finding{Place: others.First, Message: others.String()})
	}}}
}
