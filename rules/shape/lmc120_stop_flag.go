package shape

import (
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var stopFlag = &lint.Rule{
	ID: "LMC120", Name: "stop-flag",
	Summary: "A block ends with stop instead of end",
	Rationale: "Only release 0.1.17 of Open Interpreter wrote \"stop\": true. Consumers of other releases look for " +
		"\"end\": web clients never save the message, OpenInterpreter/01 never delivers it, and the server never answers a message that a client ends with stop.",
	Evidence: []string{
		"recordings of 0.1.17: 197 flags are stop and none is end; later releases have no stop",
		"documentation, streaming-response: a message ends with \"end\": true",
	},
	Requirements: []string{"LMC-REC-8"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes:    lint.SafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "the end flag of 0.1.17",
		Input: example.Altered(helloStream, `"end"`, `"stop"`),
		Want:  []string{"LMC120 3:42"},
	}, {
		Name: "a client that ends its message with stop",
		Input: `{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "frame": {"role": "user", "stop": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "content": "Hello!"}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true}}
{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
`,
		Want: []string{"LMC120 3:43"},
	}},
	Good: []lint.Example{{
		Name:  "the end flag of every later release",
		Input: helloStream,
	}, {
		Name:   "a recording of 0.1.17",
		Config: lint.Config{Dialect: "interpreter-0.1"},
		Input:  example.Altered(helloStream, `"end"`, `"stop"`),
	}},
	New: protocol.ReportViolations(reportStopFlag),
}

func reportStopFlag(p *lint.Pass, v *protocol.Violation) lint.Finding {
	s := protocol.StateOf(p)
	end := s.Dialect.EndKey
	f := lint.Finding{
		Place:   v.Place(),
		Message: "block ends with " + v.Key + ", expected " + end,
		Help:    `write "` + end + `": true`,
		Fix:     offer.RenameKey(v.Record.Source, v.Record.Source.Root, v.Node, end),
	}
	if v.Key == "stop" && !s.ShowsBinary() {
		f.Help += "; if this was recorded with Open Interpreter 0.1.17, pass --dialect interpreter-0.1"
	}
	return f
}
