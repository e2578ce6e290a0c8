package rules_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// acme is a dialect with one more of everything, beside our own with the same.
func acme(t testing.TB, from string) *schema.Dialects {
	t.Helper()
	e := schema.Extension{
		Name: schema.AllDialects, Roles: []string{"tool"}, Keys: []string{"trace_id"},
		Languages: []schema.Language{{Name: "rust"}},
		Types: []schema.ExtensionType{
			{Name: "plan", Formats: []string{"json"}, Transcript: true, Stream: true},
			{Name: "image", Formats: []string{"base64.webp"}},
		},
	}
	dialects, err := schema.NewDialects(e, schema.Extension{Name: "acme", Extends: from})
	require.NoError(t, err)
	return dialects
}

const acmeTurn = `{"role": "assistant", "type": "plan", "format": "json", "start": true, "trace_id": "1"}
{"role": "assistant", "type": "plan", "format": "json", "content": "[]", "trace_id": "1"}
{"role": "assistant", "type": "plan", "format": "json", "end": true, "trace_id": "1"}
{"role": "assistant", "type": "code", "format": "rust", "start": true}
{"role": "assistant", "type": "code", "format": "rust", "content": "main"}
{"role": "assistant", "type": "code", "format": "rust", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "rust", "content": "main"}}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "ok"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`

func TestCustomDialect(t *testing.T) {
	for dialect, silent := range map[string]bool{"acme": true, "interpreter": true, "": true} {
		config := lint.Config{Dialect: dialect, Kind: "stream", Vocabulary: acme(t, "")}
		got := everything(linttest.MustNew(rules.All(), lint.WithConfig(config)), strings.NewReader(acmeTurn))
		assert.Equal(t, silent, !strings.Contains(got, "LMC"), "%q: %s", dialect, got)
	}
	without := everything(linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Kind: "stream"})), strings.NewReader(acmeTurn))
	for _, rule := range []string{"LMC104", "LMC118", "LMC110"} {
		assert.Contains(t, without, rule)
	}
}

// A format of images that a dialect adds is one to write.
func TestHelpNamesAFormatOfTheUsersOwn(t *testing.T) {
	input, err := os.ReadFile(filepath.Join(suiteRoot, "core", "bad", "lmc402_webp.json"))
	require.NoError(t, err)
	linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Dialect: "acme", Vocabulary: acme(t, "")}))
	found := lintAll(t, linter, "webp.json", input)
	require.Len(t, found, 1)
	assert.Equal(t, `write "format": "base64.webp", or convert the image`, found[0].Help)
}

// A dialect that began as docs is as strict as docs.
func TestSeverityOfADialectOfTheUsersOwn(t *testing.T) {
	input := `{"role": "user", "type": "message", "content": "Hi", "unheard": 1}`
	for from, want := range map[string]string{"docs": "LMC110 error", "interpreter": "LMC110 warning"} {
		config := lint.Config{Dialect: "acme", Kind: "transcript", Vocabulary: acme(t, from)}
		assert.Contains(t, everything(linttest.MustNew(rules.All(), lint.WithConfig(config)), strings.NewReader(input)), want)
	}
}

// Under a dialect that was extended the lanes agree, and what was healthy stays so.
func TestLanesAgreeUnderAnExtendedDialect(t *testing.T) {
	t.Parallel()
	both := newLanes(lint.Config{Dialect: "acme", Kind: "stream", Vocabulary: acme(t, "")})
	own := newLanes(lint.Config{Dialect: "interpreter", Kind: "stream"})
	languages := schema.All()[0].Languages
	last, before := languages[len(languages)-1].Name, languages[len(languages)-2].Name
	named := strings.NewReplacer("Dialect:interpreter", "Dialect:acme", before+" or "+last, before+", "+last+" or rust")
	files, err := filepath.Glob(filepath.Join(suiteRoot, "recorded", "v0.4.2", "*.chunks.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		both.agree(t, append(bytes.Clone(data), data...))
		plain := everything(own.fast, bytes.NewReader(data))
		after := everything(both.fast, bytes.NewReader(data))
		assert.Equal(t, named.Replace(plain), after, file)
	}
	bad, err := filepath.Glob(filepath.Join(suiteRoot, "core", "bad", "lmc[1-3]*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, bad)
	for _, file := range bad {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		mixed := strings.Repeat(acmeTurn, 3) + string(data) + "\n" + strings.Repeat(acmeTurn, 3)
		both.agree(t, []byte(mixed+mixed))
	}
	both.agreeInParts(t, []byte(strings.Repeat(acmeTurn, 30)))
}
