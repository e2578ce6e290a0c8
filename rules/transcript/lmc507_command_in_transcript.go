package transcript

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var commandInTranscript = &lint.Rule{
	ID: "LMC507", Name: "command-in-transcript",
	Summary: "A user command is stored in a transcript",
	Rationale: "go and stop are for the server. Open Interpreter's converter raises an exception at " +
		"the type command in each later request: the conversation cannot continue.",
	Evidence: []string{
		"documentation, server usage: a command is a frame of the user",
		"recordings of 0.3.4 over WebSocket: that server has no commands and stores them",
	},
	Requirements: []string{"LMC-TRN-2"},
	Severity:     lint.SeverityError, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "go was stored",
		Input: `[{"role": "user", "type": "message", "content": "List the files."},
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"},
{"role": "user", "type": "command", "content": "go"},
{"role": "computer", "type": "console", "format": "output", "content": "data.csv\n"}]
`,
		Edits: []string{`{"role": "user", "type": "command", "content": "go"},
`, ""},
		Want: []string{"LMC507 3:26"},
	}},
	Good: []lint.Example{{
		Name: "the same word in a message",
		Input: `[{"role": "user", "type": "message", "content": "go"},
{"role": "assistant", "type": "message", "content": "Where to?"}]
`,
	}},
	New: protocol.Report(lmc.Shape, findCommandInTranscript),
}

func findCommandInTranscript(_ *lint.Pass, r *lmc.Record) lint.Finding {
	if r.Flag() || protocol.IsEphemeral(r) || !protocol.IsCommand(r) {
		return lint.Finding{}
	}
	message := "user command in a transcript"
	if command := r.Text(); command != "" {
		message = fmt.Sprintf("user command %s in a transcript", protocol.Quoted(command))
	}
	return lint.Finding{
		Place:   r.PlaceOf("type"),
		Message: message,
		Help:    "remove this record from the history",
	}
}
