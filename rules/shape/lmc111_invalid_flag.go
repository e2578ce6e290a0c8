package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var invalidFlag = &lint.Rule{
	ID: "LMC111", Name: "invalid-flag", Since: "0.1",
	Summary: "A start or end flag has a value other than true",
	Rationale: "Open Interpreter's terminal and server check that the key is present, so that \"start\": false " +
		"starts a block and \"end\": false ends one; web clients check for true, and never save a message whose end is false. If every chunk has both keys as false, " +
		"the terminal draws a block per chunk and the server never answers.",
	Evidence: []string{
		"recordings: all 4,831 flags are exactly true",
		"source, async_core.py: \"start\" in chunk",
		"issue OpenInterpreter/01#253: a client sends \"end\": false with its content",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "an end flag that is false",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message", "end": false}
`,
		Want: []string{"LMC111 3:49"},
	}},
	Good: []lint.Example{{
		Name:  "flags are true",
		Input: helloStream,
	}},
	New: protocol.ReportViolations(func(_ *lint.Pass, v *protocol.Violation) lint.Finding {
		return lint.Finding{
			Place:   v.Place(),
			Message: fmt.Sprintf("%s is %s, expected true", v.Key, v.Shown()),
			Help:    fmt.Sprintf("%[2]s; Open Interpreter only checks that the key is present, so this %[1]s a block", effect(v), flagHelp(v)),
		}
	}),
}

func effect(v *protocol.Violation) string {
	if v.Key == "start" {
		return "starts"
	}
	return "ends"
}

// flagHelp returns the likely fix of a flag that is not true.
func flagHelp(v *protocol.Violation) string {
	if v.Record.Content != nil || v.Record.Start && v.Record.End {
		return "remove the key"
	}
	return "write true, or remove the record"
}
