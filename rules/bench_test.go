package rules_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// benchmark lints an input again and again, with all rules.
func benchmark(b *testing.B, data []byte, options ...lint.Option) {
	b.Helper()
	linter := lint.New(rules.All(), append(options, lint.WithConfig(lint.Config{Dialect: "interpreter"}))...)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := linter.Run(context.Background(), "in", bytes.NewReader(data), func(lint.Finding) error { return nil })
		require.NoError(b, err)
	}
}

func recorded(b *testing.B, name string, times int) []byte {
	b.Helper()
	data, err := os.ReadFile(filepath.Join(suite, "recorded", "v0.4.2", name))
	require.NoError(b, err)
	return bytes.Repeat(data, times)
}

func BenchmarkStream(b *testing.B) {
	data := recorded(b, "multi_turn.chunks.jsonl", 200)
	b.Run("skimmed", func(b *testing.B) { benchmark(b, data) })
	b.Run("read", func(b *testing.B) { benchmark(b, data, lint.WithoutSkimming()) })
}

func BenchmarkTranscript(b *testing.B) {
	data := recorded(b, "multi_turn.messages.json", 1)
	b.Run("skimmed", func(b *testing.B) { benchmark(b, data) })
	b.Run("read", func(b *testing.B) { benchmark(b, data, lint.WithoutSkimming()) })
}

// Every record is wrong in the same way.
func BenchmarkFindings(b *testing.B) {
	line := []byte(`{"role": "asistant", "type": "message", "content": "Hello"}` + "\n")
	benchmark(b, append([]byte(`{"role": "assistant", "type": "message", "start": true}`+"\n"), bytes.Repeat(line, 1000)...))
}
