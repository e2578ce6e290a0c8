package redact_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/redact"
	"github.com/lmclint/lmclint/lint"
)

// Redacting never panics, and a word at any place of a text is gone, unless it is in the
// name of a key.
func FuzzText(f *testing.F) {
	for _, pattern := range []string{"core/bad/lmc1*.jsonl", "core/bad/lmc4*.json", "forms/bad/*.har", "forms/bad/*.ipynb", "forms/bad/*.sse", "forms/bad/lmc001*", "workbench/bad/wb10*"} {
		paths, err := filepath.Glob(filepath.Join("../../../testdata", pattern))
		require.NoError(f, err)
		require.NotEmpty(f, paths, pattern)
		for i, path := range paths[:min(len(paths), 8)] {
			text, err := os.ReadFile(path)
			require.NoError(f, err)
			if len(text) < 1<<12 {
				f.Add(filepath.Ext(path), string(text), uint(70+i))
			}
		}
	}
	const secret = "kwyj"
	f.Fuzz(func(t *testing.T, extension, text string, at uint) {
		at %= uint(len(text)) + 1
		text = text[:at] + secret + text[at:]
		r, err := redact.Text(t.Context(), options("fuzz"+extension, lint.Config{}), []byte(text))
		if err == nil && strings.Contains(keyNames.ReplaceAllString(text, " "), secret) {
			require.NotContains(t, string(r.Text), secret, "%q", text)
		}
	})
}
