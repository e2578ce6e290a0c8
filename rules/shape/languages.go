package shape

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// onLanguage calls do for each start flag and each message of code that names a
// language to run. The language may be unknown.
func onLanguage(p *lint.Pass, do func(*lmc.Event)) []lint.Hook {
	s, kind := protocol.StateOf(p), lmc.Opened
	if s.Transcript {
		kind = lmc.Shape
	}
	return []lint.Hook{protocol.On(kind, func(e *lmc.Event) {
		if r := e.Record; hasLanguage(s, r) {
			spells := func(d *schema.Dialect) bool { _, exact, _ := d.Language(r.Format); return exact }
			protocol.Unless(p, spells, func() { do(e) })
		}
	})}
}

// hasLanguage reports whether a record's format names a language to run.
func hasLanguage(s *protocol.State, r *lmc.Record) bool {
	if r.Invalid&lmc.InvalidType != 0 || s.Transcript && protocol.NeverStored(r) {
		return false
	}
	t, ok := s.Dialect.Type(r.Type)
	if !ok || !t.AnyCode {
		return false
	}
	format := r.Key("format")
	return format != nil && format.Kind == source.String && r.Format != "" && !s.Dialect.IsNote(r.Format)
}

// languageFor returns the supported language that an unknown name is a synonym or
// a misspelling of, in its canonical spelling, or "".
func languageFor(dialect *schema.Dialect, name string) string {
	name = lmc.Canonical(name)
	for _, language := range otherNames(name) {
		if _, exact, _ := dialect.Language(language); exact {
			return language
		}
	}
	if len(name) < 3 {
		return "" // any two names of two letters are one edit apart
	}
	nearest, _ := spelling.Nearest(name, dialect.LanguageNames())
	return nearest
}

// otherNames returns what the dialects call the language that other programs call
// name.
func otherNames(name string) []string {
	switch name {
	case "js", "node", "nodejs":
		return []string{"javascript"}
	case "py", "py3", "ipython", "jupyter":
		return []string{"python"}
	case "cmd", "terminal", "console", "fish", "shell", "sh", "zsh":
		return []string{"shell", "bash"}
	case "bat", "batch":
		return []string{"cmd"}
	case "pwsh", "ps1":
		return []string{"powershell"}
	case "rb":
		return []string{"ruby"}
	case "rscript":
		return []string{"r"}
	case "osascript":
		return []string{"applescript"}
	case "jsx":
		return []string{"react"}
	}
	return nil
}
