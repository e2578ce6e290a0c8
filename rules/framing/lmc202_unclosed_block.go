package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var unclosedBlock = &lint.Rule{
	ID: "LMC202", Name: "unclosed-block",
	Summary: "A block, confirmation or server frame starts before the open block ends",
	Rationale: "A consumer draws a block from its start to its end. Without the end, web clients never save the block, OpenInterpreter/01 never delivers it, and Streamlit clients join its text with the next. If " +
		"chunks of two blocks are mixed, Open Interpreter's terminal raises an AttributeError. Producers that are stopped or fail in the middle of a block leave " +
		"it open.",
	Evidence: []string{
		"documentation, streaming-response: a message is framed by a start and an end chunk",
		"recordings close_then_run, ws_stop, ws_error_mid",
	},
	Requirements: []string{"LMC-STR-2"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes:    lint.UnsafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a message without an end flag",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC202 3:1"},
	}, {
		Name: "interleaved chunks of two blocks are one mistake, at the second start",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Let me"}
{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "message", "content": " look."}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
` + example.Confirmed + example.Executed,
		Edits: []string{`{"role": "assistant", "type": "code", "format": "shell", "start": true}
`, `{"role": "assistant", "type": "message", "content": " look."}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "code", "format": "shell", "start": true}
`, `{"role": "assistant", "type": "message", "content": " look."}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
`, `{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
`, `{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
`, `{"role": "assistant", "type": "code", "format": "shell", "end": true}
`},
		Want: []string{"LMC202 3:1"},
	}, {
		Name:  "a start flag twice",
		Input: `{"role": "assistant", "type": "message", "start": true}` + "\n" + saidHi,
		Edits: []string{`{"role": "assistant", "type": "message", "start": true}` + "\n", ""},
		Want:  []string{"LMC202 2:1"},
	}, {
		Name: "a confirmation before the end of its code",
		Input: `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
` + example.Confirmed + `{"role": "assistant", "type": "code", "format": "shell", "end": true}
` + example.Executed,
		Edits: []string{example.Confirmed, "", `"end": true}` + "\n", `"end": true}` + "\n" + example.Confirmed},
		Want:  []string{"LMC202 3:1"},
	}},
	Good: []lint.Example{{
		Name: "a block ends before the next one starts",
		Input: saidHi + `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: protocol.Report(lmc.Unclosed, findUnclosedBlock),
}

func findUnclosedBlock(p *lint.Pass, e *lmc.UnclosedEvent) lint.Finding {
	if e.Code != nil && protocol.StateOf(p).Confirms() {
		return lint.Finding{} // LMC301 reports that the code ran before its confirmation
	}
	if p.Repeats("", e.Record.Source, 0) {
		return lint.Finding{}
	}
	f := lint.Finding{
		Place:   e.Record.Place(),
		Message: fmt.Sprintf("%s starts before %s ends", protocol.RecordName(e.Record), e.Block.Name()),
		Help:    helpForSide(e.Block.Sent, unclosedHelp(protocol.StateOf(p), e), "end the open message first; the server responds only after its end flag"),
		Related: []lint.Related{{Message: "block opened here", Place: e.Block.Start.Place()}},
	}
	if e.Code == nil {
		f.Fix = endFix(protocol.StateOf(p), e.Block, func(m ...fix.Member) []lint.Edit { return fix.InsertBefore(e.Record.Source, m...) })
	}
	return f
}

// unclosedHelp returns what to do about a record before the end of a block. What follows
// is not known.
func unclosedHelp(s *protocol.State, e *lmc.UnclosedEvent) string {
	endKey, r, b := s.Dialect.EndKey, e.Record, e.Block
	isAgain := r.Start && r.Role == b.Role && r.Type == b.Type && r.Format == b.Format
	switch {
	case isAgain && b.Contents == 0:
		return "remove one of the two start flags"
	case b.Contents == 0 && !b.Stray && !b.Lossy:
		return "remove the start flag of the open block, which has no content; if its content comes later, move the flag there"
	case s.Image.Short != nil:
		return "remove the open block, whose image is incomplete, or send the rest of the image and the end flag first"
	case isAgain:
		return fmt.Sprintf("end the open block first; if it continues, remove this start flag; if it ends here, write %q instead of \"start\"", endKey)
	case r.Start:
		return fmt.Sprintf("end the open block first: its role, type and format with %q: true; if it ends later, move this block after its end", endKey)
	}
	return fmt.Sprintf("end the open block first: its role, type and format with %q: true; if it ends later, move this record after its end", endKey)
}

// endFix returns the fix that inserts the end flag of a block. A block that
// has only its start loses that.
func endFix(s *protocol.State, b *lmc.Block, insert func(...fix.Member) []lint.Edit) *lint.Fix {
	end := protocol.EndOf(s.Dialect, b)
	switch {
	case b.Lossy && b.Contents == 0:
		return nil
	case b.Contents == 0 && !b.Stray:
		return fix.Unsafe("remove the start flag of the block, which has no content", fix.RemoveRef(b.Start))
	case end == nil, s.Image.Short != nil: // more is missing than the end
		return nil
	}
	return fix.Unsafe("insert the end flag", insert(end...))
}
