package execution

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var leakedLine = lint.SeverityCase{Severity: lint.SeverityWarning, When: "after a block that was cut off"}

var activeLineOutOfRange = &lint.Rule{
	ID: "LMC308", Name: "active-line-out-of-range",
	Summary: "An active_line is past the last line of the code",
	Rationale: "The line does not exist in the code that the user sees, so that no line is highlighted; no consumer loses more. " +
		"After a block that was cut off, the line usually belongs to the interrupted execution, and the output around it is shown and stored as that of other code.",
	Evidence:     []string{"recordings close_then_run since 0.4.2: 2 of 678 line numbers, both after an interrupted execution"},
	Requirements: []string{"LMC-EXE-9"},
	Severity:     lint.SeverityNote, Severities: []lint.SeverityCase{leakedLine},
	Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "line 7 of one line",
		Input: example.Running + `{"role": "computer", "type": "console", "format": "active_line", "content": 7}
` + example.Ran,
		Want: []string{"LMC308 6:77"},
	}, {
		Name: "a loop past the end of the code is one mistake, at its first line",
		Input: example.Running + `{"role": "computer", "type": "console", "format": "active_line", "content": 2}
{"role": "computer", "type": "console", "format": "active_line", "content": 3}
{"role": "computer", "type": "console", "format": "active_line", "content": 2}
` + example.Ran,
		Want: []string{"LMC308 6:77"},
	}, {
		Name: "the line of an execution that was cut off",
		Input: strings.Replace(example.ShellCode, `"ls"`, `"cd build\nmake\nls"`, 1) + strings.Replace(example.Confirmed, `"ls"`, `"cd build\nmake\nls"`, 1) +
			`{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": 2}
` + example.Running + `{"role": "computer", "type": "console", "format": "active_line", "content": 3}
{"role": "computer", "type": "console", "format": "output", "content": "a.out\n"}
` + example.Ran,
		Edits: []string{`{"role": "computer", "type": "console", "format": "active_line", "content": 2}
`, `{"role": "computer", "type": "console", "format": "active_line", "content": 2}
{"role": "computer", "type": "console", "format": "active_line", "content": 3}
{"role": "computer", "type": "console", "end": true}
`, `{"role": "computer", "type": "console", "format": "active_line", "content": 3}
{"role": "computer", "type": "console", "format": "output", "content": "a.out\n"}
`, `{"role": "computer", "type": "console", "format": "output", "content": "a.out\n"}
`},
		Want: []string{"LMC202 7:1", "LMC308 12:77"},
	}, {
		Name: "two executions",
		Input: strings.Repeat(example.Running+`{"role": "computer", "type": "console", "format": "active_line", "content": 7}
`+example.Ran, 2),
		Want: []string{"LMC308 6:77", "LMC308 14:77"},
	}},
	Good: []lint.Example{{
		Name: "lines may be skipped, repeated and decrease",
		Input: `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "cd /tmp\nls\nls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "cd /tmp\nls\nls"}}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": 3}
{"role": "computer", "type": "console", "format": "active_line", "content": 1}
{"role": "computer", "type": "console", "format": "active_line", "content": 1}
` + example.Ran,
	}},
	New: newActiveLineOutOfRange,
}

func newActiveLineOutOfRange(p *lint.Pass) []lint.Hook {
	reported := 0   // number of the first block of the last execution reported: a loop repeats its lines
	cutOff := false // a block was
	return []lint.Hook{protocol.On(lmc.Unclosed, func(*lmc.UnclosedEvent) {
		cutOff = true
	}), protocol.On(session.Interrupted, func(*session.Interruption) {
		cutOff = true
	}), protocol.On(lmc.Content|lmc.ActiveLine, func(e *lmc.ContentEvent) {
		line, text := activeLine(e.Record)
		if e.Code == nil || line <= int64(e.Code.Lines()) || e.Run != nil && e.Run.First.Number == reported || protocol.Explained(p, e) {
			return
		}
		if e.Run != nil {
			reported = e.Run.First.Number
		}
		lines := "one line"
		if n := e.Code.Lines(); n != 1 {
			lines = fmt.Sprintf("%d lines", n)
		}
		f := lint.Finding{
			Place:   e.Record.PlaceOf("content"),
			Message: fmt.Sprintf("active_line is %s, but the code has %s", protocol.Word(text), lines),
			Help:    "count the lines of the running code block from 1",
			Related: []lint.Related{{Message: "code streamed here", Place: e.Code.Start.Place()}},
		}
		if cutOff {
			f.Severity, f.Help = leakedLine.Severity, "wait until the interrupted execution has ended before the next one; its output may be mixed with this one's"
		}
		p.Report(f)
	})}
}

// activeLine returns the line that a console chunk names, and its text: of a string
// the content, of a number the digits. The line is 0 if it names none.
func activeLine(r *lmc.Record) (line int64, text string) {
	if r.Type != "console" || r.Format != "active_line" || r.Content == nil || r.Content.Kind == source.Null {
		return 0, ""
	}
	if text = r.Content.Text(); r.Content.Kind != source.String {
		text = string(r.Content.Raw())
	}
	number, _ := strconv.ParseFloat(text, 64) // infinite if it is too large
	return int64(min(number, 1<<53)), text
}
