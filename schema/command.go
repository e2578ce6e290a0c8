package schema

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/spelling"
)

// Command returns the command that a text is or is probably meant to be, ""
// if it is near none, and whether it is spelled as the server wants it.
func (d *Dialect) Command(text string) (command string, exact bool) {
	if slices.Contains(d.Commands, text) {
		return text, true
	}
	name, id, named := strings.Cut(text, ":")
	if d.NamedGo && named && name == "go" && id != "" {
		return name, true
	}
	for _, known := range d.Commands {
		if strings.EqualFold(strings.TrimSpace(text), known) || named && strings.EqualFold(name, known) {
			return known, false
		}
	}
	command, _ = spelling.Nearest(text, d.Commands)
	return command, false
}
