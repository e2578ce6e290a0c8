package content

import (
	"fmt"
	"iter"
	"strings"

	"github.com/lmclint/lmclint/internal/fix"
	"github.com/lmclint/lmclint/internal/fix/offer"
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
	New: newAnsiEscape,
}

func newAnsiEscape(p *lint.Pass) []lint.Hook {
	reported := 0 // number of the last block reported
	var rest offer.BlockFix
	hooks := []lint.Hook{protocol.On(lmc.Content|lmc.Message, func(e *lmc.Event) {
		r, b := e.Record, e.Block
		if r == nil || !protocol.HasText(e) || b != nil && b.Number == reported || !mayHaveEscape(r) {
			return
		}
		text := r.Text()
		for from, to := range escapes(text) {
			if b != nil {
				reported = b.Number
			}
			removal := fix.Unsafe("remove the escape sequences", removeEscapes(r))
			p.Report(lint.Finding{
				Place:   r.Source.PlaceIn(r.Content, from, to),
				Message: fmt.Sprintf("terminal escape sequence %s in the content", protocol.Quoted(text[from:to])),
				Help:    "disable colors in the program (NO_COLOR, --color=never), or remove escape sequences before storing",
				Fix:     rest.Begin(removal, e, removeEscapes),
			})
			return
		}
	})}
	if p.Fixing {
		hooks = append(hooks, rest.Follow())
	}
	return hooks
}

// mayHaveEscape is a quick test, before the text is decoded.
func mayHaveEscape(r *lmc.Record) bool {
	return r.Content != nil && !protocol.HoldsImage(r) && !r.Content.IsPlain()
}

// removeEscapes returns the edits that remove the escape sequences of a record.
func removeEscapes(r *lmc.Record) []lint.Edit {
	if !mayHaveEscape(r) {
		return nil
	}
	return fix.RemoveTexts(r.Source, r.Content, escapes(r.Text()))
}

// c1CSI is the single code point that is equivalent to ESC [.
const c1CSI = "\u009b"

// escapes returns the terminal escape sequences of a text, which it walks once. ESC has no other use. U+009B is common in wrongly decoded text, so that it needs
// a digit and a complete sequence after it.
func escapes(text string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		esc := -1 // offset of the next ESC, or the length of the text
		for at := 0; at < len(text); {
			if esc < at {
				if esc = strings.IndexByte(text[at:], 0x1b); esc < 0 {
					esc = len(text)
				} else {
					esc += at
				}
			}
			from := esc
			if found := strings.Index(text[at:esc], c1CSI); found >= 0 {
				from = at + found
				at = from + len(c1CSI)
				n, whole := sequence(text[at:])
				if !whole || text[at] < '0' || text[at] > '9' {
					continue
				}
				at += n
			} else if from == len(text) {
				return
			} else if at = from + 1; strings.HasPrefix(text[at:], "[") {
				n, _ := sequence(text[at+1:])
				at += 1 + n
			}
			if !yield(from, at) {
				return
			}
		}
	}
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
