package content

import (
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var leakedMarker = &lint.Rule{
	ID: "LMC412", Name: "leaked-marker", Since: "0.1",
	Summary: "Console output contains a marker of Open Interpreter",
	Rationale: "Open Interpreter adds a line that prints ##active_line3## before line 3 of the code, and takes the markers " +
		"out of the output. One that it missed is part of the output: the terminal shows it, the model " +
		"reads it as output of the program, and no active_line is sent for it. Reported once per message. Tracebacks quote the added code, with the marker in quotes; they are not reported.",
	Evidence: []string{
		"subprocess_language.py and jupyter_language.py: detect_active_line() takes the markers out of each line of output",
		"recording hide_traceback of 0.1.17: a traceback that quotes print('##active_line1##')",
		"wild: saved conversations of several repositories have ##active_line2## in their console output",
	},
	Severity: lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a marker in stored output",
		Input: `[{"role": "assistant", "type": "code", "format": "shell", "content": "cd /tmp\nls"},
{"role": "computer", "type": "console", "format": "output", "content": "##active_line2##\nREADME\n"}]
`,
		Want: []string{"LMC412 2:73"},
	}, {
		Name: "markers in a stream",
		Input: example.ShellCode + example.Confirmed + `{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "README\n##active_line1##\n"}
{"role": "computer", "type": "console", "format": "output", "content": "##active_line1##\n"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`,
		Want: []string{"LMC412 6:81"},
	}},
	Good: []lint.Example{{
		Name: "the code may print the words",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "print('##active_line##')"},
{"role": "computer", "type": "console", "format": "output", "content": "##active_line##\n"}]
`,
	}},
	New: fragment{
		mayHave: (*lmc.Record).HasMarker,
		find:    firstMarker,
		message: "marker %s of Open Interpreter in the output",
		help:    "remove the markers from stored output; in a stream, send an active_line instead",
	}.hooks,
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
