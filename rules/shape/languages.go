package shape

import (
	"slices"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// onLanguage reports a finding for each start flag and each message of code that names a
// language to run. The language may be unknown.
func onLanguage(p *lint.Pass, finding func(*lmc.Record, *lmc.Block) lint.Finding) []lint.Hook {
	s := protocol.StateOf(p)
	check := func(r *lmc.Record, b *lmc.Block) {
		if r.Invalid&lmc.InvalidType != 0 || s.Transcript && protocol.NeverStored(r) {
			return
		}
		t, ok := s.Dialect.Type(r.Type)
		if !ok || !t.AnyCode {
			return
		}
		if n := r.Key("format"); n != nil && n.Kind == source.String && r.Format != "" && !s.Dialect.IsNote(r.Format) {
			spells := func(d *schema.Dialect) bool { _, exact, _ := d.Language(r.Format); return exact }
			protocol.ReportUnless(p, finding(r, b), spells)
		}
	}
	if s.Transcript {
		return []lint.Hook{protocol.On(lmc.Shape, func(r *lmc.Record) { check(r, nil) })}
	}
	return []lint.Hook{protocol.On(lmc.Opened, func(e *lmc.OpenedEvent) { check(e.Record, e.Block) })}
}

// languageFor returns the supported language that an unknown name is a synonym or
// a misspelling of, in its canonical spelling, or "".
func languageFor(dialect *schema.Dialect, name string) string {
	name = lmc.Canonical(name)
	for _, s := range languageSynonyms {
		if _, exact, _ := dialect.Language(s.language); exact && slices.Contains(s.words, name) {
			return s.language
		}
	}
	if len(name) < 3 {
		return "" // any two names of two letters are one edit apart
	}
	nearest, _ := spelling.Nearest(name, dialect.LanguageNames())
	return nearest
}

// languageSynonyms are what other programs call the languages of the dialects. Where a
// word is in two rows, the first language that the dialect has is meant.
var languageSynonyms = []struct {
	language string
	words    []string
}{
	{"javascript", []string{"js", "node", "nodejs"}},
	{"python", []string{"py", "py3", "ipython", "jupyter"}},
	{"shell", shells},
	{"bash", shells},
	{"cmd", []string{"bat", "batch"}},
	{"powershell", []string{"pwsh", "ps1"}},
	{"ruby", []string{"rb"}},
	{"r", []string{"rscript"}},
	{"applescript", []string{"osascript"}},
	{"react", []string{"jsx"}},
}

var shells = []string{"cmd", "terminal", "console", "fish", "shell", "sh", "zsh"}
