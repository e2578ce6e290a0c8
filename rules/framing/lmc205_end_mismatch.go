package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var endMismatch = &lint.Rule{
	ID: "LMC205", Name: "end-mismatch",
	Summary: "An end flag's role, type or format differs from the open block's",
	Rationale: "Web clients look for the end by role and type and never save the block, and Open Interpreter's terminal draws output " +
		"apart from its code. accumulate() stores a message that consists of the end.",
	Evidence:     []string{"all 2,366 recorded end flags repeat the role, type and format of their start"},
	Requirements: []string{"LMC-STR-5"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes:    lint.UnsafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a message ends as a computer console",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "computer", "type": "console", "end": true}
`,
		Want: []string{"LMC205 3:10"},
	}},
	Good: []lint.Example{{
		Name: "the end flag repeats the role, type and format of the start",
		Input: `{"role": "computer", "type": "image", "format": "path", "start": true}
{"role": "computer", "type": "image", "format": "path", "content": "/tmp/plot.png"}
{"role": "computer", "type": "image", "format": "path", "end": true}
`,
	}},
	New: protocol.Report(lmc.EndMismatch, reportEndMismatch),
}

func reportEndMismatch(p *lint.Pass, e *lmc.FramingError) lint.Finding {
	at := differing(e)
	if p.RepeatsAt("", at) {
		return lint.Finding{}
	}
	f := lint.Finding{
		Place:   at,
		Message: fmt.Sprintf("end of %s does not match the open block %s", protocol.RecordName(e.Record), e.Block.Name()),
		Help:    helpForSide(e.Sent, "repeat the role, type and format of the start flag", "repeat the type and format of the start flag, or omit them in both; the server accepts any end flag"),
		Related: []lint.Related{{Message: "block opened here", Place: e.Block.Start.Place()}},
	}
	end := protocol.EndOf(protocol.StateOf(p).Dialect, e.Block)
	if end == nil || e.Record.Key("role") == nil || e.Record.Key("type") == nil {
		return f
	}
	var edits []lint.Edit
	r, format := e.Record.Source, e.Record.Key("format")
	for _, m := range end[:len(end)-1] {
		n := e.Record.Key(m.Name)
		if n == nil {
			edits = append(edits, fix.AppendMember(r, r.Root, m.Name, m.Value)...)
		} else if n.Text() != m.Value {
			edits = append(edits, fix.ReplaceValue(r, n, m.Value)...)
		}
		if m.Name == "format" {
			format = nil
		}
	}
	if format != nil {
		edits = append(edits, fix.RemoveMember(r, r.Root, format)...)
	}
	f.Fix = fix.Unsafe("repeat the role, type and format of the block", edits)
	return f
}
