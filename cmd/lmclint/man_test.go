package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A line that begins with a dot is a macro, and one of those that are used.
func TestManualIsRoff(t *testing.T) {
	status, page := run("man")
	require.Equal(t, exitClean, status)
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, ".") {
			assert.Regexp(t, `^\.(TH|SH|SS|PP|TP|RS|RE|br|nf|fi)( "[^"]*")*$`, line)
		}
		assert.False(t, strings.HasPrefix(line, "'"), line)
		assert.NotRegexp(t, `\\([^e&\-f(]|$)`, line)
	}
	for _, cmd := range commands() {
		assert.Contains(t, page, `.SS "`+roffText(cmd.name)+`"`)
	}
}

func TestRoffTextEscapes(t *testing.T) {
	for in, want := range map[string]string{
		".dot":       `\&.dot`,
		"'quote'":    `\&'quote'`,
		`back\slash`: `back\eslash`,
		"--flag":     `\-\-flag`,
		"":           "",
	} {
		assert.Equal(t, want, roffText(in))
	}
}
