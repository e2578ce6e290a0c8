package content

import (
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var ansiEscape = &lint.Rule{
	ID: "LMC407", Name: "ansi-escape", Since: "0.1",
	Summary: "Content contains terminal escape sequences",
	Rationale: "Open Interpreter's terminal draws the escapes when it restores a conversation: they change colors, move the " +
		"cursor and overwrite text. It passes them to the model, which reads them as text, and a browser shows them as " +
		"garbage.",
	Evidence: []string{
		"recordings ansi_shell, unicode_ansi: escapes of a program are kept; tracebacks have them in 0.1.17 and not later",
		"a fork's issues: escapes in saved conversations",
	},
	Requirements: []string{"LMC-CNT-8"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "red output",
		Input: `[{"role": "assistant", "type": "code", "format": "shell", "content": "ls --color"},
{"role": "computer", "type": "console", "format": "output", "content": "\u001b[31mdata\u001b[0m\n"}]
`,
		Want: []string{"LMC407 2:73"},
	}},
	Good: []lint.Example{{
		Name: "escapes in source code are text",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "print('\\x1b[31mred')"},
{"role": "computer", "type": "console", "format": "output", "content": "red\n"}]
`,
	}},
	New: fragment{
		mayHave: func(r *lmc.Record) bool { return !protocol.HoldsImage(r) && !r.Content.IsPlain() },
		find:    firstEscape,
		message: "terminal escape sequence %s in the content",
		help:    "disable colors in the program (NO_COLOR, --color=never), or remove escape sequences before storing",
		removal: "remove the escape sequences",
	}.hooks,
}

// c1CSI is the single code point that is equivalent to ESC [.
const c1CSI = "\u009b"

// firstEscape finds the first terminal escape sequence in a text. ESC has no
// other use. U+009B is common in wrongly decoded text, so that it needs a digit
// and a complete sequence after it.
func firstEscape(text string) (from, to int, ok bool) {
	esc := strings.IndexByte(text, 0x1b)
	limit := len(text)
	if esc >= 0 {
		limit = esc
	}
	for i := 0; i < limit; {
		found := strings.Index(text[i:limit], c1CSI)
		if found < 0 {
			break
		}
		from = i + found
		i = from + len(c1CSI)
		if n, whole := sequence(text[i:]); whole && text[i] >= '0' && text[i] <= '9' {
			return from, i + n, true
		}
	}
	if esc < 0 {
		return 0, 0, false
	}
	to = esc + 1
	if strings.HasPrefix(text[to:], "[") {
		n, _ := sequence(text[to+1:])
		to += 1 + n
	}
	return esc, to, true
}

// sequence returns the length in bytes of the rest of a control sequence, and
// whether it is complete: parameter and intermediate bytes, then a final byte
// (ECMA-48, 5.4).
func sequence(text string) (n int, whole bool) {
	const longest = 64 // bytes; no terminal reads more
	for n < min(len(text), longest) {
		c := text[n]
		switch {
		case c >= 0x40 && c <= 0x7e:
			return n + 1, true
		case c < 0x20 || c > 0x7e:
			return n, false
		}
		n++
	}
	return n, false
}
