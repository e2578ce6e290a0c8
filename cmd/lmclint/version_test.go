package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/schema"
)

func TestVersionOfTheSuite(t *testing.T) {
	text, err := os.ReadFile("../../testdata/VERSION")
	require.NoError(t, err)
	assert.Equal(t, suiteVersion, strings.TrimSpace(string(text)))
}

func TestVersionAsJSON(t *testing.T) {
	var outputs []string
	for _, args := range [][]string{{"version", "--json"}, {"--version", "--json"}} {
		var out, errs strings.Builder
		c := Command{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
		require.Equal(t, exitClean, c.Main(args), errs.String())
		outputs = append(outputs, out.String())
	}
	assert.Equal(t, outputs[0], outputs[1])
	var b build
	require.NoError(t, json.Unmarshal([]byte(outputs[0]), &b))
	assert.Equal(t, schema.Names(), b.Dialects)
	assert.Equal(t, suiteVersion, b.Suite)
	assert.NotEmpty(t, b.Version)
	assert.NotEmpty(t, b.Go)
}
