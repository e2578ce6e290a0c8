package content

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var truncatedOutput = &lint.Rule{
	ID: "LMC409", Name: "truncated-output", Since: "0.1",
	Summary: "Console output was truncated by the interpreter",
	Rationale: "The beginning of the output is not in the transcript, and the model did not see it either; only the stream has " +
		"all of it. No consumer fails, but the transcript does not show what the program printed.",
	Evidence: []string{
		"truncate_output.py, truncate_output(); max_output is 2,000 characters in 0.1.17 and 2,800 later",
		"recordings long_output, long_line, small_max_output",
	},
	Requirements: []string{"LMC-CNT-10"},
	Severity:     lint.SeverityNote, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
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
	return []lint.Hook{protocol.OnText(func(r *lmc.Record, _ *lmc.Block) {
		if r.Format != "output" || !bytes.HasPrefix(r.Content.RawContent(), []byte(cutPrefix)) {
			return
		}
		kept, length, ok := truncation(r.Text())
		if !ok {
			return
		}
		p.Report(lint.Finding{
			Place:   r.Source.PlaceIn(r.Content, 0, length),
			Message: fmt.Sprintf("output truncated to its last %s characters", kept),
			Help:    "raise interpreter.max_output to store more; the stream has the complete output",
		})
	}, "console")}
}

// cutPrefix is how truncated output starts. Its characters need no escapes.
const cutPrefix = "Output truncated. Showing the last "

// truncation parses the line that the interpreter prepends to truncated output. It
// returns how many characters were kept, and the length of the line in bytes.
func truncation(text string) (kept string, length int, ok bool) {
	const before, after = cutPrefix, " characters."
	rest, ok := strings.CutPrefix(text, before)
	if !ok {
		return "", 0, false
	}
	digits := len(start(rest, 20)) - len(strings.TrimLeft(start(rest, 20), "0123456789"))
	if digits == 0 || !strings.HasPrefix(rest[digits:], after) {
		return "", 0, false
	}
	return rest[:digits], len(before) + digits + len(after), true
}
