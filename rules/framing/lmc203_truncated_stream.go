package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/fix"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var truncatedStream = &lint.Rule{
	ID: "LMC203", Name: "truncated-stream", Since: "0.1",
	Summary: "The input ends while a block is open",
	Rationale: "The last message is incomplete: the consumer stopped reading, the recording is truncated, or the producer " +
		"failed. A web client never saves the message, OpenInterpreter/01 never delivers it, and the server never answers a message whose end is missing.",
	Evidence: []string{
		"recordings close_mid_output, close_mid_message, close_mid_code, llm_raise_message, llm_raise_code",
		"all 582 recordings without an interruption end with an end flag",
	},
	Requirements: []string{"LMC-STR-3"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes: lint.UnsafeFixes,
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

func reportTruncatedStream(p *lint.Pass, e *lmc.Event) lint.Finding {
	return lint.Finding{
		Place:   e.Last.Place(),
		Message: fmt.Sprintf("the input ends before %s ends", e.Block.Name()),
		Help:    helpForSide(e, lastEndHelp(protocol.StateOf(p), e), "send "+userEnd(e.Block)+"; the server responds only after the end flag"),
		Related: []lint.Related{{Message: "block opened here", Place: e.Block.Start.Place()}},
		Fix:     lastEndFix(protocol.StateOf(p), e),
	}
}

// lastEndHelp returns what to do about the last block, as its fix does it.
func lastEndHelp(s *protocol.State, e *lmc.Event) string {
	if e.Block.Contents == 0 && !e.Block.Stray {
		return "remove the start flag; if content was sent after it, the recording is truncated"
	}
	return fmt.Sprintf("send the end flag with %q: true; if it was sent, the recording is truncated", s.Dialect.EndKey)
}

// userEnd returns the end flag of a user block.
func userEnd(b *lmc.Block) string {
	if b.Type == "" {
		return `{"role": "user", "end": true}`
	}
	return fmt.Sprintf(`{"role": "user", "type": %q, "end": true}`, b.Type)
}

// lastEndFix returns the fix that ends the last block. In a session the last
// record may come from the other side.
func lastEndFix(s *protocol.State, e *lmc.Event) *lint.Fix {
	if s.ShowsBinary() {
		return nil
	}
	return endFix(s, e, func(m ...fix.Member) []lint.Edit { return fix.InsertAfterRef(e.Last, m...) })
}
