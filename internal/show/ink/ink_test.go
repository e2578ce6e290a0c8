package ink_test

import (
	"testing"

	"github.com/fatih/color"
	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/lint"
)

func TestTextHasNoEscapesWithoutInk(t *testing.T) {
	assert.Equal(t, "a", ink.Ink(false).Bold("a"))
	assert.Equal(t, "\x1b[1ma\x1b[22m", ink.Ink(true).Bold("a"))
	assert.Empty(t, ink.Ink(true).Faint(""))
	assert.Equal(t, "a", ink.Link("", "a"))
	assert.Equal(t, "\x1b]8;;https://example.org\x1b\\a\x1b]8;;\x1b\\", ink.Link("https://example.org", "a"))
}

func TestEachSeverityHasAColor(t *testing.T) {
	seen := map[color.Attribute]bool{}
	for _, s := range []lint.Severity{0, lint.SeverityNote, lint.SeverityWarning, lint.SeverityError} {
		seen[ink.Severity(s)] = true
	}
	assert.Len(t, seen, 4)
}

func TestTextFitsItsColumns(t *testing.T) {
	assert.Equal(t, []string{"ab cd", "漢字", "longer", "e ::f"}, ink.Wrap([]string{"ab", "cd", "漢字", "longer", "e", "::f"}, 5, 4))
	assert.Equal(t, 6, ink.Columns("漢字ab"))
	assert.Equal(t, "漢…", ink.Shorten("漢字", 1))
	assert.Equal(t, "漢字", ink.Shorten("漢字", 2))
}
