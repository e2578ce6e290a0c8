package content

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var leakedMarker = &lint.Rule{
	ID: "LMC412", Name: "leaked-marker",
	Summary: "Console output contains a marker of Open Interpreter",
	Rationale: "Open Interpreter adds a line that prints ##active_line3## before line 3 of the code, and takes the markers " +
		"out of the output. One that it missed is part of the output: the terminal shows it, the model " +
		"reads it as output of the program, and no active_line is sent for it. Reported once per message. Tracebacks quote the added code, with the marker in quotes; they are not reported.",
	Evidence: []string{
		"subprocess_language.py and jupyter_language.py, detect_active_line(): takes the markers out of each line of output",
		"recording hide_traceback of 0.1.17: a traceback that quotes print('##active_line1##')",
		"wild: saved conversations of several repositories have ##active_line2## in their console output",
	},
	Requirements: []string{"LMC-CNT-11"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a marker in stored output",
		Input: `[{"role": "assistant", "type": "code", "format": "shell", "content": "cd /tmp\nls"},
{"role": "computer", "type": "console", "format": "output", "content": "##active_line2##\nREADME\n"}]
`,
		Edits: []string{`"##active_line2##\nREADME\n"`, `"README\n"`},
		Want:  []string{"LMC412 2:73"},
	}, {
		Name: "a marker in two chunks",
		Input: example.Running + `{"role": "computer", "type": "console", "format": "output", "content": "##active_"}
{"role": "computer", "type": "console", "format": "output", "content": "line1##\nREADME\n"}
` + example.Ran,
		Edits: []string{`"output", "content": "##active_"}
{"role": "computer", "type": "console", "format": "output", "content": "line1##\nREADME\n"`, `"active_line", "content": 1}
{"role": "computer", "type": "console", "format": "output", "content": "README\n"`},
		Want: []string{"LMC412 7:73"},
	}, {
		Name: "markers in a stream",
		Input: example.Running + `{"role": "computer", "type": "console", "format": "output", "content": "README\n##active_line1##\n"}
{"role": "computer", "type": "console", "format": "output", "content": "##active_line1##\n"}
` + example.Ran,
		Edits: []string{`"README\n##active_line1##\n"}
{"role": "computer", "type": "console", "format": "output", "content": "##active_line1##\n"`, `"README\n"}
{"role": "computer", "type": "console", "format": "active_line", "content": 1`},
		Want: []string{"LMC412 6:81"},
	}},
	Good: []lint.Example{{
		Name: "the code may print the words",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "print('##active_line##')"},
{"role": "computer", "type": "console", "format": "output", "content": "##active_line##\n"}]
`,
	}},
	New: newLeakedMarker,
}

func newLeakedMarker(p *lint.Pass) []lint.Hook {
	reported := 0 // number of the last block reported
	// What begins a marker at the end of the last chunk. Its rest may be in the next one.
	var cut struct {
		text          string
		block, record int // the number of its block, the index of its chunk
	}
	return []lint.Hook{protocol.On(lmc.Content|lmc.Message, func(e *lmc.ContentEvent) {
		r, b := e.Record, e.Block
		if r == nil || !protocol.HasText(e) || b != nil && b.Number == reported || !r.MayHaveMarker() {
			return
		}
		text, begun := r.Text(), ""
		if b != nil && b.Number == cut.block && r.Source.Index == cut.record+1 {
			begun = cut.text
		}
		cut.text, cut.block, cut.record = "", 0, r.Source.Index
		if at := strings.LastIndex(text, lmc.MarkerSign); b != nil && at >= 0 {
			cut.block = b.Number
			if last := text[at:]; strings.HasPrefix(lmc.Marker, last) || strings.HasPrefix(last, lmc.Marker) && strings.Trim(last[len(lmc.Marker):], "0123456789") == "" {
				cut.text = text[max(0, at-1):] // with the quote before it
			}
		}
		from, to, ok := firstMarker(begun + text)
		if !ok {
			return
		}
		if b != nil {
			reported = b.Number
		}
		p.Report(lint.Finding{
			Place:   r.Source.PlaceIn(r.Content, max(0, from-len(begun)), to-len(begun)),
			Message: fmt.Sprintf("marker %s of Open Interpreter in the output", protocol.Quoted((begun + text)[from:to])),
			Help:    "remove the markers from stored output; in a stream, send an active_line instead",
		})
	})}
}

// firstMarker finds the first marker of an active line in a text: its beginning,
// digits and ##. A marker in quotes is part of the code that a traceback quotes.
func firstMarker(text string) (from, to int, ok bool) {
	for at := 0; ; {
		found := strings.Index(text[at:], lmc.Marker)
		if found < 0 {
			return 0, 0, false
		}
		from = at + found
		at = from + len(lmc.Marker)
		rest := strings.TrimLeft(text[at:], "0123456789")
		if digits := len(text) - at - len(rest); digits > 0 && strings.HasPrefix(rest, "##") && !isInQuotes(text[:from]) {
			return from, at + digits + len("##"), true
		}
	}
}

// isInQuotes reports whether what follows a text is in quotes: it ends with one,
// or with one and the escape sequences of colors.
func isInQuotes(before string) bool {
	for strings.HasSuffix(before, "m") {
		at := strings.LastIndex(before, "\x1b[")
		if at < 0 || strings.Trim(before[at+len("\x1b["):len(before)-1], "0123456789;") != "" {
			break
		}
		before = before[:at]
	}
	return strings.HasSuffix(before, "'") || strings.HasSuffix(before, `"`)
}
