package content

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var ansiEscape = &lint.Rule{
	ID: "LMC407", Name: "ansi-escape",
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
	Fixes:    lint.UnsafeFixes,
	OneCause: true,
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
	hooks := []lint.Hook{protocol.On(lmc.Content|lmc.Message, func(e *lmc.ContentEvent) {
		r, b := e.Record, e.Block
		if r == nil || !protocol.HasText(e) || b != nil && b.Number == reported {
			return
		}
		found := escapesOf(r, 1)
		if len(found) == 0 {
			return
		}
		if b != nil {
			reported = b.Number
		}
		from, to := found[0][0], found[0][1]
		place := r.Source.PlaceIn(r.Content, from, to)
		if p.RepeatsAt("", place) {
			return
		}
		most := fix.MaxListed + 1 // what shows whether a report lists all of them
		if p.Fixing {
			most = -1
		}
		found = escapesOf(r, most)
		made := fix.Unsafe("remove the escape sequences", fix.RemoveTexts(r.Source, r.Content, found))
		if made != nil && len(found) > fix.MaxListed {
			made.Partial = true
		}
		p.Report(lint.Finding{
			Place:   place,
			Message: fmt.Sprintf("terminal escape sequence %s in the content", protocol.Quoted(r.Text()[from:to])),
			Help:    "disable colors in the program (NO_COLOR, --color=never), or remove escape sequences before storing",
			Fix:     rest.Begin(made, r, b, removeEscapes),
		})
	})}
	if p.Fixing {
		hooks = append(hooks, rest.Follow()...)
	}
	return hooks
}

// escape matches a terminal escape sequence: ESC, which has no other use, with the
// control sequence after ESC [, and the control sequence after U+009B. That is common in
// wrongly decoded text, so that it needs a digit and a complete sequence after it. A
// control sequence has parameter and intermediate bytes, then a final byte (ECMA-48,
// 5.4); no terminal reads more than 64.
var escape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b(\[([ -?]{0,63}[@-~]|[ -?]{0,64}))?|\x{9b}[0-9][ -?]{0,62}[@-~]`)
})

// escapesOf returns where the content of a record has terminal escape sequences, at most
// that many, or all of them if most is negative.
func escapesOf(r *lmc.Record, most int) [][]int {
	if r.Content == nil || protocol.HoldsImage(r) || r.Content.IsPlain() { // a quick test, before the text is decoded
		return nil
	}
	text := r.Text()
	if strings.IndexByte(text, 0x1b) < 0 && !strings.Contains(text, "\u009b") {
		return nil
	}
	return escape().FindAllStringIndex(text, most)
}

// removeEscapes returns the edits that remove all escape sequences of a record.
func removeEscapes(r *lmc.Record) []lint.Edit {
	return fix.RemoveTexts(r.Source, r.Content, escapesOf(r, -1))
}
