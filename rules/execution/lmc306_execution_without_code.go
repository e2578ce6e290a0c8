package execution

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var executionWithoutCode = &lint.Rule{
	ID: "LMC306", Name: "execution-without-code",
	Summary: "A console block has no preceding code block in the input",
	Rationale: "Output belongs to code; without the code a reader cannot see what ran. Open Interpreter's terminal shows the output in a block without code, and stored as a transcript it cannot be restored (LMC503). The recording lost its beginning, " +
		"or a program sends its own notices as console output.",
	Evidence: []string{
		"every recorded console block has code before it",
		"wild: OpenInterpreter/01 stored a scheduler's reminders as console output",
	},
	Requirements: []string{"LMC-EXE-7"},
	Severity:     lint.SeverityWarning, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the stream starts with output",
		Input: `{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "README\n"}
` + example.Ran,
		Edits: []string{"", `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
`},
		Want: []string{"LMC306 1:1"},
	}},
	Good: []lint.Example{{
		Name:  "output follows code",
		Input: example.Listed,
	}},
	New: protocol.Report(lmc.CodelessOutput, reportExecutionWithoutCode),
}

func reportExecutionWithoutCode(_ *lint.Pass, b *lmc.Block) lint.Finding {
	return lint.Finding{
		Place:   b.Start.Place(),
		Message: "console output without preceding code in this input",
		Help:    "send the code block before its output; the recording may start mid-conversation",
	}
}
