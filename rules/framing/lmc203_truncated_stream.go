package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var truncatedStream = &lint.Rule{
	ID: "LMC203", Name: "truncated-stream",
	Summary: "The input ends while a block is open",
	Rationale: "The last message is incomplete: the consumer stopped reading, the recording is truncated, or the producer " +
		"failed. A web client never saves the message, OpenInterpreter/01 never delivers it, and the server never answers a message whose end is missing.",
	Evidence: []string{
		"recordings close_mid_output, close_mid_message, close_mid_code, llm_raise_message, llm_raise_code",
		"all 582 recordings without an interruption end with an end flag",
	},
	Requirements: []string{"LMC-STR-3"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes:    lint.UnsafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a truncated recording",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "The"}
{"role": "assistant", "type": "message", "content": " result"}
`,
		Want: []string{"LMC203 3:1"},
	}},
	Good: []lint.Example{{
		Name:  "a consumer that stops at the confirmation leaves no block open",
		Input: example.ShellCode + example.Confirmed,
	}},
	New: protocol.Report(lmc.Truncated, reportTruncatedStream),
}

func reportTruncatedStream(p *lint.Pass, e *lmc.TruncatedEvent) lint.Finding {
	s, b := protocol.StateOf(p), e.Block
	help := fmt.Sprintf("send the end flag with %q: true; if it was sent, the recording is truncated", s.Dialect.EndKey)
	if b.Contents == 0 && !b.Stray {
		help = "remove the start flag; if content was sent after it, the recording is truncated"
	}
	userEnd := `{"role": "user", "end": true}`
	if b.Type != "" {
		userEnd = fmt.Sprintf(`{"role": "user", "type": %q, "end": true}`, b.Type)
	}
	f := lint.Finding{
		Place:   e.Last.Place(),
		Message: fmt.Sprintf("the input ends before %s ends", b.Name()),
		Help:    helpForSide(b.Sent, help, "send "+userEnd+"; the server responds only after the end flag"),
		Related: []lint.Related{{Message: "block opened here", Place: b.Start.Place()}},
	}
	if !s.ShowsBinary() { // in a session the last record may come from the other side
		f.Fix = endFix(s, b, func(m ...fix.Member) []lint.Edit { return fix.InsertAfterRef(e.Last, m...) })
	}
	return f
}
