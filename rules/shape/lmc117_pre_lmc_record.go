package shape

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var preLMCRecord = &lint.Rule{
	ID: "LMC117", Name: "pre-lmc-record", Since: "0.1",
	Summary: "Records are from Open Interpreter 0.1.16 or older, before LMC",
	Rationale: "Releases up to 0.1.16 said what a record is by its keys: message, code, language, output. No later release can load " +
		"such a conversation, and no consumer of LMC finds a role and type in it. One finding for the whole input.",
	Evidence: []string{
		"recordings of 0.1.16",
		"documents, streaming-response: an example still asks for the key executing",
		"issue openinterpreter/openinterpreter#962: conversations of 0.1 cannot be restored in 0.2",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a stream of 0.1.16",
		Input: `{"start_of_code": true}
{"language": "python"}
{"code": "34 / 24"}
{"end_of_code": true}
{"executing": {"code": "34 / 24", "language": "python"}}
{"active_line": 1}
{"output": "1.4166666666666667"}
{"active_line": null}
{"end_of_execution": true}
`,
		Want: []string{"LMC117 1:1"},
	}, {
		Name: "a conversation of 0.1.16",
		Input: `[{"role": "user", "message": "What's 34/24?"},
 {"role": "assistant", "language": "python", "code": "34 / 24", "output": "1.4166666666666667"}]
`,
		Want: []string{"LMC117 1:2"},
	}},
	Good: []lint.Example{{
		Name: "the same conversation in LMC",
		Input: `[{"role": "user", "type": "message", "content": "What's 34/24?"},
 {"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"},
 {"role": "computer", "type": "console", "format": "output", "content": "1.4166666666666667"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{{On: protocol.PreLMCEvent, Do: func(event any) {
			r := event.(*source.Record)
			p.Report(lint.Finding{
				Place:   r.Place(),
				Message: "this is the format of Open Interpreter 0.1.16 and older, from before LMC",
				Help:    oldRecordHelp(r.Root),
			})
		}}}
	},
}

// oldRecordHelp says what becomes of a record from before LMC.
func oldRecordHelp(root *source.Node) string {
	if root.Member("role") == nil {
		return "record the stream again with 0.1.18 or newer: its chunks have role, type, and start, content or end"
	}
	return "convert it: message becomes type message with content, code becomes type code with the language as format, " +
		"output becomes a message of role computer, type console, format output"
}
