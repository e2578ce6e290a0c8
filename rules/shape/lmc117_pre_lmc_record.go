package shape

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var preLMCRecord = &lint.Rule{
	ID: "LMC117", Name: "pre-lmc-record",
	Summary: "Records use the pre-LMC format of Open Interpreter 0.1.16 or older",
	Rationale: "Releases up to 0.1.16 identified a record by its keys: message, code, language, output. Later releases raise a " +
		"KeyError when they restore or continue such a conversation, and web clients show nothing. Reported once per " +
		"input.",
	Evidence: []string{
		"recordings of 0.1.16",
		"documentation, streaming-response: an example still tests the key executing",
		"issue openinterpreter/openinterpreter#962: conversations of 0.1 cannot be restored in 0.2",
	},
	Requirements: []string{"LMC-REC-14"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	OneCause: true,
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
		Want: []string{"LMC117 1:1", "LMC117 2:1", "LMC117 3:1", "LMC117 4:1", "LMC117 5:1", "LMC117 6:1", "LMC117 7:1", "LMC117 8:1", "LMC117 9:1"},
	}, {
		Name: "a conversation of 0.1.16",
		Input: `[{"role": "user", "message": "What's 34/24?"},
 {"role": "assistant", "language": "python", "code": "34 / 24", "output": "1.4166666666666667"}]
`,
		Want: []string{"LMC117 1:2", "LMC117 2:2"},
	}},
	Good: []lint.Example{{
		Name:  "the same conversation in LMC",
		Input: codeTranscript,
	}},
	New: newPreLMCRecord,
}

func newPreLMCRecord(p *lint.Pass) []lint.Hook {
	return []lint.Hook{{On: protocol.PreLMCEvent, Do: func(event any) {
		p.Report(lint.Finding{
			Place:   event.(*source.Record).Place(),
			Message: "the record uses the pre-LMC format of Open Interpreter 0.1.16 or older",
			Help:    "lmclint convert --from-version 0.1 --to messages writes it as LMC messages",
		})
	}}}
}
