package framing

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var emptyBlock = &lint.Rule{
	ID: "LMC207", Name: "empty-block",
	Summary: "A block has no content",
	Rationale: "Either the content was lost, or the producer should have sent nothing. Open Interpreter's terminal and web " +
		"clients draw an empty block, accumulate() stores an empty message, and OpenInterpreter/01 delivers a message without " +
		"content.",
	Evidence: []string{
		"all 2,366 recorded blocks have content",
		"OpenInterpreter/01#112: an audio message without any data",
	},
	Requirements: []string{"LMC-STR-7"},
	Severity:     lint.SeverityWarning, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "nothing between start and end",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "end": true}
`,
		Edits: []string{`{"role": "assistant", "type": "message", "end": true}
`, `{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`},
		Want: []string{"LMC207 1:1"},
	}},
	Good: []lint.Example{{
		Name:  "one chunk of content",
		Input: saidHi,
	}},
	New: protocol.Report(lmc.Closed, findEmptyBlock),
}

func findEmptyBlock(p *lint.Pass, e *lmc.ClosedEvent) lint.Finding {
	b := e.Block
	if b.Contents > 0 || b.Sent || isBinary(b.Type, b.Format) && !protocol.StateOf(p).ShowsBinary() {
		return lint.Finding{} // LMC610 reports the client's
	}
	return lint.Finding{
		Place:   b.Start.Place(),
		Message: fmt.Sprintf("%s block has no content", b.Name()),
		Help:    "send content between the start and the end flag, or remove both",
	}
}

// isBinary reports whether the content of a type and format is binary frames.
func isBinary(typ, format string) bool {
	return typ == "audio" && strings.HasPrefix(format, "bytes.")
}
