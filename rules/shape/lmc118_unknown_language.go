package shape

import (
	"cmp"
	"fmt"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var unknownLanguage = &lint.Rule{
	ID: "LMC118", Name: "unknown-language",
	Summary: "Code is in a language that the interpreter does not support",
	Rationale: "Open Interpreter does not run the code: it answers \"`pyt` disabled or not supported.\", and the model has to try " +
		"again. A truncated or misspelled name wastes a whole block of good code.",
	Evidence: []string{
		"documentation, lmc-messages: the code formats; any language of the languages directory",
		"recordings unsupported_lang, unsupported_lang_recover",
		"wild: pyt instead of python in a recorded stream; the code never ran",
	},
	Requirements: []string{"LMC-VOC-5"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a truncated name",
		Input: `[{"role": "user", "type": "message", "content": "What's 34/24?"},
 {"role": "assistant", "type": "code", "format": "pyt", "content": "34 / 24"},
 {"role": "computer", "type": "console", "format": "output", "content": "` + "`pyt`" + ` disabled or not supported."}]
`,
		Edits: []string{`"pyt"`, `"python"`},
		Want:  []string{"LMC118 2:50"},
	}, {
		Name: "an unsupported language, reported once per block",
		Input: `{"role": "assistant", "type": "code", "format": "cobol", "start": true}
{"role": "assistant", "type": "code", "format": "cobol", "content": "DISPLAY 34"}
{"role": "assistant", "type": "code", "format": "cobol", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "` + "`cobol`" + ` disabled or not supported."}
{"role": "computer", "type": "console", "end": true}
`,
		Edits: []string{`"cobol", "start": true}
{"role": "assistant", "type": "code", "format": "cobol", "content": "DISPLAY 34"}
{"role": "assistant", "type": "code", "format": "cobol"`, `"python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "DISPLAY 34"}
{"role": "assistant", "type": "code", "format": "python"`, "cobol", "python"},
		Want: []string{"LMC118 1:49"},
	}},
	Good: []lint.Example{{
		Name:  "a supported language",
		Input: codeTranscript,
	}, {
		Name: "text is not code and is not run",
		Input: `{"role": "assistant", "type": "code", "format": "markdown", "start": true}
{"role": "assistant", "type": "code", "format": "markdown", "content": "# Notes"}
{"role": "assistant", "type": "code", "format": "markdown", "end": true}
`,
	}},
	New: newUnknownLanguage,
}

func newUnknownLanguage(p *lint.Pass) []lint.Hook {
	return onLanguage(p, func(r *lmc.Record, _ *lmc.Block) lint.Finding {
		d := protocol.StateOf(p).Dialect
		if _, _, ok := d.Language(r.Format); ok {
			return lint.Finding{}
		}
		because := protocol.Quoted(r.Format)
		within, rest := spelling.Within(r.Format, d.LanguageNames())
		if within != "" {
			because = protocol.WayOfWriting(rest)
		}
		if p.Repeats(because, r.Source, r.Key("format").Start) {
			return lint.Finding{}
		}
		help := "expected " + protocol.AnyOf(d.LanguageNames())
		if language := cmp.Or(languageFor(d, r.Format), within); language != "" {
			help = protocol.DidYouMean(language)
		}
		return lint.Finding{
			Place:   r.PlaceOf("format"),
			Cause:   because,
			Message: fmt.Sprintf("unknown language %s; the interpreter will not run this code", protocol.Quoted(r.Format)),
			Help:    help,
		}
	})
}
