package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The page of a rule is that of the release, or of the main branch for a build
// between releases.
func TestRulePageBelongsToTheVersion(t *testing.T) {
	for version, ref := range map[string]string{
		"v0.1.0":                               "v0.1.0",
		"v1.2.3-rc1":                           "v1.2.3-rc1",
		"v2.0.0-beta.2":                        "v2.0.0-beta.2",
		"(devel)":                              "main",
		"":                                     "main",
		"0.1.0":                                "main",
		"v0.1":                                 "main",
		"v0.0.0-20261122120000-0123456789ab":   "main",
		"v0.1.1-0.20261122120000-0123456789ab": "main",
		"v0.1.0+dirty":                         "main",
		"v0.2.0-SNAPSHOT-6941b89":              "main",
		"v1.0.0/../../../evil":                 "main",
	} {
		assert.Equal(t, "https://github.com/lmclint/lmclint/blob/"+ref+"/docs/rules/LMC202.md", rulePageURL(version, "LMC202"), version)
	}
}

// environment is one of those variables, each NAME=VALUE.
func environment(variables ...string) func(string) string {
	return func(name string) string {
		for _, variable := range variables {
			if value, ok := strings.CutPrefix(variable, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

func TestTerminalsWithLinks(t *testing.T) {
	for entry, want := range map[string]bool{
		"TERM=xterm-kitty": true, "TERM_PROGRAM=iTerm.app": true, "VTE_VERSION=6003": true, "WT_SESSION=x": true,
		"VTE_VERSION=4800": false, "TERM=xterm-256color": false, "TERM=linux": false, "VTE_VERSION=x": false,
	} {
		c := Command{Getenv: environment(entry)}
		assert.Equal(t, want, c.terminalLinks(), entry)
	}
	dumb := Command{Getenv: environment("TERM=dumb", "TERM_PROGRAM=vscode")}
	assert.False(t, dumb.terminalLinks())
}

func TestWidthOfText(t *testing.T) {
	c := Command{Getenv: environment("COLUMNS=90")}
	var out bytes.Buffer
	assert.Equal(t, 90, c.widthFor(autoWidth, &out, false))
	assert.Equal(t, 0, c.widthFor(autoWidth, &out, true), "a file that was named")
	assert.Equal(t, 70, c.widthFor(70, &out, true))
	assert.Equal(t, 0, c.widthFor(0, &out, false))
	for _, columns := range []string{"", "-1", "wide", "0"} {
		c.Getenv = environment("COLUMNS=" + columns)
		assert.Equal(t, 0, c.widthFor(autoWidth, &out, false), columns)
	}
}
