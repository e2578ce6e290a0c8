package shape

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var languageSpelling = &lint.Rule{
	ID: "LMC119", Name: "language-spelling",
	Summary: "A language name is not in its canonical spelling",
	Rationale: "Models write any spelling, and Open Interpreter accepts aliases, upper case and surrounding space. Consumers " +
		"that compare the name with a list do not: the code is not highlighted, or not run.",
	Evidence: []string{
		"recording lang_case_alias, and shell_multiline_err of 0.1.18, which does not yet support the alias bash",
		"openinterpreter/openinterpreter, pull request 680: \"python \" was not recognized",
	},
	Requirements: []string{"LMC-VOC-6"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name:  "an alias",
		Input: example.Altered(codeTranscript, `"python"`, `"py"`),
		Want:  []string{"LMC119 2:50"},
	}, {
		Name: "upper case, reported once per block",
		Input: `{"role": "assistant", "type": "code", "format": "Python", "start": true}
{"role": "assistant", "type": "code", "format": "Python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "Python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "34 / 24"}}
`,
		Want: []string{"LMC119 1:49"},
	}},
	Good: []lint.Example{{
		Name:  "the canonical spelling",
		Input: codeTranscript,
	}},
	New: newLanguageSpelling,
}

func newLanguageSpelling(p *lint.Pass) []lint.Hook {
	var rest offer.BlockFix
	hooks := onLanguage(p, func(r *lmc.Record, b *lmc.Block) lint.Finding {
		alias := r.Format
		language, exact, ok := protocol.StateOf(p).Dialect.Language(alias)
		if exact || !ok {
			return lint.Finding{}
		}
		because := protocol.Quoted(alias)
		if strings.EqualFold(strings.TrimSpace(alias), language.Name) {
			because = "another case"
		}
		if p.Repeats(because, r.Source, r.Key("format").Start) {
			return lint.Finding{}
		}
		// respell replaces the alias in a record, or in the code that it asks to confirm.
		respell := func(r *lmc.Record) []lint.Edit {
			format := r.Key("format")
			if r.Type == "confirmation" {
				format = r.Content.Member("format")
			}
			if format == nil || format.Text() == language.Name || lmc.Canonical(format.Text()) != lmc.Canonical(alias) {
				return nil
			}
			return fix.ReplaceValue(r.Source, format, language.Name)
		}
		return lint.Finding{
			Cause:   because,
			Place:   r.PlaceOf("format"),
			Message: fmt.Sprintf("language %s is not in its canonical spelling", protocol.Quoted(alias)),
			Help:    fmt.Sprintf("write %s; some consumers compare the name exactly", protocol.Quoted(language.Name)),
			Fix:     rest.Begin(offer.ReplaceWord(r.Source, r.Key("format"), language.Name), r, b, respell),
		}
	})
	if p.Fixing {
		hooks = append(hooks, rest.Follow()...)
	}
	return hooks
}
