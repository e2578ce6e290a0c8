package schema

import "strings"

// languages is the interpreter's languages directory.
func languages() []Language {
	return []Language{
		{Name: "python", Aliases: []string{"py"}},
		{Name: "shell", Aliases: []string{"bash", "sh", "zsh", "batch", "bat"}},
		{Name: "javascript"},
		{Name: "html"},
		{Name: "applescript"},
		{Name: "r"},
		{Name: "powershell"},
		{Name: "react"},
		{Name: "ruby"},
		{Name: "java"},
	}
}

// Language returns the language that a code format names. Exact reports
// whether it is spelled as the languages directory spells it; aliases, upper
// case and surrounding white space are understood too.
func (d *Dialect) Language(format string) (lang *Language, exact, ok bool) {
	for i := range d.Languages {
		if d.Languages[i].Name == format {
			return &d.Languages[i], true, true
		}
	}
	format = strings.TrimSpace(format)
	for i := range d.Languages {
		if d.Languages[i].understands(format) {
			return &d.Languages[i], false, true
		}
	}
	return nil, false, false
}

func (l *Language) understands(format string) bool {
	if strings.EqualFold(l.Name, format) {
		return true
	}
	for _, alias := range l.Aliases {
		if strings.EqualFold(alias, format) {
			return true
		}
	}
	return false
}

// Note reports whether a code format is text to read, not code to run. Upper
// case and surrounding white space do not matter.
func (d *Dialect) Note(format string) bool {
	format = strings.TrimSpace(format)
	for _, note := range d.NoteFormats {
		if strings.EqualFold(note, format) {
			return true
		}
	}
	return false
}

// LanguageNames returns the languages' names as the directory spells them.
func (d *Dialect) LanguageNames() []string {
	names := make([]string, 0, len(d.Languages))
	for _, l := range d.Languages {
		names = append(names, l.Name)
	}
	return names
}
