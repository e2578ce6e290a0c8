package source_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/internal/verify/suite/jsongrammar"
)

const emptyReader = "no record at all"

// The table of the grammar says of each text whether it is JSON.
func TestGrammar(t *testing.T) {
	names := map[string]bool{}
	for _, c := range jsongrammar.Cases() {
		assert.False(t, names[c.Name], "two cases are called %s", c.Name)
		names[c.Name] = true
		assert.Regexp(t, "^[a-z0-9-]+$", c.Name)
		switch got := judge(t, []byte(c.Text)); {
		case c.Choice != "":
			assert.Equal(t, c.Choice, got, c.Name)
		case c.Reason == "":
			assert.Contains(t, []string{jsongrammar.Accepted, "duplicate-key"}, got, "%s: %q", c.Name, c.Text)
		default:
			assert.NotContains(t, []string{jsongrammar.Accepted, "duplicate-key", "lone-surrogate", "bom"}, got, "%s: %s: %q", c.Name, c.Reason, c.Text)
		}
	}
	assert.Greater(t, len(names), 300)
}

// judge gives the first problem of a JSON text, but not that it is not an object;
// one that makes the text unreadable goes before one that does not.
func judge(t *testing.T, input []byte) string {
	reader := text.NewReader(bytes.NewReader(input), source.Options{Form: source.FormJSON})
	records, fatal, other := 0, "", ""
	for {
		rec, err := reader.Next()
		if err != nil {
			require.Equal(t, io.EOF, err)
			break
		}
		if !rec.IsGap {
			records++
		}
		for _, p := range rec.Problems {
			switch {
			case p.Kind == source.NotAnObject:
			case (p.IsFatal() || p.Kind == source.Comments) && fatal == "":
				fatal = kindNames[p.Kind]
			case other == "":
				other = kindNames[p.Kind]
			}
		}
	}
	switch {
	case fatal != "":
		return fatal
	case records == 0 && !isEmptyArray(input):
		return emptyReader
	case other != "":
		return other
	}
	return jsongrammar.Accepted
}

func isEmptyArray(text []byte) bool { return strings.Join(strings.Fields(string(text)), "") == "[]" }
