package content

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var truncatedOutput = &lint.Rule{
	ID: "LMC409", Name: "truncated-output",
	Summary: "Console output was truncated by the interpreter",
	Rationale: "The beginning of the output is not in the transcript, and the model did not see it either; only the stream has " +
		"all of it. No consumer fails, but the transcript does not show what the program printed.",
	Evidence: []string{
		"truncate_output.py, truncate_output(); max_output is 2,000 characters in 0.1.17 and 2,800 later",
		"recordings long_output, long_line, small_max_output",
	},
	Requirements: []string{"LMC-CNT-10"},
	Severity:     lint.SeverityNote, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the last ten characters",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "print('x' * 30)"},
{"role": "computer", "type": "console", "format": "output", "content": "Output truncated. Showing the last 10 characters.\n\nxxxxxxxxx\n"}]
`,
		Want: []string{"LMC409 2:73"},
	}},
	Good: []lint.Example{{
		Name: "output that fits",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "print('x' * 30)"},
{"role": "computer", "type": "console", "format": "output", "content": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"}]
`,
	}},
	New: newTruncatedOutput,
}

func newTruncatedOutput(p *lint.Pass) []lint.Hook {
	const before, after = "Output truncated. Showing the last ", " characters." // without escapes
	return []lint.Hook{protocol.OnText(lmc.PlainText|lmc.Message, func(r *lmc.Record, _ *lmc.Block) {
		if r.Format != "output" || !bytes.HasPrefix(r.Content.RawContent(), []byte(before)) {
			return
		}
		kept, _, ok := strings.Cut(strings.TrimPrefix(r.Text(), before), after)
		if !ok || kept == "" || len(kept) > 20 || strings.Trim(kept, "0123456789") != "" {
			return
		}
		p.Report(lint.Finding{
			Place:   r.Source.PlaceIn(r.Content, 0, len(before)+len(kept)+len(after)),
			Message: fmt.Sprintf("output truncated to its last %s characters", kept),
			Help:    "raise interpreter.max_output to store more; the stream has the complete output",
		})
	}, "console")}
}
