package main

import (
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// updateConfig refreshes what the schema of configurations takes from the
// program: go test ./cmd/lmclint -run TestConfigSchema -update-config
var updateConfig = flag.Bool("update-config", false, "rewrite the generated parts of the schema of configurations")

const configSchemaFile = "../../schema/config.schema.json"

// The words that the schema allows are those that the program knows.
func TestConfigSchemaHasTheWordsOfTheProgram(t *testing.T) {
	old, err := os.ReadFile(configSchemaFile)
	require.NoError(t, err)
	o := defineCheckFlags(pflag.NewFlagSet("check", pflag.ContinueOnError))
	text := string(old)
	for _, part := range []struct {
		head  string // what stands before the list
		words []string
	}{
		{`-update-config",` + "\n" + `          "enum": `, rules.Catalogue().Words()},
		{`"pattern": "^[a-z0-9][a-z0-9.-]*$",` + "\n" + `      "examples": `, append([]string{auto}, schema.Names()...)},
		{`"kind": {` + "\n" + `      "enum": `, o.kind.allowed},
		{`"form": {` + "\n" + `      "enum": `, o.form.allowed},
	} {
		text = replaceList(t, text, part.head, part.words)
	}
	if *updateConfig {
		require.NoError(t, os.WriteFile(configSchemaFile, []byte(text), 0o644))
		return
	}
	assert.Equal(t, text, string(old), "the schema is stale; refresh it with: go test ./cmd/lmclint -run TestConfigSchema -update-config")
}

// replaceList puts words into the list behind a head, a few a line.
func replaceList(t *testing.T, text, head string, words []string) string {
	t.Helper()
	require.Equal(t, 1, strings.Count(text, head), head)
	before, rest, _ := strings.Cut(text, head)
	end := strings.Index(rest, "]")
	require.Positive(t, end)
	indent := regexp.MustCompile(`(?m)^ *\]`).FindString(rest)
	indent = strings.TrimSuffix(indent, "]")
	var list strings.Builder
	list.WriteString("[\n")
	for i, word := range words {
		quoted, err := json.Marshal(word)
		require.NoError(t, err)
		list.WriteString(indent + "  " + string(quoted))
		if i < len(words)-1 {
			list.WriteString(",")
		}
		list.WriteString("\n")
	}
	list.WriteString(indent)
	return before + head + list.String() + rest[end:]
}

// The flags that a configuration can set have keys of the same name, and the
// same defaults.
func TestConfigSchemaFollowsTheFlags(t *testing.T) {
	var document struct {
		Properties map[string]struct {
			Default any `json:"default"`
		} `json:"properties"`
	}
	require.NoError(t, json.Unmarshal(schema.Config(), &document))
	flags := pflag.NewFlagSet("check", pflag.ContinueOnError)
	defineCheckFlags(flags)
	for _, name := range []string{"fail-on", "dialect", "kind", "form", "auto-run", "allow-empty", "max-record-bytes"} {
		property, ok := document.Properties[name]
		require.True(t, ok, name)
		shown, err := json.Marshal(property.Default)
		require.NoError(t, err)
		if n, ok := property.Default.(float64); ok {
			shown, err = json.Marshal(int64(n))
			require.NoError(t, err)
		}
		assert.Equal(t, flags.Lookup(name).DefValue, strings.Trim(string(shown), `"`), name)
	}
}
