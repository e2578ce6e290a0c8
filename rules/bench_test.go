package rules_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// benchmark lints an input again and again, with all rules.
func benchmark(b *testing.B, data []byte, options ...lint.Option) {
	b.Helper()
	linter := linttest.MustNew(rules.All(), append(options, lint.WithConfig(lint.Config{Dialect: "interpreter"}))...)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := linter.Run(context.Background(), "in", bytes.NewReader(data), func(lint.Finding) error { return nil })
		require.NoError(b, err)
	}
}

func recorded(b *testing.B, name string, times int) []byte {
	b.Helper()
	data, err := os.ReadFile(filepath.Join(suiteRoot, "recorded", "v0.4.2", name))
	require.NoError(b, err)
	return bytes.Repeat(data, times)
}

func BenchmarkStream(b *testing.B) {
	data := recorded(b, "multi_turn.chunks.jsonl", 200)
	b.Run("skimmed", func(b *testing.B) { benchmark(b, data) })
	b.Run("read", func(b *testing.B) { benchmark(b, data, lint.WithoutFastPath()) })
}

func BenchmarkTranscript(b *testing.B) {
	data := recorded(b, "multi_turn.messages.json", 1)
	b.Run("skimmed", func(b *testing.B) { benchmark(b, data) })
	b.Run("read", func(b *testing.B) { benchmark(b, data, lint.WithoutFastPath()) })
}

// Images are most of what a transcript with images has.
func BenchmarkImages(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, image := range map[string][]byte{"png": bigPNG(random, 30_000, 30_000, 100_000), "jpeg": bigJPEG(random, 160_000)} {
		record := `{"role": "user", "type": "image", "format": "base64.` + name + `", "content": "` + base64.StdEncoding.EncodeToString(image) + `"}`
		data := []byte("[" + strings.Repeat(record+", ", 30) + record + "]")
		b.Run(name+"/skimmed", func(b *testing.B) { benchmark(b, data) })
		b.Run(name+"/read", func(b *testing.B) { benchmark(b, data, lint.WithoutFastPath()) })
	}
}

// Every record is wrong in the same way.
func BenchmarkFindings(b *testing.B) {
	line := []byte(`{"role": "asistant", "type": "message", "content": "Hello"}` + "\n")
	benchmark(b, append([]byte(`{"role": "assistant", "type": "message", "start": true}`+"\n"), bytes.Repeat(line, 1000)...))
}
